/**
 * A scripted program for tests that keeps a conversation and paints it again and again, in one of the ways that real
 * programs do.
 *
 *     erase      main screen: erases its last frame row by row, upwards, and prints the whole conversation (Ink)
 *     clear      the same, but a frame taller than the screen begins with ED2, ED3 and home (Ink, other versions)
 *     home       main screen: ED2 and home, then the whole conversation
 *     tail       main screen: ED2, ED3 and home, then the last rows that fit
 *     rows       alternate screen: the rows that changed, from top to bottom
 *     upwards    alternate screen: the rows that changed, from bottom to top
 *     shuffled   alternate screen: the rows that changed, in another order each time
 *     region     alternate screen: scrolls a region, and paints the rows that changed
 */
import type { Step } from './scripted-screen.js';

export const WHOLE_WAYS = ['erase', 'clear', 'home'] as const;
export const PARTIAL_WAYS = ['tail', 'rows', 'upwards', 'shuffled', 'region'] as const;
export type Way = (typeof WHOLE_WAYS)[number] | (typeof PARTIAL_WAYS)[number];

export interface RepainterOptions {
  readonly way: Way;
  readonly cols: number;
  readonly rows: number;
  /** True if frames are synchronized updates. Otherwise a look may find old and new rows on the screen in any order. */
  readonly isSynced: boolean;
  /** True if the cursor returns to the composer after each frame. */
  readonly parksCursor: boolean;
  /** Frames are cut into pieces of this many characters. */
  readonly pieceChars: number;
  /**
   * True if the main screen is erased after a resize, before it is painted. Otherwise rows that the terminal has
   * wrapped again stay above the next frame (Ink).
   */
  readonly erasesFirst?: boolean;
}

const BANNER = [
  'Agent v2.1',
  'Tips for getting started:',
  '1. Type a task. Enter sends it.',
  '2. /help tells more.',
  '3. Ask questions, or let the agent edit files.',
];
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼'];

export class Repainter {
  readonly steps: (Step & { readonly isWithinFrame?: boolean })[] = [];
  readonly #way: Way;
  readonly #isSynced: boolean;
  readonly #parksCursor: boolean;
  readonly #pieceChars: number;
  readonly #erasesFirst: boolean;
  #cols: number;
  #rows: number;
  /** The conversation's paragraphs. They are wrapped when they are painted. */
  readonly #lines: string[] = [];
  #isWorking = false;
  #frames = 0;
  /** Number of rows of the last frame, and the content of the alternate screen. */
  #height = 0;
  #shown: string[] = [];

  constructor({ way, cols, rows, isSynced, parksCursor, pieceChars, erasesFirst = true }: RepainterOptions) {
    this.#way = way;
    this.#cols = cols;
    this.#rows = rows;
    this.#isSynced = isSynced;
    this.#parksCursor = parksCursor;
    this.#pieceChars = pieceChars;
    this.#erasesFirst = erasesFirst || this.#isAlternate;
    if (this.#isAlternate) this.steps.push({ kind: 'o', data: '\x1b[?1049h\x1b[2J\x1b[H' });
    this.#lines.push(...BANNER);
    this.#paint();
  }

  get #isAlternate(): boolean {
    return ['rows', 'upwards', 'shuffled', 'region'].includes(this.#way);
  }

  submit(text: string): void {
    this.steps.push({ kind: 'i', data: `${text}\r` });
    this.#lines.push('', `❯ ${text}`, '');
    this.#isWorking = true;
    this.#paint();
  }

  /**
   * Prints the agent's words, a number of lines with each frame. Then the agent is idle.
   *
   * @param sizes The sizes that the terminal gets meanwhile, one after each frame.
   */
  say(text: string, linesAtOnce: number, sizes: readonly (readonly [cols: number, rows: number])[] = []): void {
    const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
    // Lines that are never on the screen cannot be found. A line takes up to three rows.
    const isCut = this.#isAlternate || this.#way === 'tail';
    const fewest = Math.min(this.#rows, ...sizes.map(([, rows]) => rows));
    const room = isCut ? Math.max(1, Math.floor((fewest - 8) / 6)) : linesAtOnce;
    const step = Math.min(linesAtOnce, room);
    const next = sizes[Symbol.iterator]();
    for (let at = 0; at < lines.length; at += step) {
      this.#lines.push(...lines.slice(at, at + step));
      this.#paint();
      const size = next.next();
      if (!size.done) this.resize(...size.value);
    }
    for (const size of next) this.resize(...size);
    this.#isWorking = false;
    this.#paint();
  }

  resize(cols: number, rows: number): void {
    this.steps.push({ kind: 'r', cols, rows });
    this.#cols = cols;
    this.#rows = rows;
    this.#shown = [];
    if (!this.#erasesFirst) {
      this.#paint();
      return;
    }
    this.#frame(this.#isAlternate ? '\x1b[2J' : '\x1b[2J\x1b[3J\x1b[H');
    this.#height = 0;
    this.#paint();
  }

  /**
   * Handles a submitted `/clear`: paints the conversation once more, with the command below it, and then begins again
   * below the banner.
   */
  empty(): void {
    this.steps.push({ kind: 'i', data: '/clear\r' });
    this.#lines.push('', '❯ /clear', '');
    this.#paint();
    this.#lines.splice(0, this.#lines.length, ...BANNER);
    if (!this.#isAlternate) {
      this.#frame('\x1b[2J\x1b[3J\x1b[H');
      this.#height = 0;
    }
    this.#paint();
  }

  /** Handles a submitted `/clear` like a program that does not know it. */
  ignoreClear(): void {
    this.steps.push({ kind: 'i', data: '/clear\r' });
    this.#lines.push('', '❯ /clear', '', '  Unknown command: /clear', '');
    this.#paint();
  }

  /** Paints the same frame once more. */
  again(): void {
    this.#paint();
  }

  #paint(): void {
    this.#frames++;
    const composer = ['─'.repeat(Math.min(30, this.#cols)), '❯ ', '  ? for help'];
    const status = this.#isWorking
      ? ['', `${SPINNER[this.#frames % SPINNER.length] ?? ''} Working… (${this.#frames}s)`]
      : [];
    const below = [...status, '', ...composer];
    const conversation = this.#lines.flatMap((line) => wrap(line, this.#cols - 1));
    if (this.#isAlternate) this.#paintScreen(conversation, below);
    else this.#paintMain([...conversation, ...below], below.length);
  }

  #paintMain(frame: readonly string[], below: number): void {
    const isTall = frame.length >= this.#rows || this.#height >= this.#rows;
    const up = `\x1b[2K${'\x1b[1A\x1b[2K'.repeat(Math.max(0, this.#height - 1))}\x1b[G`;
    const whole = frame.join('\r\n');
    this.#height = frame.length;
    if (this.#way === 'erase' || (this.#way === 'clear' && !isTall)) this.#frame(`${up}${whole}`);
    else if (this.#way === 'clear') this.#frame(`\x1b[2J\x1b[3J\x1b[H${whole}`);
    else if (this.#way === 'home') this.#frame(`\x1b[2J\x1b[H${whole}`);
    else this.#frame(`\x1b[2J\x1b[3J\x1b[H${frame.slice(-Math.max(this.#rows, below)).join('\r\n')}`);
  }

  #paintScreen(conversation: readonly string[], below: readonly string[]): void {
    const room = this.#rows - below.length;
    const visible = conversation.slice(-room);
    while (visible.length < room) visible.push('');
    const next = [...visible, ...below];
    let text = '';
    if (this.#way === 'region') {
      const by = this.#scrolledBy(next, room);
      if (by > 0) {
        text += `\x1b[1;${room}r\x1b[${room};1H${'\n'.repeat(by)}\x1b[r`;
        this.#shown.splice(0, by);
        this.#shown.splice(room - by, 0, ...new Array<string>(by).fill(''));
      }
    }
    const changed = next.flatMap((row, y) => (this.#shown[y] === row ? [] : [y]));
    const order = (y: number): number => (((y + this.#frames) * 7919) % 8191) % 31;
    if (this.#way === 'upwards') changed.reverse();
    if (this.#way === 'shuffled') changed.sort((one, other) => order(one) - order(other));
    for (const y of changed) text += `\x1b[${y + 1};1H\x1b[2K${next[y] ?? ''}`;
    this.#shown = next;
    this.#frame(this.#parksCursor ? `${text}\x1b[${this.#rows - 1};3H` : text);
  }

  #scrolledBy(next: readonly string[], room: number): number {
    for (let by = 1; by < room; by++) {
      if (this.#shown.slice(by, room).every((row, y) => row === next[y] || row === ''))
        return this.#shown.length > 0 ? by : 0;
    }
    return 0;
  }

  #frame(text: string): void {
    const data = this.#isSynced ? `\x1b[?2026h${text}\x1b[?2026l` : text;
    const characters = Array.from(data);
    for (let at = 0; at < characters.length; at += this.#pieceChars) {
      const piece = characters.slice(at, at + this.#pieceChars).join('');
      this.steps.push({ kind: 'o', data: piece, isWithinFrame: at > 0 });
    }
  }
}

/** As programs wrap: at blanks, the indent kept; a word that fits no row is cut. */
function wrap(line: string, cols: number): string[] {
  const indent = /^(?:❯ )?\s*/.exec(line)?.[0].replace('❯', ' ') ?? '';
  const rows: string[] = [];
  let rest = line;
  while (rest.length > cols) {
    const blank = rest.lastIndexOf(' ', cols);
    const at = blank > indent.length ? blank : cols;
    rows.push(rest.slice(0, at));
    rest = indent + rest.slice(at).trimStart();
  }
  return [...rows, rest];
}
