/**
 * One HTTP request to the daemon over its Unix socket.
 *
 * In:   method, path, body; how long to wait for the reply to begin.
 * Out:  the response with status below 400, its body unread. Every other end is an OrchdError:
 *       the daemon's own Problem; ORCHD_DAEMON_UNREACHABLE where nobody listens or the connection broke; ORCHD_DAEMON_SILENT
 *       where nothing came in time.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { OrchdError, type Problem } from '../protocol/index.js';

/** Whom to call, and as whom. */
export interface Line {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept: string;
  readonly body?: string;
  /** For the reply to begin. Infinity: no limit. */
  readonly timeoutMs: number;
  /** Ends the request, or the response while it is read. */
  readonly signal: AbortSignal;
}

/** A reply above this is not ours; a screen with all its scrollback has a few MiB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export function createLine(socketPath: string, clientName: string, token: string | undefined): Line {
  const headers = { 'x-orchd-client': clientName, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { socketPath, headers, agent: new Agent({ keepAlive: true }) };
}

/** @throws {OrchdError} As the header says. */
export async function send(line: Line, options: RequestOptions): Promise<IncomingMessage> {
  const response = await begin(line, options);
  const status = response.statusCode ?? 0;
  if (status < 400) return response;
  throw toError(status, await readText(response, line));
}

function begin(
  line: Line,
  { method, path, accept, body, timeoutMs, signal }: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the client was closed'));
    const request = httpRequest({
      socketPath: line.socketPath,
      method,
      path,
      signal,
      // What changes something has a connection of its own: on one that was kept, which the daemon may close just then, nobody
      // could tell whether it was done. What only reads is asked again instead.
      agent: method === 'GET' ? line.agent : false,
      headers: {
        ...line.headers,
        accept,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(() => request.destroy(silence(line, timeoutMs)), timeoutMs)
      : undefined;
    request.on('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale) resolve(begin(line, { method, path, accept, timeoutMs, signal }));
      else reject(toLineError(error, line, signal));
    });
    request.end(body);
  });
}

/** Reads a whole body. */
export async function readText(response: IncomingMessage, line: Line): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // no encoding is set
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES)
        throw new OrchdError('ORCHD_INTERNAL', `a reply of more than ${MAX_REPLY_BYTES} bytes`);
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

/** What a status of 400 and above with its body means. */
export function toError(status: number, text: string): OrchdError {
  try {
    const problem: unknown = JSON.parse(text);
    if (isProblem(problem)) return OrchdError.fromProblem(problem);
  } catch {
    // Not the daemon's words: said as it came.
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

/** What an error of the connection means. */
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
    case 'EACCES':
      return unreachable(`${socketPath} belongs to somebody else`);
    case 'EAGAIN': // Linux: more clients wait to be let in than the daemon's queue holds
      return new OrchdError('ORCHD_DAEMON_SILENT', `the daemon at ${socketPath} lets nobody in`, undefined, error);
    default:
      return unreachable(`the connection to ${socketPath} broke: ${error instanceof Error ? error.message : error}`);
  }
}
