/**
 * Plays a recording in the person's terminal.
 *
 * In:   keys: space, arrows, + and -, Home and End, i, q.
 * Out:  the recording's screen, painted cell by cell from a separate emulator. No recorded sequence reaches the
 *       terminal, so none can query it, write its clipboard or change its modes. The last row shows the position until
 *       `i` hides it.
 * A recording that is larger than the terminal is cropped to its left columns and to the rows around the cursor or the
 * last used row. The terminal is always restored at the end.
 */
import type { Recording } from '../../session/index.js';
import { cropRow, firstRow } from '../../tui/paint/ansi-row.js';
import { FrameWriter } from '../../tui/paint/frame-writer.js';
import { ENTER_TUI, LEAVE_TUI, whenOver } from '../../tui/paint/terminal-reset.js';
import { cut, plainLine, widthOf } from '../../tui/paint/text.js';

interface PlayOptions {
  readonly recording: Recording;
  readonly title: string;
  readonly speed: number;
  /** The moment at which to start paused; null to play from the beginning. */
  readonly at: number | null;
  readonly hasColour: boolean;
  readonly signal: AbortSignal;
}

const FRAME_MS = 33;
const STEP_MS = 5_000;
const LONG_STEP_MS = 60_000;
const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16, 32, 64];
const KEY = /\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\s\S]/g;
/** The longest text that fits is shown. */
const HELPS = ['space rests · ←→ 5 s · ↑↓ 1 min · +- speed · i hides this · q quits', 'space ←→ + - q', ''];

/** Resolves when the person quits; without a keyboard, at the end of the recording. */
export async function play(options: PlayOptions): Promise<void> {
  const { stdin, stdout } = process;
  const player = new Player(options, stdout);
  stdout.write(ENTER_TUI);
  stdin.setRawMode?.(true);
  const onInput = (chunk: Buffer): void => {
    for (const [key] of chunk.toString('utf8').matchAll(KEY)) player.press(key);
  };
  const onResize = (): void => player.repaint();
  const onAbort = (): void => player.press('q');
  stdin.on('data', onInput);
  if (stdin.isTTY) stdin.on('end', onAbort);
  stdout.on('resize', onResize);
  options.signal.addEventListener('abort', onAbort);
  const leave = whenOver(() => {
    player.close();
    stdin.off('data', onInput);
    stdin.off('end', onAbort);
    stdin.pause();
    stdin.setRawMode?.(false);
    stdout.off('resize', onResize);
    stdout.write(LEAVE_TUI);
  });
  try {
    await player.run(stdin.isTTY);
  } finally {
    leave();
  }
}

class Player {
  readonly #options: PlayOptions;
  readonly #stdout: NodeJS.WriteStream;
  readonly #writer: FrameWriter;
  #isResting: boolean;
  #isOver = false;
  #hasStatus = true;
  #speed: number;
  #playMs: number;
  #wake: () => void = () => {};

  constructor(options: PlayOptions, stdout: NodeJS.WriteStream) {
    this.#options = options;
    this.#stdout = stdout;
    this.#writer = new FrameWriter(stdout);
    this.#isResting = options.at !== null;
    this.#playMs = options.at ?? 0;
    this.#speed = options.speed;
  }

  async run(hasKeyboard: boolean): Promise<void> {
    const { recording } = this.#options;
    while (!this.#isOver) {
      await recording.seek(this.#playMs);
      this.#paint();
      const before = performance.now();
      const isAtEnd = this.#playMs >= recording.durationMs;
      if (isAtEnd && !hasKeyboard) return;
      const isMoving = !this.#isResting && !isAtEnd;
      await this.#rest(isMoving ? FRAME_MS : null);
      if (isMoving && !this.#isResting) this.#move((performance.now() - before) * this.#speed);
    }
  }

  press(key: string): void {
    const { durationMs } = this.#options.recording;
    if (key === 'q' || key === '\x03') this.#isOver = true;
    else if (key === ' ' && this.#playMs >= durationMs) {
      this.#playMs = 0; // plays again from the beginning
      this.#isResting = false;
    } else if (key === ' ') this.#isResting = !this.#isResting;
    else if (key === 'i') this.#hasStatus = !this.#hasStatus;
    else if (key === '+' || key === '=') this.#speed = SPEEDS.find((speed) => speed > this.#speed) ?? this.#speed;
    else if (key === '-') this.#speed = SPEEDS.findLast((speed) => speed < this.#speed) ?? this.#speed;
    else if (/^\x1b[[O]C$/.test(key)) this.#move(STEP_MS);
    else if (/^\x1b[[O]D$/.test(key)) this.#move(-STEP_MS);
    else if (/^\x1b[[O]A$/.test(key)) this.#move(LONG_STEP_MS);
    else if (/^\x1b[[O]B$/.test(key)) this.#move(-LONG_STEP_MS);
    else if (/^\x1b(?:[[O]H|\[[17]~)$/.test(key)) this.#move(Number.NEGATIVE_INFINITY);
    else if (/^\x1b(?:[[O]F|\[[48]~)$/.test(key)) this.#move(Number.POSITIVE_INFINITY);
    else return;
    this.#wake();
  }

  repaint(): void {
    this.#writer.repaint();
    this.#wake();
  }

  close(): void {
    this.#isOver = true;
    this.#writer.close();
    this.#wake();
  }

  #move(byMs: number): void {
    this.#playMs = Math.min(Math.max(0, this.#playMs + byMs), this.#options.recording.durationMs);
  }

  /** Waits for a key, at most `ms`. */
  #rest(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#isOver) this.#wake();
    });
  }

  #paint(): void {
    const { screen } = this.#options.recording;
    const { hasColour } = this.#options;
    const columns = this.#stdout.columns || 80;
    const height = Math.max(1, (this.#stdout.rows || 24) - (this.#hasStatus ? 1 : 0));
    const { cursor } = screen;
    const all = screen.look({ ansi: true });
    const first = all.length > height ? firstRow(all, cursor, height) : 0;
    const rows = all.slice(first, first + height).map((row, y) => {
      const cursorX = cursor.visible && cursor.y === first + y ? cursor.x : undefined;
      return cropRow(row, { columns: Math.min(columns, screen.cols), cursorX, hasColour });
    });
    while (rows.length < height) rows.push('');
    const status = this.#hasStatus ? [this.#statusRow(columns, height)] : [];
    this.#writer.stream.write([...rows, ...status].join('\n'));
  }

  #statusRow(columns: number, height: number): string {
    const { recording, title } = this.#options;
    const { cols, rows } = recording.screen;
    const isAtEnd = this.#playMs >= recording.durationMs;
    const how = isAtEnd ? 'end' : this.#isResting ? 'rests' : 'plays';
    const isCut = cols > columns || rows > height;
    const size = isCut
      ? `${cols}x${rows}, cut to ${Math.min(cols, columns)}x${Math.min(rows, height)}`
      : `${cols}x${rows}`;
    const place = `${clock(this.#playMs)}/${clock(recording.durationMs)}`;
    const left = ` ${how} ${place} ${this.#speed}x  ${plainLine(title)} ${size}`;
    const room = columns - widthOf(left) - 3;
    const help = HELPS.find((words) => widthOf(words) <= room) ?? '';
    const text = room >= 0 ? `${left}${' '.repeat(room - widthOf(help) + 2)}${help} ` : cut(left, columns);
    return `\x1b[7m${text}${' '.repeat(Math.max(0, columns - widthOf(text)))}\x1b[0m`;
  }
}

/** Returns, for example, `1:02` or `1:02:03`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [, ...rest] = parts[0] === 0 ? parts : [0, ...parts];
  return rest.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
