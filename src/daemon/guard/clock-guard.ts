/**
 * Clock guard: notices a wall clock that has jumped, so that a wrong time deletes nothing.
 *
 * In:   the wall clock, a clock that only counts the time for which the daemon runs, and a file with the last time that
 *       was believed. Without the file: the time of the newest stored event.
 * Out:  `jump()`: null while the clock is believed. A difference of more than MAX_GAP_MS from the last believed time is
 *       a jump. It lasts until the clock is right again, a person confirms it (`believe`), or the daemon has run for
 *       BELIEVED_AFTER_MS under the new time.
 *
 * A machine that was off for longer than MAX_GAP_MS looks the same. Old data is then kept for some days more.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { readOwnFile } from '../../host/index.js';
import { DAY_MS } from '../../protocol/index.js';

const MAX_GAP_MS = 7 * DAY_MS;
const BELIEVED_AFTER_MS = 7 * DAY_MS;
/** Interval for storing the current time. */
const NOTE_MS = 60 * 60 * 1000;

interface ClockGuardPorts {
  readonly file: string;
  /** Time of the newest stored event, in milliseconds since the epoch; null if there is none. */
  readonly newestEventAt: number | null;
  /** The wall clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for which the daemon has run. */
  readonly ranMs: () => number;
}

export interface ClockJump {
  /** The last time that was believed, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

interface Believed {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds for which daemons have run since the clock jumped; 0 while it is believed. */
  readonly doubtedMs: number;
}

/** Detects jumps of the wall clock, which must not cause data to be deleted. */
export class ClockGuard {
  readonly #ports: ClockGuardPorts;
  readonly #timer: NodeJS.Timeout;
  #believed: Believed;
  /** The daemon's running time at the last check. */
  #checkedMs: number;

  constructor(ports: ClockGuardPorts) {
    this.#ports = ports;
    this.#believed = read(ports.file) ?? { at: ports.newestEventAt ?? ports.now(), doubtedMs: 0 };
    this.#checkedMs = ports.ranMs();
    this.jump();
    this.#note();
    this.#timer = setInterval(() => {
      this.jump();
      this.#note();
    }, NOTE_MS).unref();
  }

  jump(): ClockJump | null {
    const { now, ranMs } = this.#ports;
    const [to, ran] = [now(), ranMs()];
    const { at, doubtedMs } = this.#believed;
    const passedMs = ran - this.#checkedMs;
    this.#checkedMs = ran;
    const isNear = Math.abs(to - at) <= MAX_GAP_MS;
    const stillDoubtedMs = doubtedMs + passedMs;
    if (isNear || stillDoubtedMs >= BELIEVED_AFTER_MS) {
      this.#believed = { at: to, doubtedMs: 0 };
      return null;
    }
    this.#believed = { at, doubtedMs: stillDoubtedMs };
    return { from: at, to };
  }

  /** A person says that the clock is right. */
  believe(): void {
    this.#believed = { at: this.#ports.now(), doubtedMs: 0 };
    this.#note();
  }

  close(): void {
    clearInterval(this.#timer);
    this.jump();
    this.#note();
  }

  #note(): void {
    const { file } = this.#ports;
    try {
      writeFileSync(`${file}.new`, JSON.stringify(this.#believed), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // The disk is full. The older time stays, which delays pruning at most.
    }
  }
}

function read(file: string): Believed | null {
  try {
    const { at, doubtedMs } = JSON.parse(readOwnFile(file)) as Partial<Believed>; // checked by the next line
    return Number.isFinite(at) && Number.isFinite(doubtedMs) ? { at: Number(at), doubtedMs: Number(doubtedMs) } : null;
  } catch {
    return null; // There is no file, or it is damaged.
  }
}
