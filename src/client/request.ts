/**
 * One HTTP request to the daemon over its Unix socket.
 *
 * In:   method, path, body, and the timeout until the reply begins.
 * Out:  a reply with a status below 400, its body unread. Every other outcome is an OrchdError: the daemon's own
 *       Problem; ORCHD_DAEMON_UNREACHABLE if no daemon listens or the connection broke; ORCHD_DAEMON_SILENT after the
 *       timeout; ORCHD_FILE if a part of the socket's path is a file.
 */
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { OrchdError, PLACE_ADVICE, type Problem } from '../protocol/index.js';
import { exchange, type Reply } from './http.js';
import { exchangeUpgrade, exchangeWhole, type Upgraded } from './whole-reply.js';

/** The daemon's address and the client's identity. */
export interface Line {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly accept: string;
  readonly body?: string;
  /** Milliseconds until the reply must begin. Infinity: no limit. */
  readonly timeoutMs: number;
  /** Ends the request, or the reply while it is read. */
  readonly signal: AbortSignal;
}

/** Maximum size of a problem with its details. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** The daemon's limit; it would close the connection during the request. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export function createLine(socketPath: string, clientName: string, token: string | undefined): Line {
  const headers = { 'x-orchd-client': clientName, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { socketPath, headers };
}

/** @throws {OrchdError} The errors listed in the file header. */
export async function send(line: Line, options: RequestOptions): Promise<Reply> {
  const { timeoutMs, signal } = options;
  if (signal.aborted) throw closedError();
  let timer: NodeJS.Timeout | undefined;
  try {
    const reply = await exchange(line.socketPath, toText(line, options), (socket) => {
      const onAbort = (): void => void socket.destroy(closedError());
      signal.addEventListener('abort', onAbort);
      socket.on('close', () => signal.removeEventListener('abort', onAbort));
      if (Number.isFinite(timeoutMs)) timer = setTimeout(() => socket.destroy(silence(line, timeoutMs)), timeoutMs);
    });
    if (reply.status < 400) return reply;
    throw toError(reply.status, await readText(reply.body, line));
  } catch (error) {
    throw toLineError(error, line);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the complete body of the reply; `begun` as in `exchangeWhole`.
 *
 * @throws {OrchdError} The errors listed in the file header, except for the timeout: the caller destroys the
 *   connection.
 */
export async function sendWhole(
  line: Line,
  options: Omit<RequestOptions, 'timeoutMs' | 'signal'>,
  begun: (socket: Socket) => void,
): Promise<string> {
  try {
    const { status, text } = await exchangeWhole(line.socketPath, toText(line, options), begun);
    if (status < 400) return text;
    throw toError(status, text);
  } catch (error) {
    throw toLineError(error, line);
  }
}

/**
 * Opens a connection that then uses another protocol; `begun` as in `exchangeWhole`.
 *
 * @throws {OrchdError} As `sendWhole`.
 */
export async function sendUpgrade(
  line: Line,
  path: string,
  fields: Readonly<Record<string, string>>,
  begun: (socket: Socket) => void,
): Promise<Upgraded> {
  try {
    const request = headText(`GET ${path}`, { host: 'localhost', connection: 'Upgrade', ...fields, ...line.headers });
    const reply = await exchangeUpgrade(line.socketPath, request, begun);
    if ('socket' in reply) return reply;
    throw toError(reply.status, reply.text);
  } catch (error) {
    throw toLineError(error, line);
  }
}

function toText(
  line: Line,
  { method, path, accept, body }: Pick<RequestOptions, 'method' | 'path' | 'accept' | 'body'>,
): string {
  const length = Buffer.byteLength(body ?? '');
  if (length > MAX_BODY_BYTES) throw new OrchdError('ORCHD_TOO_LARGE', `the request has ${length} bytes`);
  const head = headText(`${method} ${path}`, {
    host: 'localhost',
    connection: 'close',
    accept,
    ...line.headers,
    ...(body !== undefined ? { 'content-type': 'application/json', 'content-length': length } : {}),
  });
  return head + (body ?? '');
}

function headText(what: string, fields: Readonly<Record<string, string | number>>): string {
  // A line break in a value would begin another header field.
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${String(value).replaceAll(/[^\x20-\x7e]/g, '?')}\r\n`,
  );
  return `${what} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

export const closedError = (): OrchdError => new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the client was closed');

/** Reads the body of an error reply. */
async function readText(body: AsyncIterable<Buffer>, line: Line): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_REFUSAL_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw toLineError(error, line);
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
function toError(status: number, text: string): OrchdError {
  try {
    const problem: unknown = JSON.parse(text);
    if (isProblem(problem)) return OrchdError.fromProblem(problem);
  } catch {
    // Not a problem of the daemon; reported as received.
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

/** In this case, starting a daemon would not help. */
function fileInTheWay(socketPath: string): string {
  let path = dirname(socketPath);
  while (path !== dirname(path) && !existsSync(path)) path = dirname(path);
  return `${path} is no directory, so no daemon can listen on ${socketPath}; ${PLACE_ADVICE}`;
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
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return unreachable(`no daemon listens on ${socketPath}`);
    case 'ENOTDIR':
      return new OrchdError('ORCHD_FILE', fileInTheWay(socketPath), { path: socketPath }, error);
    case 'EACCES':
      return unreachable(`${socketPath} belongs to somebody else`);
    case 'EAGAIN': // Linux: the daemon's accept queue is full
      return new OrchdError('ORCHD_DAEMON_SILENT', `the daemon at ${socketPath} lets nobody in`, undefined, error);
    default:
      return unreachable(`the connection to ${socketPath} broke: ${error instanceof Error ? error.message : error}`);
  }
}
