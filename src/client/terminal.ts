/**
 * A session's terminal over a WebSocket; the messages stand in protocol/terminal-stream.md.
 *
 * In:   keystrokes and sizes. Out: bytes and control messages, in order.
 * Nothing is read from the connection before `onBytes` is called, so nothing that came first is lost. This file is loaded
 * when it is needed, and `ws` with it: commands that open no terminal start without them.
 */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { OrchdError, type Size, type State, TERMINAL_PATH } from '../protocol/index.js';
import { type Line, readText, silence, toError, toLineError } from './request.js';

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

/** How it ended: 1000 with the program, 1001 the daemon stops, 1006 the connection broke, 1008 not allowed, 1011 an error. */
export interface TerminalEnd {
  readonly code: number;
  readonly reason: string;
}

export interface Terminal {
  /** Output. The bytes are the listener's. Starts the reading, so set `onControl` before. One listener; a new one replaces it. */
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
  const socket = new WebSocket(`ws://localhost${terminalPath(session, options)}`, {
    createConnection: () => connect(line.socketPath),
    headers: line.headers,
    perMessageDeflate: false,
  });
  await opened(socket, line, timeoutMs, signal);
  return createTerminal(socket, signal);
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

function opened(socket: WebSocket, line: Line, timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: OrchdError): void => {
      done();
      reject(error);
      socket.terminate();
    };
    const onAbort = (): void => fail(new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the client was closed'));
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => fail(silence(line, timeoutMs)), timeoutMs) : undefined;
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort);
    socket.on('error', (error) => fail(toLineError(error, line, signal))); // stays: later errors end in `close`
    socket.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
      readText(response, line).then(
        (text) => fail(toError(response.statusCode ?? 0, text)),
        (error: unknown) => fail(toLineError(error, line)),
      );
    });
    socket.once('open', () => {
      socket.pause();
      done();
      resolve();
    });
    if (signal.aborted) onAbort();
  });
}

function createTerminal(socket: WebSocket, signal: AbortSignal): Terminal {
  let takeBytes: ((bytes: Uint8Array) => void) | undefined;
  let takeControl: ((message: DaemonControl) => void) | undefined;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // With ws's default binaryType a message is one Buffer.
    if (isBinary) takeBytes?.(data);
    else takeControl?.(JSON.parse(data.toString('utf8')) as DaemonControl); // the daemon sends nothing else
  });
  const close = (): void => {
    socket.resume(); // a paused socket would not read the other side's farewell
    socket.close(NORMAL);
  };
  const ended = new Promise<TerminalEnd>((resolve) => {
    socket.once('close', (code, reason) => {
      signal.removeEventListener('abort', close);
      resolve({ code, reason: reason.toString('utf8') });
    });
  });
  signal.addEventListener('abort', close);
  const send = (data: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => {
      if (socket.readyState === socket.OPEN) socket.send(data, () => resolve());
      else resolve();
    });
  return {
    onBytes(listener) {
      takeBytes = listener;
      socket.resume();
    },
    onControl(listener) {
      takeControl = listener;
    },
    sendBytes: (bytes) => send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes), // a string would go as text
    sendControl: (message) => send(JSON.stringify(message)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ended,
    close,
  };
}
