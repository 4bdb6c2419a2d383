/**
 * Collects one session's output into records, and decides how soon the host reads the session again and notifies the
 * daemon.
 *
 * In:   chunks as they are read (`read`); flow control (`resume`, `pause`); that a client waits for output
 *       (`quicken`).
 * Out:  `append`, with a buffer that is free again when it returns, and the urgency of the notice.
 *
 *     awaited   a client watches, or something was typed a moment ago: appended and announced at once;
 *               after a burst every AWAITED_MS
 *     unseen    a short read was all there was: appended, announced with the next beat (beat.ts), and not read again
 *               before that. While many sessions print, the host reads each of them once per beat, up to its next
 *               pause: that costs less than a notice for each output
 *     flood     read on without a pause, or in turns while a person types (flood-scheduler.ts); appended and announced
 *               in records of 64 KiB, or with the beat
 *
 * The first output after a pause is announced at once, but with the beat while a crowd prints: a notice of its own
 * would wake two processes. A session that prints nothing has neither a buffer nor a timer.
 */

import { HEADER_BYTES } from '../journal/index.js';
import { MAX_CHUNK_BYTES, type Program } from '../program/index.js';
import type { Beat, BeatMember } from './beat.js';
import type { Flood, FloodScheduler } from './flood-scheduler.js';

const BATCH_BYTES = 64 * 1024;
/** Minimum time between two appends of awaited output after a burst. */
const AWAITED_MS = 2;
/** Number of appends without delay after a pause. The echo of a key arrives in several writes, and none should wait. */
const BURST = 4;
/** A read of fewer bytes has emptied the terminal's buffer. */
const SHORT_BYTES = 2048;
/**
 * Output in two successive beats that counts as a flood. If the host paused reading, the program would have to wait.
 */
const FLOOD_BYTES = 16 * 1024;
/** Silence after which the next output is announced at once. */
const PAUSE_MS = 500;

/** Unused buffers. Only sessions that are printing at the moment use one. */
const pool: Buffer[] = [];
const POOLED = 8;

interface OutputPorts {
  readonly program: Pick<Program, 'resume' | 'pause' | 'poll'>;
  readonly beat: Beat;
  readonly floods: Pick<FloodScheduler, 'take' | 'leave'>;
  /** True while a client waits for what the session prints. */
  readonly isAwaited: () => boolean;
  /** Receives output that begins at HEADER_BYTES of the buffer. */
  readonly append: (buffer: Buffer, bytes: number, when: 'at_once' | 'beat') => void;
}

export class OutputCollector implements BeatMember, Flood {
  /** Number of bytes that were read and not appended yet. */
  bytes = 0;
  /** Time of the last append (or of the start), in ms of the monotonic clock. */
  appendedAt: number;
  readonly #ports: OutputPorts;
  #buffer: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Number of appends that may happen at once. One is added after each AWAITED_MS. */
  #left = BURST;
  /** True while flow control allows reading. */
  #isReading = false;
  /** True if the session was read and is not read again before the next beat. */
  #isResting = false;
  /** True while this session must not be read because other floods have their turn (flood-scheduler.ts). */
  #isWaiting = false;
  /** True if the collected output began after a pause. */
  #isFirst = false;
  #readAt: number;
  #inThisBeat = 0;
  #inLastBeat = 0;

  constructor(ports: OutputPorts) {
    this.#ports = ports;
    this.appendedAt = ports.beat.now();
    this.#readAt = this.appendedAt - PAUSE_MS;
  }

  /** @param chunk  Borrowed: valid only during the call. At most MAX_CHUNK_BYTES. */
  read(chunk: Buffer): void {
    const { beat, isAwaited } = this.#ports;
    const now = beat.now();
    this.#isFirst ||= !beat.isRunning || now - this.#readAt >= PAUSE_MS;
    this.#readAt = now;
    this.#buffer ??= pool.pop() ?? Buffer.allocUnsafeSlow(HEADER_BYTES + BATCH_BYTES);
    this.#buffer.set(chunk, HEADER_BYTES + this.bytes);
    this.bytes += chunk.length;
    // The buffer counts as full if the next chunk might not fit.
    const isFull = this.bytes + MAX_CHUNK_BYTES > BATCH_BYTES;
    if (isFull) this.flush();
    if (isAwaited()) {
      if (!isFull) this.#passOn(now);
      return;
    }
    beat.join(this);
    this.#inThisBeat += chunk.length;
    const isFlood = chunk.length >= SHORT_BYTES || this.#inThisBeat + this.#inLastBeat >= FLOOD_BYTES;
    if (isFlood) {
      if (!this.#ports.floods.take(this, chunk.length)) this.#wait();
      return;
    }
    this.#append(this.#isFirst && !beat.isCrowd ? 'at_once' : 'beat', now);
    this.#rest();
  }

  /** Appends the collected output. */
  flush(): void {
    this.#append('at_once', this.#ports.beat.now());
  }

  /** Allows reading (flow control). */
  resume(): void {
    this.#isReading = true;
    if (!this.#isResting && !this.#isWaiting) this.#ports.program.resume();
  }

  /** Stops reading (flow control). */
  pause(): void {
    this.#isReading = false;
    this.#leave();
    this.#ports.program.pause();
  }

  onTurn(): boolean {
    this.#isWaiting = false;
    if (this.#isReading && !this.#isResting) this.#ports.program.resume();
    return this.#isReading;
  }

  /** Called when a client waits for the next output. */
  quicken(): void {
    this.flush();
    this.#leave();
    this.#goOn();
  }

  beat(): void {
    this.#inLastBeat = this.#inThisBeat;
    this.#inThisBeat = 0;
    const { beat, isAwaited } = this.#ports;
    if (this.#isResting && this.#isReading && beat.isCrowd && !isAwaited()) this.#poll();
    else this.#goOn();
  }

  /** Reads once. A session that is silent stays a member of the beat up to its pause. */
  #poll(): void {
    const { program, beat } = this.#ports;
    this.#isResting = false;
    const bytes = program.poll();
    if (bytes === 0 && beat.now() - this.#readAt < PAUSE_MS) {
      this.#isResting = true;
      beat.join(this);
    } else if (!this.#isResting && !this.#isWaiting && this.#isReading) program.resume();
  }

  settle(): void {
    const { beat, isAwaited } = this.#ports;
    const now = beat.now();
    if (this.#timer === null) this.#append('beat', now);
    const isRead = this.#isResting || this.#isWaiting || this.#inThisBeat > 0;
    if (isRead || !beat.isCrowd || now - this.#readAt >= PAUSE_MS || isAwaited()) return;
    this.#rest();
    beat.join(this);
  }

  #rest(): void {
    this.#isResting = true;
    this.#ports.program.pause();
  }

  #wait(): void {
    this.#isWaiting = true;
    this.#isResting = false;
    this.#ports.program.pause();
  }

  #leave(): void {
    this.#ports.floods.leave(this);
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    if (this.#isReading && !this.#isResting) this.#ports.program.resume();
  }

  #goOn(): void {
    if (!this.#isResting) return;
    this.#isResting = false;
    if (this.#isReading && !this.#isWaiting) this.#ports.program.resume();
  }

  #passOn(now: number): void {
    if (this.#timer === null && this.#leftAt(now) >= 1) this.#append('at_once', now);
    else this.#timer ??= setTimeout(() => this.flush(), AWAITED_MS);
  }

  #append(when: 'at_once' | 'beat', now: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { bytes } = this;
    const buffer = this.#buffer;
    if (!buffer) return;
    // Cleared before the append, because `append` calls `flush` again if the disk is full.
    this.#buffer = null;
    this.bytes = 0;
    this.#isFirst = false;
    this.#left = Math.max(0, this.#leftAt(now) - 1);
    this.appendedAt = now;
    this.#ports.append(buffer, bytes, when);
    if (pool.length < POOLED) pool.push(buffer);
  }

  #leftAt(now: number): number {
    return Math.min(BURST, this.#left + (now - this.appendedAt) / AWAITED_MS);
  }
}
