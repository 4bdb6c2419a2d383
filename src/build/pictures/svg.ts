/**
 * Draws the screen of a terminal as SVG, one text element per run of equal cells.
 */
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
  const [width, height] = [terminal.cols * CELL.width + 24, terminal.rows * CELL.height + 24];
  const parts: string[] = [];
  for (let y = 0; y < terminal.rows; y++) for (const run of runsOf(terminal, y)) parts.push(draw(run, y));
  const font = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  const size = `viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${font}" font-size="${CELL.font}">
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
${parts.filter(Boolean).join('\n')}
</svg>
`;
}

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

function draw(run: Run, y: number): string {
  const [x, top] = [12 + run.x * CELL.width, 12 + y * CELL.height];
  const paper =
    run.background === null
      ? ''
      : `<rect x="${x}" y="${top}" width="${run.cells * CELL.width}" height="${CELL.height}" ` +
        `fill="${run.background}"/>`;
  if (run.text.trim() === '') return paper;
  const text = run.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const weight = run.isBold ? ' font-weight="bold"' : '';
  const length = (run.cells * CELL.width).toFixed(1);
  return (
    `${paper}<text x="${x.toFixed(1)}" y="${top + CELL.font}" fill="${run.colour}"${weight} ` +
    `textLength="${length}" xml:space="preserve">${text}</text>`
  );
}
