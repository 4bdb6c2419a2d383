/**
 * Places the steps of a workflow for the graph: a column for each stage, or a row for each in a narrow window. Pure.
 *
 * In:   the checked form of an Agentfile, and the run if there is one.
 * Out:  boxes with their positions, and edges with the variables that they carry and, once known, their values.
 */
import type { WorkflowRun, WorkflowStep } from '../../protocol/index.js';
import { graphOf, type Workflow } from '../../workflow/index.js';
import { line } from '../text/label-text.js';

export const BOX = { width: 200, height: 76 } as const;
const JOIN = 12;
const GAP = { along: 184, across: 32 } as const;
/** Distance between boxes and the first edge that passes them, and from one such edge to the next. */
const LANE_PX = 26;
/** Beside a column of boxes, the labels of these edges need more room. */
const NARROW_LANE_PX = 64;
/** Along a column of boxes, the label of an edge needs less room. */
const NARROW_GAP = { along: 56, across: 20 } as const;

export interface GraphBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** The id of the box's step; null for a join. */
  readonly stepId: string | null;
  readonly kind: 'goal' | 'ask' | 'join';
  /** The box's step in the run; null before the workflow runs. */
  readonly step: WorkflowStep | null;
}

interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The lines of its label: the variables that the edge carries. Empty if it carries none. */
  readonly label: readonly string[];
  /** True if the value of the variable is known. */
  readonly isKnown: boolean;
  /** True while the step at the end of the edge runs. */
  readonly isLive: boolean;
  /**
   * For an edge that passes a stage: the y of its middle part, or the x in a narrow window, beyond the boxes that it
   * passes. Null for an edge to the next stage.
   */
  readonly lane: number | null;
}

interface GraphLayout {
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
}

export function layOutGraph(workflow: Workflow, run: WorkflowRun | null, isNarrow: boolean): GraphLayout {
  const { nodes, edges } = graphOf(workflow);
  const steps = new Map(run?.steps.map((step) => [step.id, step]));
  const byStage = new Map<number, string[]>();
  for (const { id, stage } of nodes) {
    const same = byStage.get(stage);
    if (same) same.push(id);
    else byStage.set(stage, [id]);
  }
  const stages = [...byStage.keys()].sort((a, b) => a - b);
  const boxes = nodes.map(({ id, step, stage }): GraphBox => {
    const same = byStage.get(stage) ?? [id];
    const kind = step === null ? 'join' : step.goal.kind;
    return {
      id,
      stepId: step?.id ?? null,
      kind,
      step: (step && steps.get(step.id)) ?? null,
      ...placeOf(kind === 'join', stages.indexOf(stage), same.indexOf(id) - (same.length - 1) / 2, isNarrow),
    };
  });
  const stepOf = new Map(boxes.map(({ id, step }) => [id, step]));
  const stageOf = new Map(nodes.map(({ id, stage }) => [id, stage]));
  const isBetween = (id: string, from: string, to: string): boolean => {
    const stage = stageOf.get(id) ?? 0;
    return stage > (stageOf.get(from) ?? 0) && stage < (stageOf.get(to) ?? 0);
  };
  let lanes = 0;
  const laneOf = (from: string, to: string): number | null => {
    const passed = boxes.filter(({ id }) => isBetween(id, from, to));
    if (passed.length === 0) return null;
    const ends = passed.map(({ x, y }) => (isNarrow ? x + BOX.width : y + BOX.height));
    return Math.max(...ends) + (isNarrow ? NARROW_LANE_PX : LANE_PX) * (1 + lanes++);
  };
  return {
    boxes,
    edges: edges.map(({ from, to, variables }) => {
      const values = stepOf.get(from)?.values ?? null;
      const lane = laneOf(from, to);
      const isKnown = variables.some((name) => values !== null && Object.hasOwn(values, name));
      return {
        id: `${from}-${to}`,
        from,
        to,
        isKnown,
        label: labelOf(
          variables.map((name) => carried(name, values)),
          lane !== null && !isNarrow,
        ),
        isLive: stepOf.get(to)?.state === 'running',
        lane,
      };
    }),
  };
}

/** @param across  The distance from the middle, in boxes. */
function placeOf(isJoin: boolean, along: number, across: number, isNarrow: boolean): { x: number; y: number } {
  const shift = isJoin ? { x: (BOX.width - JOIN) / 2, y: (BOX.height - JOIN) / 2 } : { x: 0, y: 0 };
  return isNarrow
    ? {
        x: across * (BOX.width + NARROW_GAP.across) + shift.x,
        y: along * (BOX.height + NARROW_GAP.along) + shift.y,
      }
    : { x: along * (BOX.width + GAP.along) + shift.x, y: across * (BOX.height + GAP.across) + shift.y };
}

/** A value stands behind its name, on a line of MAX_LINE_CHARS. */
const MAX_VALUE_CHARS = 12;
/** A wider label would hide the boxes beside it. */
const MAX_LINE_CHARS = 20;
/** A higher label would reach the next edge. */
const MAX_LINES = 3;
/** An edge that passes a stage is longer, and has other edges above and below it. */
const MAX_LANE_CHARS = 48;

function labelOf(variables: readonly string[], isLane: boolean): readonly string[] {
  if (variables.length === 0) return [];
  if (isLane) return [line(variables.join(', '), MAX_LANE_CHARS)];
  const shown = variables.length > MAX_LINES ? variables.slice(0, MAX_LINES - 1) : variables;
  const more = variables.length - shown.length;
  return [...shown.map((one) => line(one, MAX_LINE_CHARS)), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Returns, for example, `score = 7`; the name alone before its value is known. */
function carried(name: string, values: WorkflowStep['values']): string {
  if (values === null || !Object.hasOwn(values, name)) return name;
  const value = values[name];
  return `${name} = ${line(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARS)}`;
}
