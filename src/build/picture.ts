/**
 * Draws the README's picture as SVG: the real TUI with the real demo, in a pty. Run by `npm run picture` after
 * `npm run build`.
 *
 * Waits until the demo's agents have asked their questions, then draws the cells of the emulator, one text element per
 * run of equal cells.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type IBufferCell, type Terminal } from '@xterm/headless';
import { spawn } from 'node-pty';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/orchd.js');
const TARGET = join(ROOT, '.github/tui.svg');
const [COLS, ROWS] = [150, 36];
const CELL = { width: 8.4, height: 16.3, font: 14 } as const;
const PATIENCE_MS = 60_000;

const BACKGROUND = '#11151c';
const FOREGROUND = '#d5d9e0';
const PALETTE = [
  ...['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d5d9e0'],
  ...['#6b7280', '#ef8b93', '#b5dd94', '#f0d399', '#86c5f7', '#d99bea', '#7fd0da', '#ffffff'],
] as const;

interface Style {
  readonly colour: string;
  readonly background: string | null;
  readonly isBold: boolean;
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'orchd-picture-'));
  const { CI: _ci, NO_COLOR: _plain, ...inherited } = process.env;
  const env = {
    ...inherited,
    ORCHD_HOME: home,
    ORCHD_DEMO_PAUSE_MS: '300',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    FORCE_COLOR: '3',
  };
  const orchd = (...args: string[]) =>
    spawnSync(process.execPath, [BIN, ...args], { env, cwd: home, encoding: 'utf8' });
  try {
    orchd('start', '--detach', '--no-tcp');
    orchd('demo', '--no-tui');
    for (const agent of ['auth', 'docs', 'deploy'])
      orchd('wait', `demo-${agent}`, '--until', agent === 'deploy' ? 'blocked' : 'waiting', '--timeout', '30s');
    const terminal = new headless.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
    terminal.loadAddon(new unicodeModule.Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    const pty = spawn(process.execPath, [BIN, 'start'], { cols: COLS, rows: ROWS, env, cwd: home });
    pty.onData((data) => terminal.write(data));
    await shows(terminal, /registry refuses/);
    pty.write('\r');
    await shows(terminal, /3\s+OAuth2[\s\S]*orchestrator-message/);
    writeFileSync(TARGET, toSvg(terminal));
    pty.kill();
  } finally {
    orchd('stop');
    rmSync(home, { recursive: true, force: true });
  }
}

/** Resolves when the screen contains a text. */
function shows(terminal: Terminal, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the TUI never showed ${text}`)), PATIENCE_MS);
    const watch = terminal.onWriteParsed(() => {
      const buffer = terminal.buffer.active;
      const rows = Array.from({ length: ROWS }, (_, y) => buffer.getLine(buffer.baseY + y)?.translateToString() ?? '');
      if (!text.test(rows.join('\n'))) return;
      clearTimeout(timer);
      watch.dispose();
      resolve();
    });
  });
}

function toSvg(terminal: Terminal): string {
  const [width, height] = [COLS * CELL.width + 24, ROWS * CELL.height + 24];
  const parts: string[] = [];
  for (let y = 0; y < ROWS; y++) for (const run of runsOf(terminal, y)) parts.push(draw(run, y));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.font}">
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
  for (let x = 0; line && x < COLS; x++) {
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

await main();
