/**
 * Warm-up: runs generated output of a painting program through the ears and the screen once, so that V8 has compiled
 * that code before an agent paints. Without it, the first megabyte takes three times as long.
 *
 * The output consists of frames of words as agents paint them, on both screens, with and without synchronized updates,
 * with messages.
 */
import { Screen } from '../terminal/index.js';
import { createHearing } from './hearing/session-hearing.js';
import { createRecorder } from './recordings/made-journal.js';

const COLS = 100;
const ROWS = 30;
const FRAMES = 1200;
const TICK_EVERY = 7;
const WORDS =
  'the session asks which file to change, then reads `src/main.ts`: 3 of 14 tests fail because of {a:1}'.split(' ');
const PAINTERS = [paintWhole, paintChanged, eraseAndPrint] as const;

/**
 * Warms up in steps.
 * @returns A function that does the next step, some milliseconds long, and returns false after the last one.
 */
export function warmUp(): () => boolean {
  const steps = PAINTERS.flatMap((paint) => framesOf(paint));
  const hearing = createHearing({ adapter: 'claude' });
  const record = createRecorder();
  const screen = new Screen({ cols: COLS, rows: ROWS, scrollbackLines: 100 });
  hearing.push(
    record({ kind: 'start', sessionId: 'warm-up', command: ['claude'], cwd: '/', pid: 1, cols: COLS, rows: ROWS }),
  );
  let at = 0;
  return () => {
    const bytes = Buffer.from(steps[at++] ?? '');
    hearing.push(record({ kind: 'out', bytes, time: at * 20 }));
    screen.feed(bytes);
    if (at % TICK_EVERY === 0) hearing.push(record({ kind: 'tick', quietMs: 40, time: at * 20 }));
    if (at < steps.length) return true;
    screen.dispose();
    return false;
  };
}

type Painter = (rows: readonly string[], before: readonly string[]) => string;

function framesOf(paint: Painter): string[] {
  const frames = [paint === eraseAndPrint ? '\x1b[?1049l' : '\x1b[?1049h\x1b[2J'];
  const lines: string[] = [];
  let before: readonly string[] = [];
  for (let frame = 0; frame < FRAMES / PAINTERS.length; frame++) {
    if (frame % 4 === 0) lines.push(lineOf(frame));
    if (frame % 60 === 0) lines.push(...messageOf(frame));
    const below = [
      '',
      `✻ Working… (${frame}s · ${frame * 37} tokens)`,
      '─'.repeat(COLS - 2),
      '> ',
      '  ? for shortcuts',
    ];
    const rows = [...lines.slice(below.length - ROWS + 1), ...below];
    frames.push(paint(rows, before));
    before = rows;
  }
  return frames;
}

const lineOf = (frame: number): string =>
  Array.from({ length: 4 + (frame % 11) }, (_, at) => WORDS[(frame * 7 + at * at) % WORDS.length] ?? '').join(' ');

const messageOf = (frame: number): string[] => [
  '● {',
  '    "type": "QUESTION",',
  `    "data": {"question": "Go on with step ${frame}?", "options": ["yes", "no"]}`,
  '  }',
];

function coloured(row: string): string {
  return `\x1b[38;2;${row.length};120;90m${row}\x1b[39m`;
}

/** Paints every row, in a synchronized update. */
function paintWhole(rows: readonly string[]): string {
  return `\x1b[?2026h\x1b[H${rows.map((row) => `\x1b[2K${coloured(row)}`).join('\r\n')}\x1b[?2026l`;
}

/** Paints the changed rows, without an update. */
function paintChanged(rows: readonly string[], before: readonly string[]): string {
  const changed = rows.flatMap((row, y) => (before[y] === row ? [] : [`\x1b[${y + 1};1H\x1b[K${coloured(row)}`]));
  return `\x1b[?25l${changed.join('')}\x1b[${ROWS - 1};3H\x1b[?25h`;
}

/** Paints like Ink: erases the last frame row by row, upwards, and prints the new one. */
function eraseAndPrint(rows: readonly string[], before: readonly string[]): string {
  return `\x1b[2K${'\x1b[1A\x1b[2K'.repeat(Math.max(0, before.length - 1))}\x1b[G${rows.map(coloured).join('\r\n')}`;
}
