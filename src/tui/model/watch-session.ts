/**
 * Watches the screen of one session at a time for the pane.
 *
 * In:   the session (`show`), or null for none; the sessions that must not be shown, with the reason.
 * Out:  the screen after each change, at most as often as the daemon sends it. While a person moves quickly through a
 *       list, no stream is opened until REST_MS after the last move.
 */
import type { Client, Terminal } from '../../client/index.js';
import { CLOSE, errorMessage, OrchdError, type Size } from '../../protocol/index.js';

export interface ScreenView {
  readonly sessionId: string;
  /** Null until the first screen has arrived. */
  readonly size: Size | null;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly title: string;
  readonly rows: readonly string[];
  /** The reason why no screen is shown; null if a screen is shown. */
  readonly problem: string | null;
}

export interface SessionWatch {
  show(sessionId: string | null): void;
  /**
   * Sends keystrokes to the session. Those that come while its stream is being opened for the first time are sent once
   * it is open.
   * @returns False if there is no stream that takes them.
   */
  type(bytes: Uint8Array): boolean;
  /** Changes the session's size if it follows the size of this client. */
  resize(size: Size): void;
  close(): void;
}

/** The part of a client that types into the session and sets its size. */
interface Typing {
  readonly size: Size;
}

const REST_MS = 60;
const RETRY_MS = 500;
const MAX_EARLY_BYTES = 4_096;

/**
 * @param refusal  Returns why a session is not shown; null if it is.
 * @param typing   Set if a person types into the session. Otherwise the stream is read-only.
 */
export function watchSession(
  client: Client,
  take: (view: ScreenView) => void,
  refusal: (sessionId: string) => string | null,
  typing: Typing | null = null,
): SessionWatch {
  let size = typing?.size;
  let wanted: string | null = null;
  let terminal: Terminal | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Number of the latest request: the same session may be requested again before its first stream is open. */
  let request = 0;
  /** Input typed while the first stream of the session is being opened; null at any other time. */
  let early: Uint8Array[] | null = null;

  const later = (ms: number, sessionId: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void open(sessionId, request), ms);
  };

  async function open(sessionId: string, mine: number): Promise<void> {
    try {
      const opened = await client.terminal(sessionId, { mode: 'view', ...(size ? { size } : { readOnly: true }) });
      if (request !== mine) return opened.close();
      terminal = opened;
      for (const bytes of early ?? []) void opened.sendBytes(bytes);
      early = null;
      follow(sessionId, opened);
      const { code } = await opened.ended;
      if (terminal !== opened) return;
      terminal = null;
      if (code !== CLOSE.normal) later(RETRY_MS, sessionId);
    } catch (error) {
      if (request !== mine) return;
      early = null;
      const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
      if (!isAway) take(emptyView(sessionId, errorMessage(error)));
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
      request++;
      terminal?.close();
      terminal = null;
      clearTimeout(timer);
      early = null;
      if (sessionId === null) return;
      const why = refusal(sessionId);
      if (why === null) {
        early = typing && [];
        later(typing ? 0 : REST_MS, sessionId);
      } else take(emptyView(sessionId, why));
    },
    type(bytes) {
      if (typing === null) return false;
      if (terminal === null) {
        const isKept =
          early !== null && early.reduce((sum, { length }) => sum + length, bytes.length) <= MAX_EARLY_BYTES;
        if (isKept) early?.push(Uint8Array.from(bytes));
        return isKept;
      }
      void terminal.sendBytes(bytes);
      return true;
    },
    resize(next) {
      if (typing === null || (size?.cols === next.cols && size.rows === next.rows)) return;
      size = next;
      void terminal?.sendControl({ type: 'resize', ...next });
    },
    close() {
      wanted = null;
      request++;
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
