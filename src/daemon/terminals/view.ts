/**
 * The feed of a pane: the changed rows of the screen, at most 20 times a second or as often as the client wants, and
 * only while the client keeps up.
 */
import { SCREEN_FRAME_MS } from '../../protocol/index.js';
import { type Feed, type FeedPorts, sendControl, sendExit } from './feed.js';
import { MAX_QUEUED_BYTES } from './socket.js';

export function createViewFeed({ socket, entry, keeper, pauseMs }: FeedPorts): Feed {
  let shown: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let last = '';

  async function frame(): Promise<void> {
    await keeper.settled();
    timer = null;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_QUEUED_BYTES.frames) {
      schedule();
      return;
    }
    const { screen } = keeper;
    const size = { cols: screen.cols, rows: screen.rows };
    const rows = screen.look({ ansi: true });
    const changed = Object.fromEntries(rows.map((row, y) => [y, row] as const).filter(([y, row]) => shown[y] !== row));
    shown = rows;
    const about = { type: 'screen', size, cursor: screen.cursor, title: screen.title };
    const state = JSON.stringify(about);
    if (Object.keys(changed).length === 0 && state === last) return;
    last = state;
    sendControl(socket, { ...about, rows: changed });
  }

  function schedule(): void {
    timer ??= setTimeout(() => void frame(), Math.max(SCREEN_FRAME_MS, pauseMs));
  }

  void frame();
  return {
    take: schedule,
    async end() {
      if (timer) clearTimeout(timer);
      await frame();
      sendExit(socket, entry);
    },
    close: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
