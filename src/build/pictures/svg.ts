/** Draws the screen of a terminal as SVG, one text element per run of equal cells. */
import type { IBufferCell, Terminal } from '@xterm/headless';

const CELL = { width: 8.4, height: 16.3, font: 14 } as const;

const BACKGROUND = '#11151c';
const FOREGROUND = '#d5d9e0';
const PALETTE = [
  '#3b4252',
  '#e06c75',
  '#98c379',
  '#e5c07b',
  '#61afef',
  '#c678dd',
  '#56b6c2',
  '#d5d9e0',
  '#6b7280',
  '#ef8b93',
  '#b5dd94',
  '#f0d399',
  '#86c5f7',
  '#d99bea',
  '#7fd0da',
  '#ffffff',
] as const;

interface Style {
  readonly colour: string;
  readonly background: string | null;
  readonly isBold: boolean;
}

export function toSvg(terminal: Terminal): string {
  const rows = drawRows(terminal).map((row, y) => `<g transform="translate(${PAD} ${topOf(y)})">\n${row}\n</g>`);
  return page(terminal.cols, terminal.rows, rows.join('\n'));
}

/** The picture of a terminal at one moment of a recording. */
export interface Frame {
  readonly atMs: number;
  /** One drawing per row, from `drawRows`. */
  readonly rows: readonly string[];
}

/**
 * Draws a recording as SVG that moves. The frames are one below the other, and a style shows them one after the other.
 * Each row is drawn once, however many frames contain it.
 */
export function toMovingSvg(frames: readonly Frame[], cols: number, endMs: number): string {
  const names = new Map<string, string>();
  for (const row of frames.flatMap(({ rows }) => rows)) if (!names.has(row)) names.set(row, `r${names.size}`);
  const rowCount = frames[0]?.rows.length ?? 0;
  const height = rowCount * CELL.height;
  // A row between two frames keeps the descenders of one out of the other.
  const pitch = height + CELL.height;
  const start = frames[0]?.atMs ?? 0;
  const steps = frames.map(
    ({ atMs }, at) =>
      `${(((atMs - start) / (endMs - start)) * 100).toFixed(2)}%{transform:translateY(${at === 0 ? 0 : (-at * pitch).toFixed(1)}px)}`,
  );
  const uses = frames.map(({ rows }, at) =>
    rows.map((row, y) => (row === '' ? '' : use(names.get(row), at * pitch + y * CELL.height))).join(''),
  );
  const defs = [...names].map(([row, name]) => `<g id="${name}">${row.replaceAll('\n', '')}</g>`).join('\n');
  const seconds = ((endMs - start) / 1000).toFixed(1);
  return page(
    cols,
    rowCount,
    `<style>@keyframes play{${steps.join('')}}#film{animation:play ${seconds}s step-end infinite}</style>
<defs>${defs}</defs>
<svg x="${PAD}" y="${PAD}" width="${(cols * CELL.width).toFixed(1)}" height="${height.toFixed(1)}"><g id="film">
${uses.join('\n')}
</g></svg>`,
  );
}

const use = (name: string | undefined, y: number): string => `<use href="#${name}" y="${y.toFixed(1)}"/>`;

/** The space around the text. */
const PAD = 12;
const topOf = (y: number): string => (PAD + y * CELL.height).toFixed(1);

function page(cols: number, rows: number, content: string): string {
  const [width, height] = [cols * CELL.width + 2 * PAD, rows * CELL.height + 2 * PAD];
  const font = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  const size = `viewBox="0 0 ${width.toFixed(1)} ${height.toFixed(1)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${font}" font-size="${CELL.font}">
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
${content}
</svg>
`;
}

/** Draws each row, at the place 0, 0. */
export const drawRows = (terminal: Terminal): string[] =>
  Array.from({ length: terminal.rows }, (_, y) => runsOf(terminal, y).map(draw).filter(Boolean).join('\n'));

interface Run extends Style {
  readonly x: number;
  cells: number;
  text: string;
}

function runsOf(terminal: Terminal, y: number): Run[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + y);
  const runs: Run[] = [];
  for (let x = 0; line && x < terminal.cols; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const last = runs.at(-1);
    const joins =
      last && last.colour === style.colour && last.background === style.background && last.isBold === style.isBold;
    const run = joins ? last : { x, cells: 0, text: '', ...style };
    if (!joins) runs.push(run);
    run.text += cell.getChars() || ' ';
    run.cells += cell.getWidth();
  }
  return runs;
}

function styleOf(cell: IBufferCell): Style {
  const ink = cell.isFgDefault() ? FOREGROUND : colour(cell.getFgColor(), cell.isFgRGB());
  const paper = cell.isBgDefault() ? null : colour(cell.getBgColor(), cell.isBgRGB());
  const isBold = cell.isBold() !== 0;
  if (cell.isInverse()) return { colour: paper ?? BACKGROUND, background: ink, isBold };
  return { colour: cell.isDim() ? '#7d8590' : ink, background: paper, isBold };
}

function colour(value: number, isRgb: boolean): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return PALETTE[value] ?? FOREGROUND;
}

function draw(run: Run): string {
  const x = (run.x * CELL.width).toFixed(1);
  const paper =
    run.background === null
      ? ''
      : `<rect x="${x}" width="${(run.cells * CELL.width).toFixed(1)}" height="${CELL.height}" ` +
        `fill="${run.background}"/>`;
  if (run.text.trim() === '') return paper;
  const text = run.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const weight = run.isBold ? ' font-weight="bold"' : '';
  const length = (run.cells * CELL.width).toFixed(1);
  return (
    `${paper}<text x="${x}" y="${CELL.font}" fill="${run.colour}"${weight} ` +
    `textLength="${length}" xml:space="preserve">${text}</text>`
  );
}
