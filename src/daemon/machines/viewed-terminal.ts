/**
 * A terminal of another machine for a client of this daemon: passes messages between the client's socket and a channel.
 *
 * A client that reads slowly pauses the channel. The other machine then skips output and sends the newest screen later.
 * A program that does not read what is typed pauses the client.
 */
import type { TerminalChannel } from '../../hub/index.js';
import { CLOSE } from '../../protocol/index.js';
import { DRAINED_BYTES, type TerminalSocket } from '../terminals/index.js';

/** The part of a channel that is used. */
type Viewed = Pick<TerminalChannel, 'send' | 'close' | 'pause' | 'resume' | 'bufferedAmount'> & {
  on(name: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(name: 'close', listener: (code: number, reason: string) => void): unknown;
};

/** Unsent bytes at which a side is paused, and at which it continues. */
const FULL_BYTES = 64 * 1024;
/** A WebSocket takes no longer reason. */
const MAX_REASON_BYTES = 120;

export function passTerminal(socket: TerminalSocket, channel: Viewed): void {
  pass(channel, socket);
  pass(socket, channel);
  channel.on('close', (code, reason) => socket.close(closingCode(code), shortened(reason)));
  socket.on('close', () => channel.close());
  socket.on('error', () => channel.close());
}

interface Side {
  readonly bufferedAmount: number;
  send(data: string | Buffer, sent: () => void): void;
  on(name: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  pause(): void;
  resume(): void;
}

function pass(from: Pick<Side, 'on' | 'pause' | 'resume'>, to: Pick<Side, 'send' | 'bufferedAmount'>): void {
  let isPaused = false;
  from.on('message', (data, isBinary) => {
    to.send(isBinary ? data : data.toString(), () => {
      if (!isPaused || to.bufferedAmount > DRAINED_BYTES) return;
      isPaused = false;
      from.resume();
    });
    if (isPaused || to.bufferedAmount <= FULL_BYTES) return;
    isPaused = true;
    from.pause();
  });
}

/** Returns a code that a WebSocket may send. */
const closingCode = (code: number): number =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
    ? code
    : CLOSE.failed;

const shortened = (reason: string): string =>
  Buffer.byteLength(reason) <= MAX_REASON_BYTES
    ? reason
    : new TextDecoder().decode(Buffer.from(reason).subarray(0, MAX_REASON_BYTES)).replace(/\uFFFD+$/, '');
