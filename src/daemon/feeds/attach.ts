/** What an attached terminal is sent: the screen, then output as it comes; the screen anew when it fell behind. */
import { createQueryFilter } from '../../terminal/index.js';
import { type Feed, type FeedPorts, sendControl, sendExit } from './feed.js';

/** Above this the client is behind; it gets the screen when its queue has drained, but for as little as this. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const DRAINED_BYTES = 4 * 1024;
/** Lines above the screen that a client is given to scroll back to. */
const SNAPSHOT_SCROLLBACK = 1_000;
/** Soft reset, main screen, cleared: what a snapshot starts from. */
const CLEAN = '\x1b[!p\x1b[?1049l\x1b[0m\x1b[H\x1b[2J';

export function createAttachFeed({ socket, entry, keeper }: FeedPorts): Feed {
  let filter = createQueryFilter();
  /** Output that came while the snapshot is being made; null while output goes straight out. */
  let held: Buffer[] | null = null;
  let isBehind = false;

  function sendScreen(scrollback: number): void {
    held = [];
    filter = createQueryFilter();
    // In the emulator's own order: what is fed from now on is not in the snapshot, and is held.
    keeper.afterwards(() => {
      const { cols, rows } = keeper.screen;
      sendControl(socket, { type: 'size', cols, rows });
      send(Buffer.from(CLEAN + keeper.screen.snapshot(scrollback)));
      const waiting = held ?? [];
      held = null;
      for (const bytes of waiting) send(filter(bytes));
    });
  }

  function send(bytes: Buffer): void {
    if (socket.readyState !== socket.OPEN || bytes.length === 0) return;
    socket.send(bytes, () => {
      if (!isBehind || socket.bufferedAmount > DRAINED_BYTES) return;
      isBehind = false;
      sendScreen(0);
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) isBehind = true;
  }

  sendScreen(SNAPSHOT_SCROLLBACK);
  return {
    take(record) {
      if (record.kind === 'resize') sendControl(socket, { type: 'size', cols: record.cols, rows: record.rows });
      if (record.kind !== 'out' || isBehind) return;
      const bytes = Buffer.from(record.bytes); // a copy: the socket may keep it
      if (held) held.push(bytes);
      else send(filter(bytes));
    },
    async end() {
      if (isBehind) sendScreen(0);
      await keeper.settled();
      sendExit(socket, entry);
    },
    close: () => {},
  };
}
