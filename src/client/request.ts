/**
 * One HTTP request to the daemon over its Unix socket.
 *
 * In:   method, path, body.
 * Out:  a reply with a status below 400, its body unread. Every other outcome is an OrchdError: the daemon's own
 *       Problem; ORCHD_DAEMON_UNREACHABLE if no daemon listens or the connection broke; ORCHD_DAEMON_SILENT after the
 *       timeout; ORCHD_FILE if a part of the socket's path is a file.
 */
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { errorMessage, MAX_BODY_BYTES, OrchdError, PLACE_ADVICE, type Problem, systemCode } from '../protocol/index.js';

/** The daemon's address and the client's identity. */
export interface Line {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly accept: string;
  readonly body?: string;
}

/** Ends a request, or its reply while it is read, with an error. */
type EndRequest = (error: OrchdError) => void;

/** Maximum size of a reply that is read as a whole. A screen with all its scrollback has a few MiB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** Maximum size of a problem with its details. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** How Linux refuses a connection if the accept queue of a Unix socket is full. */
const QUEUE_IS_FULL = 'EAGAIN';
const QUEUE_PAUSE_MS = 20;
const QUEUE_TRIES = 250;

export function createLine(socketPath: string, clientName: string, token: string | undefined): Line {
  const fields = { 'x-orchd-client': clientName, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  // Node refuses characters that could begin another header field.
  const headers = Object.entries(fields).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '?')]);
  return { socketPath, headers: Object.fromEntries(headers) };
}

/**
 * @param begun Called before anything is sent.
 * @throws {OrchdError} The errors listed in the file header, except for the timeout: the caller ends the request.
 */
export async function send(
  line: Line,
  { method, path, accept, body }: RequestOptions,
  begun: (end: EndRequest) => void,
): Promise<IncomingMessage> {
  const length = Buffer.byteLength(body ?? '');
  if (length > MAX_BODY_BYTES) throw new OrchdError('ORCHD_TOO_LARGE', `the request has ${length} bytes`);
  const about = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': length };
  const headers = { accept, connection: 'close', ...line.headers, ...about };
  let ended: OrchdError | undefined;
  let endTry: EndRequest = () => {};
  begun((error) => {
    ended = error;
    endTry(error);
  });
  const sendOnce = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (ended) throw ended;
      let received: IncomingMessage | undefined;
      // No agent is used, because its first use takes several milliseconds.
      const createConnection = () => connect(line.socketPath);
      const sent = request({ createConnection, method, path, headers }, (incoming) => {
        received = incoming;
        resolve(incoming);
      });
      sent.on('error', reject);
      endTry = (error) => void (received ?? sent).destroy(error);
      sent.end(body);
    });
  try {
    const reply = await whileQueueIsFull(sendOnce);
    reply.on('error', () => {}); // the reader gets the error; this listener is for the time without a reader
    if (isAccepted(reply)) return reply;
    throw toError(reply.statusCode, await readText(reply));
  } catch (error) {
    throw toLineError(error, line);
  }
}

/**
 * Tries again while the daemon's accept queue is full, for at most QUEUE_TRIES times. Nothing has been sent then. The
 * queue is full for a moment if a program opens hundreds of connections at once.
 */
async function whileQueueIsFull<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (systemCode(error) !== QUEUE_IS_FULL || tries === QUEUE_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, QUEUE_PAUSE_MS));
    }
  }
}

/** Returns the body of the reply as text; otherwise like `send`. */
export async function sendWhole(
  line: Line,
  options: RequestOptions,
  begun: (end: EndRequest) => void,
): Promise<string> {
  const reply = await send(line, options, begun);
  try {
    return await readText(reply, MAX_REPLY_BYTES);
  } catch (error) {
    throw toLineError(error, line);
  }
}

const isAccepted = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode < 400;

export const closedError = (): OrchdError => new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the client was closed');

/** @throws If the connection breaks, or the reply has more than `maxBytes`. */
export async function readText(reply: IncomingMessage, maxBytes: number = MAX_REFUSAL_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`a reply of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OrchdError('ORCHD_INTERNAL', 'the reply is not JSON', { reply: text.slice(0, 200) }, error);
  }
}

/** Converts a reply with a status of 400 and above to an error. */
export function toError(status: number | undefined, text: string): OrchdError {
  try {
    const problem: unknown = JSON.parse(text);
    if (isProblem(problem)) return OrchdError.fromProblem(problem);
  } catch {
    // The body is not a Problem from the daemon. The error below contains it as received.
  }
  return new OrchdError('ORCHD_INTERNAL', `the reply was ${status}, without a problem`, { reply: text.slice(0, 200) });
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    typeof value.error === 'string' &&
    'code' in value &&
    typeof value.code === 'string'
  );
}

export function silence({ socketPath }: Pick<Line, 'socketPath'>, timeoutMs: number): OrchdError {
  return new OrchdError('ORCHD_DAEMON_SILENT', `the daemon at ${socketPath} gave no reply in ${timeoutMs} ms`);
}

/** Returns the message for a socket path that leads through a file. No daemon can be started there. */
function fileInTheWay(socketPath: string): string {
  let path = dirname(socketPath);
  while (path !== dirname(path) && !existsSync(path)) path = dirname(path);
  return `${path} is not a directory, so no daemon can listen on ${socketPath}; ${PLACE_ADVICE}`;
}

/** Translates an error of the connection. */
export function toLineError(
  error: unknown,
  { socketPath }: Pick<Line, 'socketPath'>,
  signal?: AbortSignal,
): OrchdError {
  if (error instanceof OrchdError) return error;
  const unreachable = (why: string) => new OrchdError('ORCHD_DAEMON_UNREACHABLE', why, { socket: socketPath }, error);
  if (signal?.aborted) return unreachable('the client was closed');
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return unreachable(`no daemon listens on ${socketPath}`);
    case 'ENOTDIR':
      return new OrchdError('ORCHD_FILE', fileInTheWay(socketPath), { path: socketPath }, error);
    case 'EACCES':
      return unreachable(`${socketPath} belongs to another user`);
    case QUEUE_IS_FULL:
      return new OrchdError(
        'ORCHD_DAEMON_SILENT',
        `the daemon at ${socketPath} accepts no connections`,
        undefined,
        error,
      );
    default:
      return unreachable(`the connection to ${socketPath} broke: ${errorMessage(error)}`);
  }
}
