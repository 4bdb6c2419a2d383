/**
 * A session's terminal over a WebSocket; the messages stand in protocol/terminal-stream.md.
 *
 * In:   keystrokes and sizes. Out: bytes and control messages, in order.
 * Nothing is read from the connection before `onBytes` is called, so nothing that came first is lost. This file is
 * loaded when it is needed: commands that open no terminal start without it.
 */
import { OrchdError, type Size, type State, TERMINAL_PATH } from '../protocol/index.js';
import { closedError, type Line, sendUpgrade, silence } from './request.js';
import { createWebSocket, isAccepted, UPGRADE_FIELDS, type WebSocketEnd } from './web-socket.js';
import type { Upgraded } from './whole-reply.js';

export interface TerminalOptions {
  /** Default: attach. */
  readonly mode?: 'attach' | 'stream' | 'view';
  /** The client's own size; without it the session keeps its size. */
  readonly size?: Size;
  readonly readOnly?: boolean;
  /** `attach`: nothing but what stands in the client's rows and columns is touched, whatever the program writes. */
  readonly painted?: boolean;
  /** `stream`: the journal position where it begins; without it now. */
  readonly from?: number;
  /** `stream`: say where the bytes stand in the journal, so that a next stream can go on there. */
  readonly positions?: boolean;
  readonly signal?: AbortSignal;
}

export type ClientControl =
  | { readonly type: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly type: 'take' }
  /** `rgb:ffff/ffff/ffff`, as terminals write them: programs that ask are told these. */
  | { readonly type: 'colours'; readonly foreground?: string; readonly background?: string }
  | { readonly type: 'repaint' };

export type DaemonControl =
  | { readonly type: 'size'; readonly cols: number; readonly rows: number }
  | {
      readonly type: 'screen';
      readonly size: Size;
      readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
      readonly title: string;
      readonly rows: Readonly<Record<string, string>>;
    }
  /** `positions`: where the bytes that follow begin in the journal. */
  | { readonly type: 'position'; readonly position: number }
  /** The program wants to write this to the clipboard: base64. */
  | { readonly type: 'clipboard'; readonly data: string }
  | {
      readonly type: 'exit';
      readonly state: State;
      readonly exit_code?: number | null;
      readonly signal?: string | null;
    };

/**
 * How it ended: 1000 with the program, 1001 the daemon stops, 1006 the connection broke, 1008 not allowed, 1011 an
 * error.
 */
export type TerminalEnd = WebSocketEnd;

export interface Terminal {
  /**
   * Output. The bytes are the listener's. Starts the reading, so set `onControl` before. One listener; a new one
   * replaces it.
   */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onControl(listener: (message: DaemonControl) => void): void;
  /** Keystrokes. Resolves when the system has taken them; they are dropped when the terminal has ended. */
  sendBytes(bytes: Uint8Array | string): Promise<void>;
  sendControl(message: ClientControl): Promise<void>;
  /** Stops the reading while the consumer's own output is full; the daemon then keeps the newest screen for us. */
  pause(): void;
  resume(): void;
  /** Never rejects. */
  readonly ended: Promise<TerminalEnd>;
  close(): void;
}

const NORMAL = 1000;

/** @throws {OrchdError} The daemon's refusal, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT. */
export async function openTerminal(
  line: Line,
  session: string,
  options: TerminalOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Terminal> {
  if (signal.aborted) throw closedError();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    const upgraded = await sendUpgrade(line, terminalPath(session, options), UPGRADE_FIELDS, (socket) => {
      onAbort = () => void socket.destroy(closedError());
      signal.addEventListener('abort', onAbort);
      if (Number.isFinite(timeoutMs)) timer = setTimeout(() => socket.destroy(silence(line, timeoutMs)), timeoutMs);
    });
    if (isAccepted(upgraded)) return createTerminal(upgraded, signal);
    upgraded.socket.destroy();
    throw new OrchdError('ORCHD_INTERNAL', `what answered on ${line.socketPath} speaks no WebSocket`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function terminalPath(
  session: string,
  { mode = 'attach', size, readOnly = false, painted = false, from, positions = false }: TerminalOptions,
): string {
  const query = new URLSearchParams({ mode });
  if (size) {
    query.set('cols', String(size.cols));
    query.set('rows', String(size.rows));
  }
  if (readOnly) query.set('read_only', 'true');
  if (painted) query.set('painted', 'true');
  if (from !== undefined) query.set('from', String(from));
  if (positions) query.set('positions', 'true');
  return `${TERMINAL_PATH.replace('{session}', encodeURIComponent(session))}?${query}`;
}

function createTerminal(upgraded: Upgraded, signal: AbortSignal): Terminal {
  let takeBytes: ((bytes: Uint8Array) => void) | undefined;
  let takeControl: ((message: DaemonControl) => void) | undefined;
  const socket = createWebSocket(upgraded, (data, isBinary) => {
    if (isBinary) takeBytes?.(data);
    else takeControl?.(JSON.parse(data.toString('utf8')) as DaemonControl); // the daemon sends nothing else
  });
  const close = (): void => socket.close(NORMAL);
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const ended = socket.ended.then((end) => {
    signal.removeEventListener('abort', close);
    return end;
  });
  return {
    onBytes(listener) {
      takeBytes = listener;
      socket.resume();
    },
    onControl(listener) {
      takeControl = listener;
    },
    // a string would go as text
    sendBytes: (bytes) => socket.send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    sendControl: (message) => socket.send(JSON.stringify(message)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ended,
    close,
  };
}
