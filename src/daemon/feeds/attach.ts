/**
 * What an attached terminal is sent: the screen, then output as it comes. Raw bytes when it has the session's own size, painted (see
 * painted.ts) when it has another, or wants to be; when a size changes, the one becomes the other.
 *
 * Queries and clipboard access are taken out in both; what a program wants to write to the clipboard is told beside the stream.
 */
import type { Size } from '../../protocol/index.js';
import { createOutputFilter } from '../../terminal/index.js';
import { type Feed, type FeedPorts, isSameSize, sendControl, sendExit } from './feed.js';
import { createPaintedOutput, type PaintedOutput } from './painted.js';
import { createRawOutput } from './raw.js';

/** Lines above the screen that a client is given to scroll back to, once. */
const SNAPSHOT_SCROLLBACK = 1_000;
const TO_ALTERNATE = '\x1b[?1049h';

export function createAttachFeed({ socket, entry, keeper, isPainted, ...ports }: FeedPorts): Feed {
  let { size } = ports;
  let scrollback = SNAPSHOT_SCROLLBACK;
  let painted: PaintedOutput | null = null;
  /** Raw output that came while the snapshot is being made; null at all other times. */
  let held: Buffer[] | null = null;
  /** The sizes have changed since the beginning was asked for. */
  let isStale = false;
  const filter = createOutputFilter((data) => sendControl(socket, { type: 'clipboard', data }));
  const raw = createRawOutput(socket, () => begin());

  const isRawAt = (session: Size): boolean => !isPainted && (size === null || isSameSize(size, session));
  const sizeNow = (): Size => ({ cols: keeper.screen.cols, rows: keeper.screen.rows });

  /** The screen anew, raw or painted as it must be now. */
  function begin(): void {
    if (held) {
      isStale = true;
      return;
    }
    held = [];
    isStale = false;
    // In the emulator's own order: what is fed from now on is not in the snapshot, and is held.
    keeper.afterwards(() => {
      const waiting = held ?? [];
      held = null;
      if (isStale) return begin();
      const now = sizeNow();
      sendControl(socket, { type: 'size', ...now });
      if (isRawAt(now)) {
        painted?.close();
        painted = null;
        raw.begin(keeper.screen.snapshot(scrollback));
        scrollback = 0;
        for (const bytes of waiting) raw.send(bytes);
        return;
      }
      // A client that is painted at every size is on the alternate screen by itself.
      if (!painted && !isPainted) raw.send(Buffer.from(TO_ALTERNATE));
      painted ??= createPaintedOutput(socket, keeper);
      painted.fit(size ?? now);
      painted.changed();
    });
  }

  begin();
  return {
    take(record) {
      if (record.kind === 'resize') {
        const now = { cols: record.cols, rows: record.rows };
        if (held || !painted !== isRawAt(now)) begin();
        else sendControl(socket, { type: 'size', ...now });
        if (size === null) painted?.fit(now);
        painted?.changed();
      }
      if (record.kind !== 'out') return;
      const bytes = filter(Buffer.from(record.bytes)); // a copy: the socket may keep it
      if (held) held.push(bytes);
      else if (painted) painted.changed();
      else if (!raw.isBehind) raw.send(bytes);
    },
    fit(next, isFollowed) {
      size = next;
      painted?.fit(next);
      if (!isFollowed) begin();
    },
    repaint: begin,
    async end() {
      if (raw.isBehind) begin();
      do await keeper.settled();
      while (held);
      painted?.end();
      sendExit(socket, entry);
    },
    close: () => painted?.close(),
  };
}
