/**
 * Pace of one session: whether its program is read as it prints, or by the beat.
 *
 * In:   every read (`printed`); what makes somebody wait for the next one: a watcher, something typed (`quicken`).
 * Out:  the program read, or not; while the session reads at all (`resume`, `pause`).
 * By the beat is read what prints little, often, and unseen. The first output after quiet is read at once, and so is a flood.
 */
import { BEAT_MS, type Beat, type BeatMember } from './beat.js';
import type { Program } from './program.js';

/** Little: a read that is shorter was all that was there. */
const LITTLE_BYTES = 2048;
/** Often: so soon after the time before, and so many times in a row. */
const OFTEN_MS = 2 * BEAT_MS;
const OFTEN = 8;
/** Nothing for so long is quiet. */
const QUIET_MS = 6 * BEAT_MS;

export interface PacePorts {
  readonly program: Pick<Program, 'resume' | 'pause' | 'poll'>;
  readonly beat: Beat;
  /** Nobody sees how soon it is read. */
  readonly isUnseen: () => boolean;
}

export class Pace implements BeatMember {
  readonly #ports: PacePorts;
  #isReading = false;
  #isInBeat = false;
  #printedAt = 0;
  /** How many times in a row it has printed little, soon after the time before. */
  #often = 0;

  constructor(ports: PacePorts) {
    this.#ports = ports;
  }

  resume(): void {
    this.#isReading = true;
    if (!this.#isInBeat) this.#ports.program.resume();
  }

  pause(): void {
    this.#isReading = false;
    this.quicken();
    this.#ports.program.pause();
  }

  /** So many bytes were read. */
  printed(bytes: number): void {
    const now = performance.now();
    const isOften = bytes < LITTLE_BYTES && now - this.#printedAt < OFTEN_MS;
    this.#printedAt = now;
    this.#often = isOften ? this.#often + 1 : 0;
    if (this.#often >= OFTEN && !this.#isInBeat && this.#isReading && this.#ports.isUnseen()) this.#slacken(now);
  }

  /** From here on it is read as it prints. */
  quicken(): void {
    this.#often = 0;
    this.#ports.beat.leave(this);
    if (this.#isInBeat) this.release();
  }

  beat(now: number): void {
    const bytes = this.#ports.program.poll();
    if (bytes >= LITTLE_BYTES || (bytes === 0 && now - this.#printedAt > QUIET_MS)) this.quicken();
  }

  release(): void {
    this.#isInBeat = false;
    if (this.#isReading) this.#ports.program.resume();
  }

  #slacken(now: number): void {
    if (!this.#ports.beat.join(this, now)) return;
    this.#isInBeat = true;
    this.#ports.program.pause();
  }
}
