/**
 * A small HTTP/1.1 client on a Unix socket, with one request per connection and only the features that the daemon uses.
 *
 * In:   a request as text.
 * Out:  the status, and the body as a stream (by content-length, chunked, or until the end).
 * It exists because loading node:http and sending its first request take 15 ms, as long as the rest of `orchd ls`. A
 * new connection to a Unix socket is cheap, so keep-alive is not needed. Errors are those of the socket; request.ts
 * translates them.
 */
import { connect, type Socket } from 'node:net';
import { BrokenReply, HEAD_END, LINE_END, MAX_HEAD_BYTES, parseHead, type ReplyHead } from './reply-head.js';

export interface Reply {
  readonly status: number;
  /**
   * The body, which can be read once. Leaving the loop closes the connection. Throws BrokenReply if the body is
   * truncated.
   */
  readonly body: AsyncIterable<Buffer>;
  close(): void;
}

/**
 * @param begun Called with the connection before anything is sent. Destroying it with an error ends the request with
 *   that error.
 */
export async function exchange(socketPath: string, request: string, begun: (socket: Socket) => void): Promise<Reply> {
  const socket = connect(socketPath);
  socket.on('error', () => {}); // the reader gets the error; this listener is for the time without a reader
  begun(socket);
  socket.write(request);
  const source = new Source(socket);
  try {
    for (;;) {
      const head = parseHead(await source.takeUntil(HEAD_END, MAX_HEAD_BYTES));
      if (head.status < 200) continue; // an interim reply such as 100 Continue; the final one follows
      return { status: head.status, body: readBody(source, head, socket), close: () => socket.destroy() };
    }
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function* readBody(
  source: Source,
  { isChunked, length }: ReplyHead,
  socket: Socket,
): AsyncGenerator<Buffer, void> {
  try {
    if (isChunked) yield* readChunks(source);
    else if (length !== null) yield* source.take(length);
    else yield* source.takeAll();
  } finally {
    socket.destroy();
  }
}

/** Reads `5\r\nhello\r\n0\r\n\r\n`: sizes are hexadecimal, extensions follow a semicolon, trailers are skipped. */
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

/** Reads bytes from a socket, by length or up to a delimiter. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator](); // no encoding is set
  }

  /** Reads text up to the delimiter, which is consumed as well. */
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
