/**
 * Painted output: sends what changed on the screen, cropped or padded to the client's size, for clients of any size and
 * speed.
 *
 * A single change is painted immediately. While changes follow each other, the rate decreases to FRAMES_PER_SECOND if
 * much of the screen changes. A client that has not received the last frames gets the newest screen after its queue has
 * drained; frames in between are skipped.
 */

import type { Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { crop, follow, ORIGIN, type Picture, paint } from '../../terminal/index.js';
import { MAX_QUEUED_BYTES, type TerminalSocket } from './socket.js';

const FRAMES_PER_SECOND = 40;
/** Number of frames painted immediately before the rate is limited, so that a key and its effects are not delayed. */
const BURST_FRAMES = 8;
/** A smaller frame, such as an echo or a spinner, costs less of the budget. */
const FRAME_BYTES = 2_048;
const MIN_COUNT = 0.1;
/** An update that a program begins but does not end is painted after this time. */
const UPDATE_MS = 150;

type Phase =
  | { readonly kind: 'resting' | 'closed' }
  /** A frame is requested when the timer ends. */
  | { readonly kind: 'delayed'; readonly timer: NodeJS.Timeout }
  /** A frame is requested. `isLate`: more output has arrived since. */
  | { readonly kind: 'asked'; readonly isLate: boolean }
  /** The client has not received the last frames. */
  | { readonly kind: 'blocked' };

const RESTING: Phase = { kind: 'resting' };

export class PaintedOutput {
  readonly #socket: TerminalSocket;
  readonly #keeper: ScreenKeeper;
  readonly #now: () => number;
  #phase: Phase = RESTING;
  #size: Size;
  #offset = ORIGIN;
  /** What the client shows; null if that is not known. */
  #shown: Picture | null = null;
  /** Number of frames that may be painted immediately. */
  #frames = BURST_FRAMES;
  #countedAt: number;
  /** When the current synchronized update began; null if there is none. */
  #updatingSince: number | null = null;

  constructor(socket: TerminalSocket, keeper: ScreenKeeper, now = () => performance.now()) {
    this.#socket = socket;
    this.#keeper = keeper;
    this.#now = now;
    this.#size = { cols: keeper.screen.cols, rows: keeper.screen.rows };
    this.#countedAt = now();
  }

  /** Called when the screen has changed. */
  changed(): void {
    // During a synchronized update every change is checked, so that its end is painted immediately.
    if (this.#phase.kind === 'delayed' && this.#updatingSince !== null) {
      clearTimeout(this.#phase.timer);
      this.#ask();
    } else this.#changed();
  }

  /** Called when the client has a new size and undefined content: the next frame is complete. */
  fit(size: Size): void {
    this.#size = size;
    this.#shown = null;
  }

  /** Paints the remaining changes and stops. */
  end(): void {
    if (this.#phase.kind !== 'closed') this.#frame(true);
  }

  close(): void {
    if (this.#phase.kind === 'delayed') clearTimeout(this.#phase.timer);
    this.#phase = { kind: 'closed' };
  }

  #changed(): void {
    if (this.#phase.kind === 'asked') this.#phase = { kind: 'asked', isLate: true };
    if (this.#phase.kind !== 'resting') return;
    const at = this.#now();
    this.#frames = Math.min(BURST_FRAMES, this.#frames + ((at - this.#countedAt) * FRAMES_PER_SECOND) / 1000);
    this.#countedAt = at;
    if (this.#frames >= 1) this.#ask();
    else this.#delay(((1 - this.#frames) * 1000) / FRAMES_PER_SECOND);
  }

  #delay(ms: number): void {
    const timer = setTimeout(() => {
      if (this.#phase.kind === 'delayed') this.#ask();
    }, ms);
    this.#phase = { kind: 'delayed', timer };
  }

  /** Requests a frame that includes everything fed so far. */
  #ask(): void {
    const keeper = this.#keeper;
    this.#phase = { kind: 'asked', isLate: false };
    void keeper.settled().then(() =>
      keeper.afterwards(() => {
        const before = this.#phase;
        if (before.kind === 'closed') return;
        if (before.kind === 'asked') this.#phase = RESTING;
        this.#frame(false);
        if (before.kind === 'asked' && before.isLate) this.#changed();
      }),
    );
  }

  #frame(isLast: boolean): void {
    const whole = this.#keeper.screen.picture();
    if (whole.isUpdating && this.#shown && !isLast) {
      const now = this.#now();
      this.#updatingSince ??= now;
      const left = this.#updatingSince + UPDATE_MS - now;
      if (left > 0) {
        this.#delay(left);
        return;
      }
    } else this.#updatingSince = null;
    this.#offset = follow(this.#offset, whole, this.#size);
    const picture = crop(whole, this.#size, this.#offset);
    const bytes = paint(this.#shown, picture);
    const share = this.#shown === null ? 1 : Math.max(MIN_COUNT, bytes.length / FRAME_BYTES);
    this.#shown = picture;
    if (bytes !== '' && this.#socket.readyState === this.#socket.OPEN) this.#send(bytes, share);
  }

  /** @param share  The part of a frame that the bytes cost. */
  #send(bytes: string, share: number): void {
    const socket = this.#socket;
    this.#frames = Math.max(0, this.#frames - Math.min(1, share));
    socket.send(Buffer.from(bytes), () => {
      if (this.#phase.kind !== 'blocked' || socket.bufferedAmount > 0) return;
      this.#phase = RESTING;
      this.#changed();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES.frames && this.#phase.kind === 'resting')
      this.#phase = { kind: 'blocked' };
  }
}
