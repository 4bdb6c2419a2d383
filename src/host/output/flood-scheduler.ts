/**
 * Lets floods take turns while a person waits. A flood is a session whose program prints as fast as the host reads.
 *
 * In:   the times at which something is typed into any session, a client begins to show one, or a command of the CLI
 *       begins (`personWaits`); each read of a flood (`take`); floods that are not read for another reason (`leave`).
 * Out:  whether the flood may be read on. If not, `onTurn` is called when it may.
 *
 * For WAITING_MS after that, at most `most` floods are read at the same time, each up to TURN_BYTES. The others fill
 * their terminals and sleep. Otherwise host, daemon and client would wait for a processor at every step between a key
 * and its echo. A flood that stops printing loses its turn at the next beat.
 */
import { availableParallelism } from 'node:os';
import type { Beat, BeatMember } from './beat.js';

/** Longer than the time between two keys of a person who types. */
export const WAITING_MS = 1_000;
/** Number of floods that are read at the same time. One processor is left for host, daemon and client. */
export const FLOODS_AT_A_TIME = Math.max(1, availableParallelism() - 1);
/** A turn is a few milliseconds of output. */
export const TURN_BYTES = 64 * 1024;

export interface Flood {
  /**
   * Called when the flood may be read on.
   * @returns False if it is not read for another reason.
   */
  onTurn(): boolean;
}

interface FloodTurnsPorts {
  readonly beat: Pick<Beat, 'join' | 'now'>;
  /** Number of floods that are read at the same time. */
  readonly most: number;
}

export class FloodScheduler implements BeatMember {
  readonly #ports: FloodTurnsPorts;
  #waitingAt = Number.NEGATIVE_INFINITY;
  /** The floods that have their turn, each with the number of bytes read in this turn. */
  readonly #reading = new Map<Flood, number>();
  readonly #waiting = new Set<Flood>();
  /** Floods that were read since the last beat. */
  readonly #active = new Set<Flood>();

  constructor(ports: FloodTurnsPorts) {
    this.#ports = ports;
  }

  /** Called before a key is written to a program, and when a client begins to show a session or to run a command. */
  personWaits(): void {
    this.#waitingAt = this.#ports.beat.now();
  }

  /** @returns True if the flood may be read on. */
  take(flood: Flood, bytes: number): boolean {
    if (!this.#isWaited) return true;
    this.#ports.beat.join(this);
    this.#active.add(flood);
    const before = this.#reading.get(flood);
    const read = (before ?? 0) + bytes;
    const isLast = before === undefined ? this.#isFull : read >= TURN_BYTES && this.#waiting.size > 0;
    if (!isLast) {
      this.#reading.set(flood, read);
      return true;
    }
    this.#reading.delete(flood);
    this.#waiting.add(flood);
    this.#next();
    return false;
  }

  /** Called when the flood is not read any more, or is read in any case. */
  leave(flood: Flood): void {
    this.#waiting.delete(flood);
    if (this.#reading.delete(flood)) this.#next();
  }

  beat(): void {
    for (const flood of this.#reading.keys()) if (!this.#active.has(flood)) this.#reading.delete(flood);
    this.#active.clear();
    this.#next();
    if (this.#waiting.size > 0) this.#ports.beat.join(this);
  }

  settle(): void {
    // Nothing to do: the output collector of each flood reports the rest of the output itself.
  }

  get #isWaited(): boolean {
    return this.#ports.beat.now() - this.#waitingAt < WAITING_MS;
  }

  get #isFull(): boolean {
    return this.#reading.size >= this.#ports.most;
  }

  /** Gives a turn to the floods that have waited longest; to all of them after the last key. */
  #next(): void {
    for (const flood of [...this.#waiting]) {
      if (this.#isFull && this.#isWaited) return;
      this.#waiting.delete(flood);
      if (!flood.onTurn()) continue;
      this.#reading.set(flood, 0);
      this.#active.add(flood);
    }
  }
}
