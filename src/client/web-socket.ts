/**
 * A WebSocket client on the daemon's Unix socket, with only the parts of RFC 6455 that the daemon uses.
 *
 * In:   an upgraded connection (whole-reply.ts), and messages to send.
 * Out:  whole messages in order, none before `resume`, and the reason of the end.
 * It exists because loading `ws`, with node:http and node:crypto, takes 20 ms, most of the time of `orchd attach`
 * before the first screen. No extension is requested. Invalid bytes end the connection with 1002.
 */
import { BrokenFrame, type Frame, FrameReader, frameOf, OPCODE } from './web-frames.js';
import type { Upgraded } from './whole-reply.js';

/** Code 1000 and above as in RFC 6455, 7.4.1: 1005 if no code was sent, 1006 if the connection broke. */
export interface WebSocketEnd {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketClient {
  /**
   * Sends text as a text message, bytes as a binary one. Resolves when the system has accepted it, or when the
   * connection is over.
   */
  send(data: Uint8Array | string): Promise<void>;
  /** Delivers no message until `resume`. */
  pause(): void;
  /** Delivers messages after this call returns. */
  resume(): void;
  /** Sends a close frame. `ended` resolves after the other side's close frame, or after CLOSE_MS. */
  close(code: number): void;
  /** Never rejects. No message is delivered after it. */
  readonly ended: Promise<WebSocketEnd>;
}

/**
 * The key proves that the reply is not an old one from a cache. A Unix socket has no cache, so the key is constant and
 * the expected reply (`base64(sha1(key + GUID))`) is known.
 */
const [KEY, ACCEPT] = ['b3JjaGQncyBvd24gY2xpZQ==', 'wxHY7h6juerr1yhIjCtPJ8RIymk='];

/** Header fields of the upgrade request. */
export const UPGRADE_FIELDS = {
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': KEY,
} as const;

/** True if the reply matches the request's key. */
export const isAccepted = ({ accept }: Upgraded): boolean => accept === ACCEPT;

const [PROTOCOL_ERROR, NO_CODE, BROKEN] = [1002, 1005, 1006];
/** Maximum time to wait for the other side's close frame. */
const CLOSE_MS = 30_000;

/** @param take  Called with each message, and owns the bytes. */
export function createWebSocket(
  { socket, rest }: Upgraded,
  take: (data: Buffer, isBinary: boolean) => void,
): WebSocketClient {
  const reader = new FrameReader(rest);
  /** The frames of a message whose last frame has not arrived. */
  let begun: { readonly isBinary: boolean; readonly parts: Buffer[] } | null = null;
  let isPaused = true;
  let hasSaidGoodbye = false;
  let end: WebSocketEnd | null = null;

  const sayGoodbye = (payload: Uint8Array): void => {
    if (hasSaidGoodbye || socket.destroyed) return;
    hasSaidGoodbye = true;
    socket.write(frameOf(OPCODE.close, payload));
    const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
    socket.once('close', () => clearTimeout(timer));
  };
  const endWith = (code: number, reason: string, payload: Uint8Array): void => {
    end ??= { code, reason };
    sayGoodbye(payload);
    socket.off('data', push); // later bytes are dropped
    socket.end();
  };
  const takeFrame = ({ opcode, isLast, payload }: Frame): void => {
    if (opcode === OPCODE.ping) {
      if (!hasSaidGoodbye) socket.write(frameOf(OPCODE.pong, payload));
    } else if (opcode === OPCODE.close) {
      const code = payload.length < 2 ? NO_CODE : payload.readUInt16BE(0);
      endWith(code, payload.toString('utf8', 2), payload.subarray(0, 2));
    } else if (opcode !== OPCODE.pong) {
      const isFirst = opcode !== OPCODE.more;
      if (opcode > OPCODE.binary || isFirst !== (begun === null)) throw new BrokenFrame('a frame out of order');
      begun ??= { isBinary: opcode === OPCODE.binary, parts: [] };
      begun.parts.push(payload);
      if (!isLast) return;
      const { isBinary, parts } = begun;
      begun = null;
      take(parts.length === 1 ? payload : Buffer.concat(parts), isBinary);
    }
  };
  /** Delivers the available messages until paused. */
  const drain = (): void => {
    try {
      while (!isPaused && end === null) {
        const frame = reader.next();
        if (frame === null) break;
        takeFrame(frame);
      }
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      endWith(PROTOCOL_ERROR, error.message, Buffer.of(PROTOCOL_ERROR >> 8, PROTOCOL_ERROR & 0xff));
    }
    if (isPaused) socket.pause();
    else socket.resume();
  };
  const resume = (): void => {
    if (!isPaused) return;
    isPaused = false;
    queueMicrotask(drain);
  };
  const push = (chunk: Buffer): void => {
    reader.push(chunk);
    drain();
  };
  const ended = new Promise<WebSocketEnd>((resolve) => {
    socket.once('close', () => {
      end ??= { code: BROKEN, reason: '' };
      resolve(end);
    });
  });
  socket.on('data', push);
  return {
    send: (data) =>
      new Promise((resolve) => {
        if (hasSaidGoodbye || socket.destroyed) resolve();
        else if (typeof data === 'string') socket.write(frameOf(OPCODE.text, Buffer.from(data)), () => resolve());
        else socket.write(frameOf(OPCODE.binary, data), () => resolve());
      }),
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume,
    close(code) {
      sayGoodbye(Buffer.of(code >> 8, code & 0xff));
      resume(); // a paused connection would not read the other side's close frame
    },
    ended,
  };
}
