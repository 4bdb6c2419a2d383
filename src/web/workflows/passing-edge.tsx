/** An edge of the graph that passes a stage: it leads around the boxes of that stage, not behind them. */
import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';

type LaneEdge = Edge<{ readonly lane: number; readonly isNarrow: boolean }, 'passing'>;

/** Length of the curve between a box and the lane. */
const BEND_PX = 90;
const NARROW_BEND_PX = 50;

export function PassingEdge(edge: EdgeProps<LaneEdge>) {
  const { sourceX, sourceY, targetX, targetY, data, label, markerEnd, labelBgPadding, labelBgBorderRadius } = edge;
  const { lane = 0, isNarrow = false } = data ?? {};
  const point = (along: number, across: number): string => (isNarrow ? `${across},${along}` : `${along},${across}`);
  const [from, to] = isNarrow ? [sourceY, targetY] : [sourceX, targetX];
  const [begin, end] = isNarrow ? [sourceX, targetX] : [sourceY, targetY];
  const bend = Math.min(isNarrow ? NARROW_BEND_PX : BEND_PX, (to - from) / 2);
  const path = [
    `M ${point(from, begin)}`,
    `C ${point(from + bend / 2, begin)} ${point(from + bend / 2, lane)} ${point(from + bend, lane)}`,
    `L ${point(to - bend, lane)}`,
    `C ${point(to - bend / 2, lane)} ${point(to - bend / 2, end)} ${point(to, end)}`,
  ].join(' ');
  const middle = (from + to) / 2;
  return (
    <BaseEdge
      path={path}
      label={label}
      labelX={isNarrow ? lane : middle}
      labelY={isNarrow ? middle : lane}
      {...(markerEnd !== undefined && { markerEnd })}
      {...(labelBgPadding && { labelBgPadding })}
      {...(labelBgBorderRadius !== undefined && { labelBgBorderRadius })}
    />
  );
}
