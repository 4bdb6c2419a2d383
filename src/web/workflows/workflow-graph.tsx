/** The graph of a workflow, live: its steps by stage, and what passes from one to the next. Loaded on demand. */
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { STEP_BADGES, type WorkflowRun } from '../../protocol/index.js';
import type { Workflow } from '../../workflow/index.js';
import { toneOf } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { BOX, type GraphBox, layOutGraph } from './graph-layout.js';
import { PassingEdge } from './passing-edge.js';
import { stepWords } from './workflow-words.js';
import '@xyflow/react/dist/style.css';

interface WorkflowGraphProps {
  readonly workflow: Workflow;
  readonly run: WorkflowRun | null;
  /** The id of the chosen step. */
  readonly chosen: string | null;
  readonly onChoose: (step: string | null) => void;
  readonly isNarrow: boolean;
}

/** The smallest size at which a graph is shown at first: its text stays readable. */
const READABLE_ZOOM = 0.85;
const BEGIN_PX = 24;
const LIVE: ReadonlySet<string> = new Set(['running', 'asking']);

type BoxNode = Node<{ readonly box: GraphBox; readonly isNarrow: boolean }, 'box'>;

export default function WorkflowGraph({ workflow, run, chosen, onChoose, isNarrow }: WorkflowGraphProps) {
  const { nodes, edges } = useMemo(() => {
    const layout = layOutGraph(workflow, run, isNarrow);
    return {
      nodes: layout.boxes.map(
        (box): BoxNode => ({
          id: box.id,
          type: 'box',
          position: { x: box.x, y: box.y },
          data: { box, isNarrow },
          draggable: false,
          connectable: false,
          selectable: box.stepId !== null,
          focusable: box.stepId !== null,
          selected: box.stepId !== null && box.stepId === chosen,
          ariaLabel: box.stepId === null ? 'join' : `${box.stepId}, ${box.step?.state ?? box.kind}`,
          ...(box.kind !== 'join' && { width: BOX.width, height: BOX.height }),
        }),
      ),
      edges: layout.edges.map(
        ({ id, from, to, label, isKnown, isLive, lane }): Edge => ({
          id,
          source: from,
          target: to,
          ...(label.length > 0 && { label: <Lines lines={label} /> }),
          ...(lane !== null && { type: 'passing', data: { lane, isNarrow } }),
          animated: isLive,
          focusable: false,
          selectable: false,
          className: `${label.length === 0 ? 'is-order' : ''} ${isKnown ? 'is-known' : ''}`,
          markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--line-strong)' },
          labelBgPadding: [4, 2],
          labelBgBorderRadius: 4,
        }),
      ),
    };
  }, [workflow, run, chosen, isNarrow]);
  const view = useRef<HTMLElement>(null);
  return (
    <section className="workflow-graph" aria-label="Graph of the workflow" ref={view}>
      <ReactFlow
        key={`${isNarrow} ${nodes.length}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={TYPES}
        edgeTypes={EDGES}
        onNodeClick={(_event, { data }) => onChoose((data as BoxNode['data']).box.stepId)}
        onSelectionChange={({ nodes: [node] }) => {
          const id = (node?.data as BoxNode['data'] | undefined)?.box.stepId;
          if (id != null && id !== chosen) onChoose(id);
        }}
        onPaneClick={() => onChoose(null)}
        fitView
        fitViewOptions={{ padding: 0.12, minZoom: READABLE_ZOOM, maxZoom: 1 }}
        onInit={(flow) => view.current && showBegin(flow, nodes, view.current)}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

/**
 * Moves a graph that does not fit at a readable size, so that the step that runs, asks or failed is in view, or else
 * the first step. The rest can be dragged into view.
 */
function showBegin(
  flow: ReactFlowInstance<BoxNode, Edge>,
  nodes: readonly BoxNode[],
  view: { readonly clientWidth: number; readonly clientHeight: number },
): void {
  const shown =
    nodes.find(({ data }) => LIVE.has(data.box.step?.state ?? '')) ??
    nodes.find(({ data }) => data.box.step?.state === 'failed') ??
    nodes[0];
  if (!shown) return;
  const { x, y, zoom } = flow.getViewport();
  const bounds = flow.getNodesBounds([...nodes]);
  const along = (at: number, from: number, size: number, viewPx: number, begin: number): number =>
    size * zoom + 2 * BEGIN_PX <= viewPx // it fits
      ? at
      : Math.max(viewPx - BEGIN_PX - zoom * (from + size), BEGIN_PX - zoom * begin);
  void flow.setViewport({
    x: along(x, bounds.x, bounds.width, view.clientWidth, shown.position.x),
    y: along(y, bounds.y, bounds.height, view.clientHeight, shown.position.y),
    zoom,
  });
}

function Box({ data: { box, isNarrow }, selected }: NodeProps<BoxNode>) {
  const { step, stepId, kind } = box;
  const [entry, exit] = isNarrow ? [Position.Top, Position.Bottom] : [Position.Left, Position.Right];
  const badge = step ? STEP_BADGES[step.state] : null;
  return (
    <>
      <Handle type="target" position={entry} isConnectable={false} />
      {stepId === null ? (
        <span className="graph-join" />
      ) : (
        <div
          className={`graph-box is-${kind}`}
          data-step={stepId}
          data-state={step?.state ?? 'planned'}
          data-chosen={selected}
        >
          <span className="row">
            {badge && (
              <span className={toneOf(badge)} aria-hidden="true">
                {badge.mark}
              </span>
            )}
            <strong className="cut grow">{line(stepId, 60)}</strong>
            <span className="muted small">{kind === 'ask' ? 'question' : ''}</span>
          </span>
          <span className="graph-note small">{step ? stepWords(step) : ''}</span>
        </div>
      )}
      <Handle type="source" position={exit} isConnectable={false} />
    </>
  );
}

/** The label of an edge. Its middle is where the library places a label of one line. */
const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((text, at) => (
    <tspan key={text} x="0" dy={at === 0 ? `${0.3 - (lines.length - 1) * 0.6}em` : '1.2em'}>
      {text}
    </tspan>
  ));

const TYPES = { box: Box };
const EDGES = { passing: PassingEdge };
