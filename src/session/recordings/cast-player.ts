/**
 * Cast player: plays a recording as the journal that a session would have had.
 *
 * In:   the recording's events, in order (`take`), and its end.
 * Out:  journal records without their places (`Happening`), each with its time.
 *
 * An Enter in the input begins a turn. A pause that is long enough is a tick that the hearing asks for. The end is an
 * exit, with the exit code if the recording has one. Markers and other events are ignored. Long output is split, so
 * that it fits into records.
 */

import type { Hearing } from '../hearing/hearing.js';
import type { CastEvent } from './cast.js';
import { parseSize } from './cast.js';
import type { Happening } from './made-journal.js';

interface CastPlayerPorts {
  readonly hearing: Pick<Hearing, 'wantsTick'>;
  readonly play: (happening: Happening) => void;
  /** Time of the recording's beginning, milliseconds since the epoch. */
  readonly startedAt: number;
}

const MAX_OUT_BYTES = 64 * 1024;

/** Converts the events of one recording to journal records. */
export class CastPlayer {
  readonly #ports: CastPlayerPorts;
  #time: number;
  #isPasting = false;
  #exitCode: number | null = null;

  constructor(ports: CastPlayerPorts) {
    this.#ports = ports;
    this.#time = ports.startedAt;
  }

  take({ timeMs, kind, data }: CastEvent): void {
    const { play, startedAt } = this.#ports;
    if (kind === 'm') return;
    const time = startedAt + timeMs;
    this.#rest(time - this.#time, true);
    this.#time = time;
    if (kind === 'o') {
      const bytes = Buffer.from(data, 'utf8');
      for (let at = 0; at < bytes.length; at += MAX_OUT_BYTES) {
        play({ kind: 'out', bytes: bytes.subarray(at, at + MAX_OUT_BYTES), time });
      }
    } else if (kind === 'i') {
      const input = { kind: 'input', writeId: null, text: data, length: Buffer.byteLength(data) } as const;
      play({ ...input, phase: 'begin', submits: this.#submits(data), time });
    } else if (kind === 'r') {
      const size = parseSize(data);
      if (size) play({ kind: 'resize', ...size, time });
    } else if (kind === 'x' && /^\d{1,3}$/.test(data)) this.#exitCode = Number(data);
  }

  /** Called at the recording's end. It simulates a silence, because silence completes the last findings. */
  end(): void {
    this.#rest(Number.MAX_SAFE_INTEGER, false);
    const exit = { kind: 'exit', exitCode: this.#exitCode, signal: null, leftOpen: false, escaped: [] } as const;
    this.#ports.play({ ...exit, time: this.#time });
  }

  /** Plays the `tick` records that the host would have appended during a pause of the recording. */
  #rest(forMs: number, isTimed: boolean): void {
    const { hearing, play } = this.#ports;
    let last = 0;
    for (
      let tick = hearing.wantsTick();
      tick && tick.quietMs <= forMs && tick.quietMs > last;
      tick = hearing.wantsTick()
    ) {
      last = tick.quietMs;
      play({ kind: 'tick', quietMs: last, time: this.#time + (isTimed ? last : 0) });
    }
  }

  /** True if typed text contains an Enter. A line break in a bracketed paste is not one. */
  #submits(data: string): boolean {
    let submits = false;
    for (const [part] of data.matchAll(/\x1b\[20[01]~|[\r\n]/g)) {
      if (part === '\x1b[200~') this.#isPasting = true;
      else if (part === '\x1b[201~') this.#isPasting = false;
      else if (!this.#isPasting) submits = true;
    }
    return submits;
  }
}
