/**
 * One terminal between two machines: text and binary messages in both directions, over subjects of the hub.
 *
 * In:   messages to send; sealed frames of the other machine.
 * Out:  its messages in order, and the end. It has the interface of a WebSocket as far as terminal streams use it.
 * The hub may lose frames, for example when it is cut off. A missing frame ends the channel with the code 4001, and so
 * does a machine that is silent for SILENT_BEATS beats. The viewer then opens another one and gets a fresh screen.
 *
 * Memory is bounded on both sides. A message counts as unsent (`bufferedAmount`) until the other machine has said that
 * it took it; the sender stops or skips output by that number. A receiver that is paused takes nothing.
 */
import { EventEmitter } from 'node:events';
import { CLOSE } from '../../protocol/index.js';
import { decodeFrame, encodeFrame, type Frame } from './frame.js';
import type { Seal } from './seal.js';

interface ChannelPorts {
  readonly peer: string;
  readonly seal: Seal;
  /** Maximum bytes of a message in one frame. */
  readonly maxPieceBytes: number;
  /** @throws {Error} if there is no connection. */
  publish(sealed: Buffer): void;
  /** Called once when the channel has ended. */
  ended(): void;
}

/** The closing code if the other machine cannot be reached any more. Another channel may be opened. */
const TOO_LARGE = 1009;
const OPEN = 1;
const CLOSED = 3;

export const BEAT_MS = 2_000;
/** Beats without a frame of the other machine after which it counts as gone. */
export const SILENT_BEATS = 4;
/** Handled bytes are reported to the sender after this number of bytes, or after TAKEN_MS. */
const TAKEN_BYTES = 16 * 1024;
const TAKEN_MS = 20;
/** The longest message. A screen with its scrollback is much smaller. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Bytes that the other machine may send while this one takes nothing; orchd itself stops far below. */
const MAX_HELD_BYTES = 2 * MAX_MESSAGE_BYTES;
/** The pieces of a message, and the messages that are held: empty ones take memory, too. */
const MAX_PARTS = 128 * 1024;

interface Sent {
  /** The payload bytes up to the end of this message. */
  readonly end: number;
  readonly sent: (() => void) | undefined;
}

type Held = { readonly data: Buffer; readonly isBinary: boolean } | { readonly code: number; readonly reason: string };

interface ChannelEvents {
  /** The first frame of the other machine has arrived. */
  ready: [];
  message: [data: Buffer, isBinary: boolean];
  close: [code: number, reason: string];
  error: [error: Error];
}

/** One end of a terminal channel between two machines. */
export class TerminalChannel extends EventEmitter<ChannelEvents> {
  readonly OPEN = OPEN;
  readyState = OPEN;
  readonly #ports: ChannelPorts;
  readonly #beating: NodeJS.Timeout;
  /** Payload bytes since the beginning: sent, and taken by the other machine. */
  #sentBytes = 0;
  #takenThere = 0;
  readonly #unsent: Sent[] = [];
  #hasSent = false;
  #expected = 0;
  #silentBeats = 0;
  /** The pieces of the message that is arriving. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** The messages that arrived while this end is paused; null otherwise. */
  #held: Held[] | null = null;
  #heldBytes = 0;
  #takenHere = 0;
  #reported = 0;
  #reporting: NodeJS.Timeout | null = null;

  constructor(ports: ChannelPorts) {
    super();
    this.#ports = ports;
    this.#beating = setInterval(() => this.#beat(), BEAT_MS);
  }

  /** Bytes that the other machine has not taken. */
  get bufferedAmount(): number {
    return this.#sentBytes - this.#takenThere;
  }

  /** Tells the other machine that this one is there. */
  greet(): void {
    this.#publish({ kind: 'beat' });
  }

  /** @param sent  Called when the other machine has taken the message, or the channel has ended. */
  send(data: string | Buffer, sent?: () => void): void {
    if (this.readyState !== OPEN) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (bytes.length > MAX_MESSAGE_BYTES) return void this.close(TOO_LARGE, 'a message is too large for the hub');
    this.#sentBytes += bytes.length;
    this.#unsent.push({ end: this.#sentBytes, sent });
    const isBinary = typeof data !== 'string';
    for (let at = 0; ; ) {
      const piece = bytes.subarray(at, at + this.#ports.maxPieceBytes);
      at += piece.length;
      this.#publish({ kind: 'piece', isBinary, isLast: at === bytes.length, bytes: piece });
      if (at === bytes.length) return;
    }
  }

  /** Handles a frame on the subject of this end. Frames that the other machine has not sealed are ignored. */
  receive(sealed: Uint8Array): void {
    if (this.readyState !== OPEN) return;
    const opened = this.#ports.seal.open(sealed);
    if (!opened || opened.sequence < this.#expected) return; // a frame of a stranger, or a copy
    if (opened.sequence > this.#expected) return void this.lost(`output of '${this.#ports.peer}' was lost`);
    this.#silentBeats = 0;
    if (this.#expected++ === 0) this.emit('ready');
    const frame = decodeFrame(opened.frame);
    if (frame?.kind === 'piece') this.#take(frame);
    else if (frame?.kind === 'taken') this.#taken(frame.total);
    else if (frame?.kind === 'close') this.#arrived({ code: frame.code, reason: frame.reason });
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#heldBytes = 0;
    for (const one of held) this.#arrived(one); // a listener may pause again
  }

  close(code: number = CLOSE.normal, reason = ''): void {
    if (this.readyState !== OPEN) return;
    this.#publish({ kind: 'close', code, reason });
    this.#end(code, reason);
  }

  /** Ends the channel without telling the other machine, which does not hear it. */
  lost(reason: string): void {
    this.#end(CLOSE.machineLost, reason);
  }

  #beat(): void {
    if (this.#silentBeats++ >= SILENT_BEATS) return void this.lost(`'${this.#ports.peer}' does not reply`);
    if (!this.#hasSent) this.#publish({ kind: 'beat' });
    this.#hasSent = false;
  }

  #publish(frame: Frame): void {
    if (this.readyState !== OPEN) return;
    this.#hasSent = true;
    try {
      this.#ports.publish(this.#ports.seal.seal(encodeFrame(frame)));
    } catch {
      this.lost('no connection to the hub');
    }
  }

  #take({ isBinary, isLast, bytes }: Extract<Frame, { kind: 'piece' }>): void {
    this.#pieces.push(bytes);
    this.#piecesBytes += bytes.length;
    if (this.#piecesBytes > MAX_MESSAGE_BYTES || this.#pieces.length > MAX_PARTS)
      return void this.close(TOO_LARGE, 'a message is too large');
    if (!isLast) return;
    const data = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#piecesBytes = 0;
    this.#arrived({ data, isBinary });
  }

  #arrived(one: Held): void {
    if (this.readyState !== OPEN) return;
    if (this.#held) {
      this.#held.push(one);
      this.#heldBytes += 'data' in one ? one.data.length : 0;
      if (this.#heldBytes > MAX_HELD_BYTES || this.#held.length > MAX_PARTS) this.close(TOO_LARGE, 'too much was sent');
    } else if ('data' in one) {
      this.#takenHere += one.data.length;
      this.#report();
      this.emit('message', one.data, one.isBinary);
    } else this.#end(one.code, one.reason);
  }

  #report(): void {
    if (this.#takenHere - this.#reported >= TAKEN_BYTES) this.#reportNow();
    else this.#reporting ??= setTimeout(() => this.#reportNow(), TAKEN_MS);
  }

  #reportNow(): void {
    if (this.#reporting) clearTimeout(this.#reporting);
    this.#reporting = null;
    if (this.#reported === this.#takenHere) return;
    this.#reported = this.#takenHere;
    this.#publish({ kind: 'taken', total: this.#takenHere });
  }

  #taken(total: number): void {
    this.#takenThere = Math.min(Math.max(total, this.#takenThere), this.#sentBytes);
    while (this.#unsent[0] && this.#unsent[0].end <= this.#takenThere) this.#unsent.shift()?.sent?.();
  }

  #end(code: number, reason: string): void {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSED;
    clearInterval(this.#beating);
    if (this.#reporting) clearTimeout(this.#reporting);
    this.#held = null;
    this.#pieces = [];
    this.#ports.ended();
    for (const { sent } of this.#unsent.splice(0)) sent?.();
    this.emit('close', code, reason);
  }
}
