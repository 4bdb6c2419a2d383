/**
 * Watches the screen of one session at a time for the pane.
 *
 * In:   the session (`show`), or null for none; the sessions that must not be shown, with the reason.
 * Out:  the screen after each change, at most as often as the daemon sends it. While a person moves quickly through a
 *       list, no stream is opened until REST_MS after the last move.
 */
import type { Client, Terminal } from '../../client/index.js';
import { OrchdError, type Size } from '../../protocol/index.js';

export interface ScreenView {
  readonly sessionId: string;
  /** Null until the first screen has arrived. */
  readonly size: Size | null;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly title: string;
  readonly rows: readonly string[];
  /** Why no screen can be shown; null if one is. */
  readonly problem: string | null;
}

interface SessionWatch {
  show(sessionId: string | null): void;
  close(): void;
}

const REST_MS = 60;
const RETRY_MS = 500;
const NORMAL = 1000;

/** @param refusal  Returns why a session is not shown; null if it is. */
export function watchSession(
  client: Client,
  take: (view: ScreenView) => void,
  refusal: (sessionId: string) => string | null,
): SessionWatch {
  let wanted: string | null = null;
  let terminal: Terminal | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Number of the latest request: the same session may be requested again before its first stream is open. */
  let wish = 0;

  const later = (ms: number, sessionId: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void open(sessionId, wish), ms);
  };

  async function open(sessionId: string, mine: number): Promise<void> {
    try {
      const opened = await client.terminal(sessionId, { mode: 'view', readOnly: true });
      if (wish !== mine) return opened.close();
      terminal = opened;
      follow(sessionId, opened);
      const { code } = await opened.ended;
      if (terminal !== opened) return;
      terminal = null;
      if (code !== NORMAL) later(RETRY_MS, sessionId);
    } catch (error) {
      if (wish !== mine) return;
      const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
      if (!isAway) take(emptyView(sessionId, error instanceof Error ? error.message : String(error)));
      later(RETRY_MS, sessionId);
    }
  }

  function follow(sessionId: string, opened: Terminal): void {
    let rows: readonly string[] = [];
    opened.onControl((message) => {
      if (message.type !== 'screen' || terminal !== opened) return;
      const { size, cursor, title } = message;
      rows = Array.from({ length: size.rows }, (_, y) => message.rows[y] ?? rows[y] ?? '');
      take({ sessionId, size, cursor, title, rows, problem: null });
    });
    opened.onBytes(() => {});
  }

  return {
    show(sessionId) {
      if (sessionId === wanted) return;
      wanted = sessionId;
      wish++;
      terminal?.close();
      terminal = null;
      clearTimeout(timer);
      if (sessionId === null) return;
      const why = refusal(sessionId);
      if (why === null) later(REST_MS, sessionId);
      else take(emptyView(sessionId, why));
    },
    close() {
      wanted = null;
      wish++;
      clearTimeout(timer);
      terminal?.close();
      terminal = null;
    },
  };
}

const emptyView = (sessionId: string, problem: string | null): ScreenView => ({
  sessionId,
  size: null,
  cursor: { x: 0, y: 0, visible: false },
  title: '',
  rows: [],
  problem,
});
