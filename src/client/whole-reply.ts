/**
 * A small HTTP/1.1 request whose reply is read completely, as calls need it. http.ts reads replies as streams.
 *
 * In:   a request as text, with `connection: close`.
 * Out:  the status and the body's text.
 * It uses a socket's plain events, because most of a command's time is spent in code that runs for the first time:
 * iterators and generators of a stream then take 3 ms. Throws the socket's errors and BrokenReply; request.ts
 * translates them.
 */
import { connect, type Socket } from 'node:net';
import { BrokenReply, HEAD_END, LINE_END, MAX_HEAD_BYTES, parseHead, type ReplyHead } from './reply-head.js';

export interface WholeReply {
  readonly status: number;
  readonly text: string;
}

/** A connection that now uses another protocol. It is paused. */
export interface Upgraded {
  readonly socket: Socket;
  /** Bytes that were received after the reply. */
  readonly rest: Buffer;
  readonly accept: string | null;
}

/** Maximum size of a reply. A screen with all its scrollback has a few MiB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

interface Head extends ReplyHead {
  /** Offset of the body in the received bytes. */
  readonly at: number;
}

/**
 * @param begun Called with the connection before anything is sent. Destroying it with an error ends the request with
 *   that error.
 */
export function exchangeWhole(
  socketPath: string,
  request: string,
  begun: (socket: Socket) => void,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => ask(socketPath, request, { begun, resolve, reject }));
}

/**
 * Like `exchangeWhole`, for a request that upgrades to another protocol. Resolves with the connection, or with the
 * refusal.
 */
export function exchangeUpgrade(
  socketPath: string,
  request: string,
  begun: (socket: Socket) => void,
): Promise<WholeReply | Upgraded> {
  return new Promise((resolve, reject) => ask(socketPath, request, { begun, resolve, upgraded: resolve, reject }));
}

interface Ends {
  readonly begun: (socket: Socket) => void;
  readonly resolve: (reply: WholeReply) => void;
  /** If undefined, a reply that changes the protocol is ignored. */
  readonly upgraded?: (connection: Upgraded) => void;
  readonly reject: (error: unknown) => void;
}

function ask(socketPath: string, request: string, { begun, resolve, upgraded, reject }: Ends): void {
  // Written after connecting: writing before that takes more time than it saves.
  const socket = connect(socketPath, () => socket.write(request));
  const chunks: Buffer[] = [];
  let bytes = 0;
  let head: Head | null = null;

  const end = (): void => {
    socket.off('data', take);
    socket.off('close', end);
    try {
      if (!head) throw new BrokenReply('it ended before the reply');
      if (head.length !== null && bytes < head.at + head.length) throw new BrokenReply('it ended within the reply');
      resolve({ status: head.status, text: textOf(join(chunks), head) });
    } catch (error) {
      reject(error);
    }
    setImmediate(() => socket.destroy()); // a command with its reply usually exits before that
  };
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    try {
      head ??= readHead(join(chunks), upgraded !== undefined);
      if (bytes > MAX_REPLY_BYTES) throw new BrokenReply(`a reply of more than ${MAX_REPLY_BYTES} bytes`);
    } catch (error) {
      reject(error);
      socket.destroy();
      return;
    }
    if (head?.status === SWITCHING && upgraded) {
      socket.pause();
      socket.off('data', take);
      socket.off('close', end);
      upgraded({ socket, rest: join(chunks).subarray(head.at), accept: head.accept });
    } else if (head !== null && head.length !== null && bytes >= head.at + head.length) end();
  };
  socket.on('data', take);
  socket.on('error', reject);
  socket.on('close', end); // has no effect after an error or a complete reply
  begun(socket);
}

const SWITCHING = 101;

const join = (chunks: Buffer[]): Buffer => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));

/** Returns null until the head is complete. Interim replies such as 100 Continue are skipped. */
function readHead(bytes: Buffer, isUpgrade: boolean): Head | null {
  for (let from = 0; ; ) {
    const end = bytes.indexOf(HEAD_END, from, 'latin1');
    if (end < 0) {
      if (bytes.length - from > MAX_HEAD_BYTES) throw new BrokenReply('what came is not HTTP');
      return null;
    }
    const head = parseHead(bytes.toString('latin1', from, end));
    from = end + HEAD_END.length;
    if (head.status >= 200 || (isUpgrade && head.status === SWITCHING)) return { ...head, at: from };
  }
}

function textOf(bytes: Buffer, { at, length, isChunked }: Head): string {
  if (isChunked) return joinChunks(bytes, at).toString('utf8');
  return bytes.toString('utf8', at, length === null ? bytes.length : at + length);
}

/** Joins `5\r\nhello\r\n0\r\n\r\n`: sizes are hexadecimal, extensions follow a semicolon, trailers are ignored. */
function joinChunks(bytes: Buffer, from: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const end = bytes.indexOf(LINE_END, at, 'latin1');
    const size = end < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) throw new BrokenReply(end < 0 ? 'it ended within the reply' : 'a chunk has no size');
    if (size === 0) return Buffer.concat(parts);
    at = end + LINE_END.length;
    if (at + size > bytes.length) throw new BrokenReply('it ended within the reply');
    parts.push(bytes.subarray(at, at + size));
    at += size + LINE_END.length;
  }
}
