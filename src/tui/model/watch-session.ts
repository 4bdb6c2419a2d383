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

/** The part of a client that types into the session and sets its size. */
interface Typing {
  readonly size: Size;
}

const REST_MS = 60;
const RETRY_MS = 500;
const MAX_EARLY_BYTES = 4_096;

interface SessionWatchPorts {
  readonly client: Client;
  readonly take: (view: ScreenView) => void;
  /** Returns why a session is not shown; null if it is. Default: every session is shown. */
  readonly refusal?: (sessionId: string) => string | null;
  /** Set if a person types into the session. Otherwise the stream is read-only. */
  readonly typing?: Typing;
}

export class SessionWatch {
  readonly #ports: SessionWatchPorts;
  #size: Size | undefined;
  #wanted: string | null = null;
  #terminal: Terminal | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Number of the latest request: the same session may be requested again before its first stream is open. */
  #request = 0;
  /** Input typed while the first stream of the session is being opened; null at any other time. */
  #early: Uint8Array[] | null = null;

  constructor(ports: SessionWatchPorts) {
    this.#ports = ports;
    this.#size = ports.typing?.size;
  }

  show(sessionId: string | null): void {
    if (sessionId === this.#wanted) return;
    this.#leave(sessionId);
    if (sessionId === null) return;
    const { refusal, take, typing } = this.#ports;
    const why = refusal?.(sessionId) ?? null;
    if (why === null) {
      this.#early = typing ? [] : null;
      this.#openLater(typing ? 0 : REST_MS, sessionId);
    } else take(emptyView(sessionId, why));
  }

  /**
   * Sends keystrokes to the session. Those that come while its stream is being opened for the first time are sent once
   * it is open.
   * @returns False if there is no stream that takes them.
   */
  type(bytes: Uint8Array): boolean {
    if (!this.#ports.typing) return false;
    if (this.#terminal === null) return this.#keep(bytes);
    void this.#terminal.sendBytes(bytes);
    return true;
  }

  /** Changes the session's size if it follows the size of this client. */
  resize(size: Size): void {
    if (!this.#ports.typing || (this.#size?.cols === size.cols && this.#size.rows === size.rows)) return;
    this.#size = size;
    void this.#terminal?.sendControl({ type: 'resize', ...size });
  }

  close(): void {
    this.#leave(null);
  }

  #leave(wanted: string | null): void {
    this.#wanted = wanted;
    this.#request++;
    this.#terminal?.close();
    this.#terminal = null;
    clearTimeout(this.#timer);
    this.#early = null;
  }

  #keep(bytes: Uint8Array): boolean {
    const early = this.#early;
    if (early === null || early.reduce((sum, { length }) => sum + length, bytes.length) > MAX_EARLY_BYTES) return false;
    early.push(Uint8Array.from(bytes));
    return true;
  }

  #openLater(ms: number, sessionId: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(sessionId, this.#request), ms);
  }

  async #open(sessionId: string, request: number): Promise<void> {
    const { client, take } = this.#ports;
    try {
      const how = this.#size ? { size: this.#size } : { readOnly: true };
      const opened = await client.terminal(sessionId, { mode: 'view', ...how });
      if (this.#request !== request) return opened.close();
      this.#terminal = opened;
      for (const bytes of this.#early ?? []) void opened.sendBytes(bytes);
      this.#early = null;
      this.#follow(sessionId, opened);
      const { code } = await opened.ended;
      if (this.#terminal !== opened) return;
      this.#terminal = null;
      if (code !== CLOSE.normal) this.#openLater(RETRY_MS, sessionId);
    } catch (error) {
      if (this.#request !== request) return;
      this.#early = null;
      const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
      if (!isAway) take(emptyView(sessionId, errorMessage(error)));
      this.#openLater(RETRY_MS, sessionId);
    }
  }

  #follow(sessionId: string, opened: Terminal): void {
    let rows: readonly string[] = [];
    opened.onControl((message) => {
      if (message.type !== 'screen' || this.#terminal !== opened) return;
      const { size, cursor, title } = message;
      rows = Array.from({ length: size.rows }, (_, y) => message.rows[y] ?? rows[y] ?? '');
      this.#ports.take({ sessionId, size, cursor, title, rows, problem: null });
    });
    opened.onBytes(() => {});
  }
}

const emptyView = (sessionId: string, problem: string | null): ScreenView => ({
  sessionId,
  size: null,
  cursor: { x: 0, y: 0, visible: false },
  title: '',
  rows: [],
  problem,
});
