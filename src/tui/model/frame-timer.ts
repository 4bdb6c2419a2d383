/**
 * Decides when the TUI is drawn: 20 frames a second, fewer if drawing is slow. Drawing takes at most about a fourth of
 * the time.
 *
 * In:   requests to draw everything, or only the screen of the session.
 * Out:  calls of `draw` and `drawView`.
 */
import { SCREEN_FRAME_MS } from '../../protocol/index.js';

const REST_FACTOR = 4;
/** Maximum pause between frames. The first frames are slow, because the code is not compiled yet. */
const MAX_REST_MS = 200;

interface FrameTimerOptions {
  readonly now: () => number;
  readonly draw: () => void;
  /** Draws only the screen of the session. */
  readonly drawView: () => void;
}

export class FrameTimer {
  readonly #options: FrameTimerOptions;
  #timer: NodeJS.Timeout | undefined;
  #viewTimer: NodeJS.Timeout | undefined;
  #lastFrame = 0;
  #nextFrame = 0;

  constructor(options: FrameTimerOptions) {
    this.#options = options;
  }

  /** Draws at the time of the next frame, or immediately. */
  request(isUrgent: boolean): void {
    if (isUrgent) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), this.#waitMs());
  }

  requestView(): void {
    if (this.#timer === undefined) this.#viewTimer ??= setTimeout(() => this.#drawView(), this.#waitMs());
  }

  /** Called after a frame was drawn. The next one waits longer if this one was slow. */
  drawn(): void {
    const restMs = Math.min(MAX_REST_MS, REST_FACTOR * (this.#options.now() - this.#lastFrame));
    this.#nextFrame = Math.max(this.#nextFrame, this.#lastFrame + restMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#viewTimer); // a frame includes what this timer would draw
    this.#timer = undefined;
    this.#viewTimer = undefined;
  }

  #draw(): void {
    this.close();
    this.#lastFrame = this.#options.now();
    this.#nextFrame = this.#lastFrame + SCREEN_FRAME_MS;
    this.#options.draw();
  }

  #drawView(): void {
    this.#viewTimer = undefined;
    this.#nextFrame = this.#options.now() + SCREEN_FRAME_MS;
    this.#options.drawView();
  }

  #waitMs(): number {
    return Math.max(0, this.#nextFrame - this.#options.now());
  }
}
