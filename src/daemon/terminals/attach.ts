/**
 * The feed of an attached terminal: the screen, then output as it arrives. The output is raw if the terminal has the
 * session's size, otherwise painted (see painted.ts), or if the client wants it painted. When a size changes, the feed
 * switches between both.
 *
 * Queries and clipboard access are removed in both. Clipboard writes are reported as a control message.
 */
import type { Size } from '../../protocol/index.js';
import { createOutputFilter } from '../../terminal/index.js';
import { type Feed, type FeedPorts, isSameSize, sendControl, sendExit } from './feed.js';
import { PaintedOutput } from './painted.js';
import { createRawOutput } from './raw.js';

/** Number of scrollback lines that a client gets once, at the start. */
const SNAPSHOT_SCROLLBACK = 1_000;
const TO_ALTERNATE = '\x1b[?1049h';

export function createAttachFeed({ socket, entry, keeper, isPainted, ...ports }: FeedPorts): Feed {
  let { size } = ports;
  let scrollback = SNAPSHOT_SCROLLBACK;
  let painted: PaintedOutput | null = null;
  /** Raw output that arrives while the snapshot is being made; otherwise null. */
  let held: Buffer[] | null = null;
  /** True if a size has changed since the snapshot was requested. */
  let isStale = false;
  const filter = createOutputFilter((data) => sendControl(socket, { type: 'clipboard', data }));
  const raw = createRawOutput(socket, () => begin());

  const isRawAt = (session: Size): boolean => !isPainted && (size === null || isSameSize(size, session));
  const sizeNow = (): Size => ({ cols: keeper.screen.cols, rows: keeper.screen.rows });

  /** Sends the whole screen again, raw or painted as the sizes require. */
  function begin(): void {
    if (held) {
      isStale = true;
      return;
    }
    held = [];
    isStale = false;
    // This runs in the emulator's queue. Output that is fed later is not in the snapshot, so it is held back.
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
      // A client that is always painted switches to the alternate screen itself.
      if (!painted && !isPainted) raw.send(Buffer.from(TO_ALTERNATE));
      painted ??= new PaintedOutput(socket, keeper);
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
      const bytes = filter(Buffer.from(record.bytes)); // copied, because the socket may keep it
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
