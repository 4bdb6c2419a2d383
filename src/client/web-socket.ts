/**
 * A WebSocket's client on the daemon's Unix socket: as much of RFC 6455 as our own daemon speaks.
 *
 * In:   a connection that was upgraded (whole-reply.ts); what to send.
 * Out:  whole messages, in order, none before `resume`; how it ended.
 * Written because loading `ws`, and node:http and node:crypto with it, takes 20 ms, most of what `orchd attach` did
 * before the first screen. No extension is asked for. What breaks the protocol ends it with 1002.
 */
import { BrokenFrame, type Frame, FrameReader, frameOf, OPCODE } from './web-frames.js';
import type { Upgraded } from './whole-reply.js';

/** 1000 and above as RFC 6455, 7.4.1 has them: 1005 where no code was said, 1006 where the connection broke. */
export interface WebSocketEnd {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketClient {
  /** Text as a text message, bytes as a binary one. Resolves when the system has taken it, or when it is over. */
  send(data: Uint8Array | string): Promise<void>;
  /** No message comes until `resume`. */
  pause(): void;
  /** Messages come, after this returns. */
  resume(): void;
  /** Says goodbye; `ended` resolves when the other side has said it, too, or after CLOSE_MS. */
  close(code: number): void;
  /** Never rejects. No message comes after it. */
  readonly ended: Promise<WebSocketEnd>;
}

/**
 * The key tells a server that knows the protocol from a cache that repeats an old reply. There is none on a Unix
 * socket, so it need not be another one each time, and its answer (`base64(sha1(key + GUID))`) is known.
 */
const [KEY, ACCEPT] = ['b3JjaGQncyBvd24gY2xpZQ==', 'wxHY7h6juerr1yhIjCtPJ8RIymk='];

/** Of the request. */
export const UPGRADE_FIELDS = {
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': KEY,
} as const;

/** Whether what answered knows what was asked of it. */
export const isAccepted = ({ accept }: Upgraded): boolean => accept === ACCEPT;

const [PROTOCOL_ERROR, NO_CODE, BROKEN] = [1002, 1005, 1006];
/** Nobody waits longer for the other side's farewell. */
const CLOSE_MS = 30_000;

/** @param take  Given each message; the bytes are its own. */
export function createWebSocket(
  { socket, rest }: Upgraded,
  take: (data: Buffer, isBinary: boolean) => void,
): WebSocketClient {
  const reader = new FrameReader(rest);
  /** The frames of a message whose last one is still to come. */
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
    socket.off('data', push); // whatever still comes is not kept
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
  /** Gives what is there, as long as it is wanted. */
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
      resume(); // a paused connection would not read the other side's farewell
    },
    ended,
  };
}
