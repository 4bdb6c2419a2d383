/**
 * Draws the graph as SVG with a row for each stage, readable on light and dark pages. Pure.
 *
 * Widths are computed from the number of columns of a monospaced font, so no text has to be measured.
 */
import { displayLine, widthOf } from '../../protocol/index.js';
import type { Workflow } from '../workflow.js';
import { conditionInWords, graphOf, type Node, outputsInWords, outputsOf } from './model.js';

const COLUMN = 7.3;
const LINE = 17;
const PAD = 12;
const GAP_X = 24;
const GAP_Y = 46;
const MARGIN = 20;
const JOIN = 6;

interface Box {
  readonly node: Node;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

const STYLE =
  'text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}.name{font-weight:bold}.box{fill:#f6f8fa;stroke:#59636e}' +
  '.ask{fill:#fff8c5}.edge{fill:none;stroke:#59636e}.order{stroke-dasharray:3 4}.tip,.join{fill:#59636e}' +
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.box{fill:#161b22;stroke:#9198a1}.ask{fill:#3a2d00}' +
  '.edge{stroke:#9198a1}.tip,.join{fill:#9198a1}}';

/** Returns the graph of a workflow as an SVG document. */
export function graphSvg(workflow: Workflow): string {
  const { title, nodes, edges } = graphOf(workflow);
  const boxes = layOut(nodes);
  const all = [...boxes.values()];
  let [width, height] = [2 * MARGIN, 2 * MARGIN];
  for (const box of all) {
    width = Math.max(width, box.x + box.width + MARGIN);
    height = Math.max(height, box.y + box.height + MARGIN);
  }
  const size = `viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}"`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escaped(title ?? 'workflow')}</title>`,
    `<style>${STYLE}</style>`,
  ];
  lines.push(
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" ' +
      'orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
  );
  for (const { from, to, variables } of edges) {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (!start || !end) continue;
    const [x1, y1] = [start.x + start.width / 2, start.y + start.height];
    const [x2, y2] = [end.x + end.width / 2, end.y];
    const bend = (y2 - y1) / 2;
    const path =
      `M${round(x1)} ${round(y1)}C${round(x1)} ${round(y1 + bend)} ${round(x2)} ${round(y2 - bend)} ` +
      `${round(x2)} ${round(y2)}`;
    lines.push(`<path class="edge${variables.length === 0 ? ' order' : ''}" marker-end="url(#tip)" d="${path}"/>`);
  }
  for (const box of all) lines.push(...draw(box));
  return `${lines.join('\n')}\n</svg>\n`;
}

/** Places the rows below each other, each centred. */
function layOut(nodes: readonly Node[]): Map<string, Box> {
  const rows = new Map<number, Omit<Box, 'x' | 'y'>[]>();
  for (const node of nodes.toSorted((a, b) => a.stage - b.stage)) {
    const lines = linesOf(node);
    const columns = Math.max(0, ...lines.map(widthOf));
    const size = node.step
      ? { width: columns * COLUMN + 2 * PAD, height: lines.length * LINE + PAD }
      : { width: JOIN, height: JOIN };
    const row = rows.get(node.stage) ?? [];
    row.push({ node, lines, ...size });
    rows.set(node.stage, row);
  }
  const widths = [...rows.values()].map((row) => row.reduce((sum, { width }) => sum + width + GAP_X, -GAP_X));
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const boxes = new Map<string, Box>();
  let y = MARGIN;
  for (const [index, row] of [...rows.values()].entries()) {
    let x = MARGIN + (widest - (widths[index] ?? 0)) / 2;
    let tallest = 0;
    for (const box of row) {
      boxes.set(box.node.id, { ...box, x, y });
      x += box.width + GAP_X;
      tallest = Math.max(tallest, box.height);
    }
    y += tallest + GAP_Y;
  }
  return boxes;
}

function linesOf({ step }: Node): string[] {
  if (!step) return [];
  const { goal, id } = step;
  const lines = [goal.kind === 'ask' ? `${id}?` : id];
  if (goal.kind === 'goal' && goal.agents.length > 0) lines.push(`using ${goal.agents.join(', ')}`);
  if (goal.kind === 'goal' && goal.foreach) lines.push(`for each $${goal.foreach.item} in $${goal.foreach.list}`);
  if (goal.when) lines.push(conditionInWords(goal.when));
  const outputs = outputsInWords(outputsOf(goal));
  if (outputs !== '') lines.push(outputs);
  return lines.map((line) => shortened(displayLine(line)));
}

/** The longest line of a box. Wider boxes would make the picture of a workflow too wide to read. */
const MAX_BOX_CHARS = 48;
const shortened = (line: string): string => {
  const chars = Array.from(line);
  return chars.length > MAX_BOX_CHARS ? `${chars.slice(0, MAX_BOX_CHARS - 1).join('')}…` : line;
};

function draw({ node, lines, x, y, width, height }: Box): string[] {
  if (!node.step)
    return [`<circle class="join" cx="${round(x + JOIN / 2)}" cy="${round(y + JOIN / 2)}" r="${JOIN / 2}"/>`];
  const kind = node.step.goal.kind === 'ask' ? 'box ask' : 'box';
  const rect =
    `<rect class="${kind}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ` +
    'rx="6"/>';
  const texts = lines.map((line, index) => {
    const style = index === 0 ? ' class="name"' : '';
    return (
      `<text${style} x="${round(x + PAD)}" y="${round(y + PAD / 2 + LINE * (index + 0.75))}" ` +
      `xml:space="preserve">${escaped(line)}</text>`
    );
  });
  return [rect, ...texts];
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string =>
  displayLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
