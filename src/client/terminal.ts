/**
 * A session's terminal over a WebSocket; protocol/terminal-stream.md defines the messages.
 *
 * In:   keystrokes and sizes.
 * Out:  bytes and control messages, in order.
 * Reading starts when `onBytes` is called, so the first bytes are never lost. This file is loaded on demand: commands
 * without a terminal start without it.
 */
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { CLOSE, type Size, type State, TERMINAL_PATH } from '../protocol/index.js';
import { closedError, type Line, readText, silence, toError, toLineError } from './request.js';

export interface TerminalOptions {
  /** Default: attach. */
  readonly mode?: 'attach' | 'stream' | 'view';
  /** The client's terminal size. Without it the session keeps its size. */
  readonly size?: Size;
  readonly readOnly?: boolean;
  /** For `attach`: the output changes only the client's rows and columns, whatever the program writes. */
  readonly painted?: boolean;
  /** For `stream`: the journal position to start at. Default: now. */
  readonly from?: number;
  /** For `stream`: report journal positions, so that a later stream can continue there. */
  readonly positions?: boolean;
  /** For `attach`: the machine of the hub that has the session. Default: this one. */
  readonly machine?: string;
  readonly signal?: AbortSignal;
}

export type ClientControl =
  | { readonly type: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly type: 'take' }
  /** `rgb:ffff/ffff/ffff`, in the terminals' format. Programs that query the colours get these. */
  | { readonly type: 'colours'; readonly foreground?: string; readonly background?: string }
  | { readonly type: 'repaint' }
  /** Detaches the other clients that are attached to this session. */
  | { readonly type: 'detach_others' };

export type DaemonControl =
  | { readonly type: 'size'; readonly cols: number; readonly rows: number }
  | {
      readonly type: 'screen';
      readonly size: Size;
      readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
      readonly title: string;
      readonly rows: Readonly<Record<string, string>>;
    }
  /** With `positions`: the journal position of the bytes that follow. */
  | { readonly type: 'position'; readonly position: number }
  /** The numbers of other attached clients: those that may type, and those that only read. */
  | { readonly type: 'clients'; readonly others: number; readonly readers: number }
  /** Input was not typed: the agent of a session may not give the answer that it would be. */
  | { readonly type: 'refused'; readonly error: string; readonly code: string }
  /** Another client has detached this one. */
  | { readonly type: 'detached' }
  /** The program wants to copy this text to the clipboard. It is base64. */
  | { readonly type: 'clipboard'; readonly data: string }
  | {
      readonly type: 'exit';
      readonly state: State;
      readonly exit_code?: number | null;
      readonly signal?: string | null;
    };

/**
 * The close code of the stream: 1000 the program ended, 1001 the daemon stops, 1006 the connection broke, 1008 not
 * allowed, 1011 an error, 4001 the other machine cannot be reached.
 */
export interface TerminalEnd {
  readonly code: number;
  readonly reason: string;
}

export interface Terminal {
  /**
   * Sets the listener for output, which owns the bytes. This starts reading, so call `onControl` before. A new listener
   * replaces the old one.
   */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onControl(listener: (message: DaemonControl) => void): void;
  /** Sends keystrokes. Resolves when the system has accepted them; they are dropped if the terminal has ended. */
  sendBytes(bytes: Uint8Array | string): Promise<void>;
  sendControl(message: ClientControl): Promise<void>;
  /** Stops reading while the consumer is too slow. The daemon then skips output and sends the newest screen later. */
  pause(): void;
  resume(): void;
  /** Never rejects. */
  readonly ended: Promise<TerminalEnd>;
  close(): void;
}

/** Maximum size of a message. The daemon's are smaller. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** @throws {OrchdError} The daemon's refusal, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT. */
export async function openTerminal(
  line: Line,
  session: string,
  options: TerminalOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Terminal> {
  if (signal.aborted) throw closedError();
  const socket = new WebSocket(`ws://localhost${terminalPath(session, options)}`, {
    createConnection: () => connect(line.socketPath),
    headers: line.headers,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (error: unknown): void => {
        reject(error);
        socket.terminate();
      };
      socket.once('open', () => {
        socket.pause(); // until the terminal has a listener
        resolve();
      });
      socket.on('error', reject);
      socket.once('unexpected-response', (_request, reply) => {
        readText(reply).then((text) => end(toError(reply.statusCode, text)), end);
      });
      onAbort = () => end(closedError());
      signal.addEventListener('abort', onAbort);
      if (Number.isFinite(timeoutMs)) timer = setTimeout(() => end(silence(line, timeoutMs)), timeoutMs);
    });
    return createTerminal(socket, signal);
  } catch (error) {
    throw toLineError(error, line);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function terminalPath(
  session: string,
  { mode = 'attach', size, readOnly = false, painted = false, from, positions = false, machine }: TerminalOptions,
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
  if (machine !== undefined) query.set('machine', machine);
  return `${TERMINAL_PATH.replace('{session}', encodeURIComponent(session))}?${query}`;
}

function createTerminal(socket: WebSocket, signal: AbortSignal): Terminal {
  let takeBytes: ((bytes: Uint8Array) => void) | undefined;
  let takeControl: ((message: DaemonControl) => void) | undefined;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) takeBytes?.(data);
    else takeControl?.(JSON.parse(data.toString('utf8')) as DaemonControl); // the daemon sends only these
  });
  const close = (): void => {
    socket.close(CLOSE.normal);
    socket.resume(); // a paused connection would not read the daemon's close frame
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const ended = new Promise<TerminalEnd>((resolve) => {
    socket.once('close', (code, reason) => {
      signal.removeEventListener('abort', close);
      resolve({ code, reason: reason.toString('utf8') });
    });
  });
  // Errors are ignored: the terminal has ended then.
  const send = (data: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => socket.send(data, () => resolve()));
  return {
    onBytes(listener) {
      takeBytes = listener;
      socket.resume();
    },
    onControl(listener) {
      takeControl = listener;
    },
    // A string would be sent as a text message.
    sendBytes: (bytes) => send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    sendControl: (message) => send(JSON.stringify(message)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ended,
    close,
  };
}
