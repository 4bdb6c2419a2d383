/**
 * Recording: the terminal of a recording at each moment, to be played forwards and backwards.
 *
 * In:   frames in order (`add`), then moments (`seek`).
 * Out:  the screen at that moment. Terminal queries in old output get no answer.
 *
 * A screen is kept for every KEEP_BYTES. Going back starts at the newest one before the moment, so it takes little
 * longer than going forwards. Long pauses can be shortened. A moment then has two times: in the recording, and in its
 * playback.
 */
import { createOutputRest } from '../../protocol/index.js';
import { Screen } from '../../terminal/index.js';

type Frame =
  | { readonly timeMs: number; readonly kind: 'out'; readonly bytes: Uint8Array }
  | { readonly timeMs: number; readonly kind: 'resize'; readonly cols: number; readonly rows: number };

interface Size {
  readonly cols: number;
  readonly rows: number;
}
/** A stored screen that contains everything before a frame. */
interface Kept extends Size {
  readonly frame: number;
  readonly snapshot: string;
}

const KEEP_BYTES = 1024 * 1024;
/** Lines of scrollback, which become visible again when a screen grows. */
const SCROLLBACK_LINES = 1000;
const NOTHING = new Uint8Array(0);

/** Plays one recording. */
export class Recording {
  readonly #size: Size;
  readonly #maxIdleMs: number;
  readonly #frames: Frame[] = [];
  /** The playback time of each frame. */
  readonly #playMs: number[] = [];
  readonly #kept: Kept[] = [];
  #screen: Screen;
  /** Number of frames on the screen. */
  #shown = 0;
  #sinceKept = 0;
  #rest = createOutputRest();

  /** @param maxIdleMs  Maximum length of a pause in the playback. */
  constructor(size: Size, { maxIdleMs = Number.POSITIVE_INFINITY } = {}) {
    this.#size = size;
    this.#maxIdleMs = maxIdleMs;
    this.#screen = open(size);
  }

  /** The screen at the moment of the last `seek`. */
  get screen(): Screen {
    return this.#screen;
  }

  /** The length of the playback. */
  get durationMs(): number {
    return this.#playMs.at(-1) ?? 0;
  }

  add(frame: Frame): void {
    const before = this.#frames.at(-1)?.timeMs ?? 0;
    const idle = Math.min(Math.max(0, frame.timeMs - before), this.#maxIdleMs);
    this.#playMs.push(this.durationMs + idle);
    this.#frames.push(frame);
  }

  /** The time of the recording's last frame. */
  get endMs(): number {
    return this.#frames.at(-1)?.timeMs ?? 0;
  }

  /** Returns the playback time of a moment of the recording. */
  playTime(timeMs: number): number {
    const next = this.#frames.findIndex((frame) => frame.timeMs > timeMs);
    const at = next === -1 ? this.#frames.length - 1 : next - 1;
    const frame = this.#frames[at];
    if (!frame) return Math.min(timeMs, this.durationMs);
    const start = this.#playMs[at] ?? 0;
    // The result is before the next frame, however much the pause before that frame is shortened.
    const end = Math.max(start, (this.#playMs[at + 1] ?? start) - 1);
    return Math.min(start + (timeMs - frame.timeMs), end);
  }

  /** Shows the screen at a time: every frame up to it, and none after it. */
  async seek(playMs: number): Promise<void> {
    let end = this.#shown;
    while (end < this.#frames.length && (this.#playMs[end] ?? 0) <= playMs) end++;
    while (end > 0 && (this.#playMs[end - 1] ?? 0) > playMs) end--;
    if (end < this.#shown) this.#goBack(end);
    let pending = 0;
    while (this.#shown < end) {
      const frame = this.#frames[this.#shown++];
      if (frame?.kind === 'resize') this.#screen.resize(frame.cols, frame.rows);
      else if (frame) {
        this.#screen.feed(frame.bytes, () => {});
        pending += frame.bytes.length;
        this.#sinceKept += frame.bytes.length;
        this.#rest.take(frame.bytes);
        if (pending < KEEP_BYTES) continue;
        pending = 0;
        await this.#settled();
        if (this.#rest.isAtRest) this.#keep();
      }
    }
    await this.#settled();
  }

  close(): void {
    this.#screen.dispose();
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#screen.feed(NOTHING, resolve));
  }

  #keep(): void {
    if (this.#sinceKept < KEEP_BYTES) return;
    this.#sinceKept = 0;
    if (this.#shown <= (this.#kept.at(-1)?.frame ?? 0)) return; // it was here before
    const { cols, rows } = this.#screen;
    this.#kept.push({ frame: this.#shown, cols, rows, snapshot: this.#screen.snapshot(SCROLLBACK_LINES) });
  }

  #goBack(end: number): void {
    const kept = this.#kept.findLast(({ frame }) => frame <= end);
    this.#screen.dispose();
    this.#screen = open(kept ?? this.#size);
    this.#shown = kept?.frame ?? 0;
    this.#sinceKept = 0;
    this.#rest = createOutputRest();
  }
}

const open = (size: Size & { readonly snapshot?: string }): Screen =>
  new Screen({
    cols: size.cols,
    rows: size.rows,
    scrollbackLines: SCROLLBACK_LINES,
    ...(size.snapshot !== undefined && { snapshot: size.snapshot }),
  });
