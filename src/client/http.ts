/**
 * A small HTTP/1.1 client on a Unix socket: one request a connection, as much of the protocol as our own daemon speaks.
 *
 * In:   a request as text. Out: the status, and the body as it comes (by content-length, chunked, or until the end).
 * Written because loading node:http and its first request take 15 ms, as long as all else that `orchd ls` does, and a connection
 * to a Unix socket costs nothing that keeping it would save. Throws what the socket throws; request.ts says what it means.
 */
import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  /** Read it once, to its end or not; leaving it closes the connection. Throws BrokenReply where it is cut off. */
  readonly body: AsyncIterable<Buffer>;
  close(): void;
}

/** The connection ended, or what came is not HTTP. */
export class BrokenReply extends Error {}

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/**
 * @param begun  Called with the connection before anything is sent: who destroys it ends the request with that error.
 */
export async function exchange(socketPath: string, request: string, begun: (socket: Socket) => void): Promise<Reply> {
  const socket = connect(socketPath);
  socket.on('error', () => {}); // whoever reads gets it; nobody may be reading when it comes
  begun(socket);
  socket.write(request);
  const source = new Source(socket);
  try {
    for (;;) {
      const head = await source.takeUntil(HEAD_END, MAX_HEAD_BYTES);
      const [statusLine = '', ...fields] = head.split(LINE_END);
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
      if (Number.isNaN(status)) throw new BrokenReply('what came is not HTTP');
      if (status < 200) continue; // 100 Continue and the like: the reply is still to come
      return { status, body: readBody(source, status, readFields(fields), socket), close: () => socket.destroy() };
    }
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function readFields(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
}

async function* readBody(
  source: Source,
  status: number,
  fields: ReadonlyMap<string, string>,
  socket: Socket,
): AsyncGenerator<Buffer, void> {
  try {
    const length = fields.get('content-length');
    if (fields.get('transfer-encoding')?.toLowerCase().endsWith('chunked')) yield* readChunks(source);
    else if (length !== undefined) yield* source.take(Number(length));
    else if (status !== 204) yield* source.takeAll();
  } finally {
    socket.destroy();
  }
}

/** `5\r\nhello\r\n0\r\n\r\n`: sizes are hexadecimal, extensions follow a semicolon, trailers are skipped. */
async function* readChunks(source: Source): AsyncGenerator<Buffer, void> {
  for (;;) {
    const size = Number.parseInt(await source.takeUntil(LINE_END, MAX_HEAD_BYTES), 16);
    if (Number.isNaN(size)) throw new BrokenReply('a chunk has no size');
    if (size === 0) break;
    yield* source.take(size);
    await source.takeUntil(LINE_END, LINE_END.length);
  }
  while ((await source.takeUntil(LINE_END, MAX_HEAD_BYTES)) !== '');
}

/** Bytes of a socket, taken by length or up to a mark, wherever they were cut. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator](); // no encoding is set
  }

  /** Text before the mark, which is taken too. */
  async takeUntil(mark: string, maxBytes: number): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(mark);
      if (end >= 0) {
        const text = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + mark.length);
        return text;
      }
      if (this.#rest.length > maxBytes) throw new BrokenReply('what came is not HTTP');
      const more = await this.#next();
      if (!more) throw new BrokenReply('it ended before the reply');
      this.#rest = Buffer.concat([this.#rest, more]);
    }
  }

  async *take(length: number): AsyncGenerator<Buffer, void> {
    let left = length;
    while (left > 0) {
      const bytes = this.#rest.length > 0 ? this.#rest : await this.#next();
      if (!bytes) throw new BrokenReply('it ended within the reply');
      this.#rest = bytes.subarray(left);
      const some = bytes.subarray(0, left);
      left -= some.length;
      yield some;
    }
  }

  async *takeAll(): AsyncGenerator<Buffer, void> {
    if (this.#rest.length > 0) yield this.#rest;
    for (let bytes = await this.#next(); bytes; bytes = await this.#next()) yield bytes;
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#chunks.next();
    return next.done ? undefined : next.value;
  }
}
