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

export interface PaintedOutput {
  /** Called when the screen has changed. */
  changed(): void;
  /** Called when the client has a new size and undefined content: the next frame is complete. */
  fit(size: Size): void;
  /** Paints the remaining changes and stops. */
  end(): void;
  close(): void;
}

type Phase =
  | { readonly kind: 'resting' | 'closed' }
  /** A frame is requested when the timer ends. */
  | { readonly kind: 'delayed'; readonly timer: NodeJS.Timeout }
  /** A frame is requested. `isLate`: more output has arrived since. */
  | { readonly kind: 'asked'; readonly isLate: boolean }
  /** The client has not received the last frames. */
  | { readonly kind: 'blocked' };

const RESTING: Phase = { kind: 'resting' };

export function createPaintedOutput(
  socket: TerminalSocket,
  keeper: ScreenKeeper,
  now = () => performance.now(),
): PaintedOutput {
  let size: Size = { cols: keeper.screen.cols, rows: keeper.screen.rows };
  let offset = ORIGIN;
  let shown: Picture | null = null;
  let frames = BURST_FRAMES;
  let countedAt = now();
  let phase: Phase = RESTING;
  /** When the current synchronized update began; null if there is none. */
  let updatingSince: number | null = null;

  function changed(): void {
    if (phase.kind === 'asked') phase = { kind: 'asked', isLate: true };
    if (phase.kind !== 'resting') return;
    const at = now();
    frames = Math.min(BURST_FRAMES, frames + ((at - countedAt) * FRAMES_PER_SECOND) / 1000);
    countedAt = at;
    if (frames >= 1) ask();
    else later(((1 - frames) * 1000) / FRAMES_PER_SECOND);
  }

  function later(ms: number): void {
    const timer = setTimeout(() => {
      if (phase.kind === 'delayed') ask();
    }, ms);
    phase = { kind: 'delayed', timer };
  }

  /** Requests a frame that includes everything fed so far. */
  function ask(): void {
    phase = { kind: 'asked', isLate: false };
    void keeper.settled().then(() =>
      keeper.afterwards(() => {
        const before = phase;
        if (before.kind === 'closed') return;
        if (before.kind === 'asked') phase = RESTING;
        frame(false);
        if (before.kind === 'asked' && before.isLate) changed();
      }),
    );
  }

  function frame(isLast: boolean): void {
    const whole = keeper.screen.picture();
    if (whole.isUpdating && shown && !isLast) {
      updatingSince ??= now();
      const left = updatingSince + UPDATE_MS - now();
      if (left > 0) {
        later(left);
        return;
      }
    } else updatingSince = null;
    offset = follow(offset, whole, size);
    const picture = crop(whole, size, offset);
    const bytes = paint(shown, picture);
    const share = shown === null ? 1 : Math.max(MIN_COUNT, bytes.length / FRAME_BYTES);
    shown = picture;
    if (bytes === '' || socket.readyState !== socket.OPEN) return;
    frames = Math.max(0, frames - Math.min(1, share));
    socket.send(Buffer.from(bytes), () => {
      if (phase.kind !== 'blocked' || socket.bufferedAmount > 0) return;
      phase = RESTING;
      changed();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES.frames && phase.kind === 'resting') phase = { kind: 'blocked' };
  }

  return {
    changed() {
      // During a synchronized update every change is checked, so that its end is painted immediately.
      if (phase.kind === 'delayed' && updatingSince !== null) {
        clearTimeout(phase.timer);
        ask();
      } else changed();
    },
    fit(next) {
      size = next;
      shown = null;
    },
    end() {
      if (phase.kind !== 'closed') frame(true);
    },
    close() {
      if (phase.kind === 'delayed') clearTimeout(phase.timer);
      phase = { kind: 'closed' };
    },
  };
}
