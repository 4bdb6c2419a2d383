/**
 * Painted output: what changed on the screen, cut or filled to the client's size, for any client at any speed.
 *
 * A change is painted at once. While changes follow one another the painting slows down, to FRAMES_PER_SECOND where much of the screen
 * changes, and a client that has not taken the last ones waits for its queue to drain: then it is shown the newest screen, and what was
 * between is left out.
 */
import type { WebSocket } from 'ws';
import type { Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { crop, follow, ORIGIN, type Picture, paint } from '../../terminal/index.js';

const FRAMES_PER_SECOND = 40;
/** So many are painted at once before the pace counts: a key and what follows it are not held up. */
const BURST_FRAMES = 8;
/** A frame of fewer bytes counts for less: an echo, a spinner. */
const FRAME_BYTES = 2_048;
const LEAST_COUNT = 0.1;
const MAX_QUEUED_BYTES = 64 * 1024;
/** A program that begins an update and does not end it is shown all the same. */
const UPDATE_MS = 150;

export interface PaintedOutput {
  /** Something changed on the screen. */
  changed(): void;
  /** The client has this size, and whatever on its terminal: the next painting is a whole one. */
  fit(size: Size): void;
  /** Paints what is left, and nothing after it. */
  end(): void;
  close(): void;
}

export function createPaintedOutput(socket: WebSocket, keeper: ScreenKeeper): PaintedOutput {
  let size: Size = { cols: keeper.screen.cols, rows: keeper.screen.rows };
  let offset = ORIGIN;
  let shown: Picture | null = null;
  let frames = BURST_FRAMES;
  let countedAt = Date.now();
  let timer: NodeJS.Timeout | null = null;
  /** When the update began that is not over yet. */
  let updatingSince: number | null = null;
  let isAsked = false;
  /** More came since the frame was asked for. */
  let isLate = false;
  let isWaiting = false;
  let isClosed = false;

  function changed(): void {
    if (isAsked) isLate = true;
    if (isAsked || isWaiting || isClosed || timer) return;
    const now = Date.now();
    frames = Math.min(BURST_FRAMES, frames + ((now - countedAt) * FRAMES_PER_SECOND) / 1000);
    countedAt = now;
    if (frames >= 1) ask();
    else later(((1 - frames) * 1000) / FRAMES_PER_SECOND);
  }

  function later(ms: number): void {
    timer = setTimeout(() => {
      timer = null;
      ask();
    }, ms);
  }

  /** What was taken until now is to be seen in the frame. */
  function ask(): void {
    isAsked = true;
    keeper.afterwards(() => {
      isAsked = false;
      if (isClosed) return;
      frame(false);
      if (!isLate) return;
      isLate = false;
      changed();
    });
  }

  function frame(isLast: boolean): void {
    const whole = keeper.screen.picture();
    if (whole.isUpdating && shown && !isLast) {
      updatingSince ??= Date.now();
      const left = updatingSince + UPDATE_MS - Date.now();
      if (left > 0) {
        later(left);
        return;
      }
    } else updatingSince = null;
    offset = follow(offset, whole, size);
    const picture = crop(whole, size, offset);
    const bytes = paint(shown, picture);
    shown = picture;
    if (bytes === '' || socket.readyState !== socket.OPEN) return;
    frames = Math.max(0, frames - Math.min(1, Math.max(LEAST_COUNT, bytes.length / FRAME_BYTES)));
    socket.send(Buffer.from(bytes), () => {
      if (!isWaiting || socket.bufferedAmount > 0) return;
      isWaiting = false;
      changed();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) isWaiting = true;
  }

  return {
    changed() {
      // An update that is under way is looked at with every change: the one that ends it is shown at once.
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
