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
  let timer: NodeJS.Timeout | null = null;
  /** When the current synchronized update began; null if there is none. */
  let updatingSince: number | null = null;
  let isAsked = false;
  /** True if more output arrived after the frame was requested. */
  let isLate = false;
  let isWaiting = false;
  let isClosed = false;

  function changed(): void {
    if (isAsked) isLate = true;
    if (isAsked || isWaiting || isClosed || timer) return;
    const at = now();
    frames = Math.min(BURST_FRAMES, frames + ((at - countedAt) * FRAMES_PER_SECOND) / 1000);
    countedAt = at;
    if (frames >= 1) ask();
    else later(((1 - frames) * 1000) / FRAMES_PER_SECOND);
  }

  function later(ms: number): void {
    timer = setTimeout(() => {
      timer = null;
      ask();
    }, ms);
  }

  /** Requests a frame that includes everything fed so far. */
  function ask(): void {
    isAsked = true;
    void keeper.settled().then(() =>
      keeper.afterwards(() => {
        isAsked = false;
        if (isClosed) return;
        frame(false);
        if (!isLate) return;
        isLate = false;
        changed();
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
      if (!isWaiting || socket.bufferedAmount > 0) return;
      isWaiting = false;
      changed();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES.frames) isWaiting = true;
  }

  return {
    changed() {
      // During a synchronized update every change is checked, so that its end is painted immediately.
      if (timer && updatingSince !== null) {
        clearTimeout(timer);
        timer = null;
        if (!isAsked) ask();
        return;
      }
      changed();
    },
    fit(next) {
      size = next;
      shown = null;
    },
    end() {
      if (!isClosed) frame(true);
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}
