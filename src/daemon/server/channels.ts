/**
 * Terminal streams of a page, over its one WebSocket beside the events. protocol/terminal-stream.md defines the
 * messages.
 *
 *     client  {"type":"open","channel":N,"session":S,"query":Q}     Q as in the URL of a terminal stream
 *             {"type":"message","channel":N,"message":{…}}          a text message of the stream
 *             {"type":"taken","channel":N,"messages":K}             K messages of the stream were handled so far
 *             {"type":"close","channel":N}
 *     daemon  {"type":"message","channel":N,"message":{…}}
 *             {"type":"closed","channel":N,"code":C,"reason":R}
 *     both    binary: N in 4 bytes, big-endian, then bytes of the stream
 *
 * A message counts as unsent until the client has said that it handled it. So a page that draws slowly is treated like
 * a slow connection: its streams skip to the newest screen, and no session waits.
 */
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { CHANNEL_BYTES, CLOSE, OrchdError } from '../../protocol/index.js';
import type { TerminalSocket } from '../terminals/index.js';
import { toOrchdError } from './problem.js';

/** A page shows fewer terminals and thumbnails at once. */
const MAX_CHANNELS = 128;
/** Bytes that a client may send while its program does not read. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Close code for a message that does not follow this protocol. */
const NOT_UNDERSTOOD = 1007;
const OPEN = 1;
const CLOSED = 3;

/**
 * Begins a terminal stream. Its errors refuse the channel.
 *
 * @returns Resolves when the stream has begun; null if it has.
 */
type OpenTerminal = (session: string, query: URLSearchParams, socket: TerminalSocket) => Promise<void> | null;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

class Channel extends EventEmitter implements TerminalSocket {
  readonly OPEN = OPEN;
  readyState = OPEN;
  readonly #number: number;
  readonly #socket: WebSocket;
  /** Messages that the client has not handled, the oldest first. */
  readonly #unsent: { readonly bytes: number; readonly sent: (() => void) | undefined }[] = [];
  /** Messages that the client has handled. */
  #taken = 0;
  #unsentBytes = 0;
  /** Messages of the client while the stream is paused; otherwise null. */
  #held: Message[] | null = null;
  #heldBytes = 0;

  constructor(socket: WebSocket, number: number) {
    super();
    this.#socket = socket;
    this.#number = number;
  }

  get bufferedAmount(): number {
    return this.#unsentBytes;
  }

  send(data: string | Buffer, sent?: () => void): void {
    if (this.readyState !== OPEN) return;
    this.#unsent.push({ bytes: data.length, sent });
    this.#unsentBytes += data.length;
    if (typeof data === 'string') {
      this.#socket.send(`{"type":"message","channel":${this.#number},"message":${data}}`);
      return;
    }
    const header = Buffer.alloc(CHANNEL_BYTES);
    header.writeUInt32BE(this.#number);
    this.#socket.send(Buffer.concat([header, data]));
  }

  /** @param count  Messages that the client has handled since the channel was opened. */
  taken(count: number): void {
    const done = this.#unsent.splice(0, Math.max(0, count - this.#taken));
    this.#taken += done.length;
    for (const { bytes } of done) this.#unsentBytes -= bytes;
    for (const { sent } of done) sent?.();
  }

  /** Handles one WebSocket message. */
  receive(data: Buffer, isBinary: boolean): void {
    if (this.#held === null) {
      this.emit('message', data, isBinary);
      return;
    }
    this.#held.push({ data, isBinary });
    this.#heldBytes += data.length;
    if (this.#heldBytes > MAX_HELD_BYTES) this.close(CLOSE.notAllowed, 'the program does not read what is typed');
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#heldBytes = 0;
    for (const { data, isBinary } of held) this.receive(data, isBinary);
  }

  close(code: number = CLOSE.normal, reason = ''): void {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSED;
    if (this.#socket.readyState === OPEN)
      this.#socket.send(JSON.stringify({ type: 'closed', channel: this.#number, code, reason }));
    const unsent = this.#unsent.splice(0);
    this.#unsentBytes = 0;
    for (const { sent } of unsent) sent?.();
    this.emit('close');
  }
}

/** Serves the channels of one WebSocket until it closes. */
export function serveChannels(socket: WebSocket, open: OpenTerminal): void {
  const channels = new Map<number, Channel>();

  function begin(number: number, session: string, query: URLSearchParams): void {
    const channel = new Channel(socket, number);
    channels.set(number, channel);
    channel.on('close', () => channels.delete(number));
    channel.on('error', () => channel.close());
    const refuse = (error: unknown): void => {
      const { code, message } = toOrchdError(error);
      channel.send(JSON.stringify({ type: 'refused', code, error: message }));
      channel.close(CLOSE.notAllowed, code);
    };
    try {
      if (channels.size > MAX_CHANNELS)
        throw new OrchdError('ORCHD_INVALID', `more than ${MAX_CHANNELS} terminals in one page`);
      open(session, query, channel)?.catch(refuse);
    } catch (error) {
      refuse(error);
    }
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      if (data.length < CHANNEL_BYTES) return;
      channels.get(data.readUInt32BE())?.receive(data.subarray(CHANNEL_BYTES), true);
      return;
    }
    const request = parse(data.toString());
    const channel = request && channels.get(request.channel);
    if (request === null || (channel && request.type === 'open'))
      return socket.close(NOT_UNDERSTOOD, 'an unknown message, or a channel that is open');
    if (request.type === 'open') begin(request.channel, request.session, new URLSearchParams(request.query));
    else if (request.type === 'close') channel?.close();
    else if (request.type === 'taken') channel?.taken(request.messages);
    else channel?.receive(Buffer.from(JSON.stringify(request.message)), false);
  });
  socket.on('close', () => {
    for (const channel of [...channels.values()]) channel.close(CLOSE.goingAway);
  });
}

type Request =
  | { readonly type: 'open'; readonly channel: number; readonly session: string; readonly query: string }
  | { readonly type: 'message'; readonly channel: number; readonly message: object }
  | { readonly type: 'taken'; readonly channel: number; readonly messages: number }
  | { readonly type: 'close'; readonly channel: number };

/** Returns null if the text is not a message of this protocol. */
function parse(text: string): Request | null {
  try {
    const { type, channel, session, query, message, messages } = JSON.parse(text) as Record<string, unknown>;
    if (typeof channel !== 'number' || !Number.isInteger(channel) || channel < 0 || channel > 0xffffffff) return null;
    if (type === 'open' && typeof session === 'string' && typeof query === 'string')
      return { type, channel, session, query };
    if (type === 'message' && typeof message === 'object' && message !== null) return { type, channel, message };
    if (type === 'taken' && typeof messages === 'number') return { type, channel, messages };
    return type === 'close' ? { type, channel } : null;
  } catch {
    return null;
  }
}
