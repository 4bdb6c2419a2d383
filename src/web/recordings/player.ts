/**
 * Plays a recording on a terminal: play, pause, speed, seek. It knows no clock and no browser: ports.
 *
 * To go back, the terminal is restored from the nearest screen before, which is kept every KEPT_BYTES of output.
 * Seeks while one is in progress end it: the newest one counts.
 */
import { countUpTo, type Frame, type Size, timesOf } from './recording.js';

interface PlayerTerminal {
  /** @param done  Called when the data is on the screen. */
  write(data: string | Uint8Array, done: () => void): void;
  resize(size: Size): void;
  reset(): void;
  /** Returns sequences that paint the current screen. */
  serialize(): string;
}

interface PlayerPorts {
  readonly terminal: PlayerTerminal;
  readonly now: () => number;
  /** Calls a function at the next frame of the display. */
  readonly nextFrame: (then: () => void) => void;
  readonly onChange: (state: PlayerState) => void;
}

export interface PlayerState {
  readonly timeMs: number;
  readonly durationMs: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** The position in the journal of the last frame that is shown. */
  readonly position: number;
}

interface Kept {
  readonly index: number;
  readonly size: Size;
  readonly text: string;
}

const KEPT_BYTES = 512 * 1024;

export class Player {
  readonly #ports: PlayerPorts;
  readonly #frames: readonly Frame[];
  #times: readonly number[];
  #kept: Kept[] = [];
  /** Frames that are on the screen. */
  #index = 0;
  #bytesSinceKept = 0;
  #size: Size = { cols: 80, rows: 24 };
  #timeMs = 0;
  #isPlaying = false;
  #speed = 1;
  #lastTick = 0;
  /** The number of the newest move. A move with a lower number stops. */
  #move = 0;
  #moving: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(ports: PlayerPorts, frames: readonly Frame[], mostPauseMs: number) {
    this.#ports = ports;
    this.#frames = frames;
    this.#times = timesOf(frames, mostPauseMs);
  }

  get state(): PlayerState {
    return {
      timeMs: this.#timeMs,
      durationMs: this.#times.at(-1) ?? 0,
      isPlaying: this.#isPlaying,
      speed: this.#speed,
      position: this.#frames[Math.max(0, this.#index - 1)]?.position ?? 0,
    };
  }

  /** The time of a frame. */
  timeOf(index: number): number {
    return this.#times[index] ?? 0;
  }

  /** Shortens pauses that are longer than this. The shown frame does not change. */
  cutPauses(mostPauseMs: number): void {
    this.#times = timesOf(this.#frames, mostPauseMs);
    this.#timeMs = this.timeOf(Math.max(0, this.#index - 1));
    this.#tell();
  }

  play(): void {
    if (this.#isPlaying || this.#isClosed) return;
    if (this.#timeMs >= this.state.durationMs) void this.seek(0);
    this.#isPlaying = true;
    this.#lastTick = this.#ports.now();
    this.#ports.nextFrame(() => this.#tick());
    this.#tell();
  }

  pause(): void {
    this.#isPlaying = false;
    this.#tell();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#tell();
  }

  /** @returns A promise that resolves when the screen of that time is shown, or when a newer seek has begun. */
  seek(timeMs: number): Promise<void> {
    this.#timeMs = Math.min(Math.max(0, timeMs), this.state.durationMs);
    return this.#show(countUpTo(this.#times, this.#timeMs));
  }

  close(): void {
    this.#isClosed = true;
    this.#isPlaying = false;
    this.#move += 1;
  }

  #tick(): void {
    if (!this.#isPlaying) return;
    const now = this.#ports.now();
    this.#timeMs = Math.min(this.state.durationMs, this.#timeMs + (now - this.#lastTick) * this.#speed);
    this.#lastTick = now;
    const target = countUpTo(this.#times, this.#timeMs);
    if (this.#timeMs >= this.state.durationMs) this.#isPlaying = false;
    void this.#show(target).then(() => {
      if (this.#isPlaying) this.#ports.nextFrame(() => this.#tick());
    });
  }

  #show(target: number): Promise<void> {
    const move = ++this.#move;
    this.#moving = this.#moving.then(() => this.#go(target, move));
    return this.#moving;
  }

  async #go(target: number, move: number): Promise<void> {
    if (move !== this.#move) return;
    const kept = this.#kept.findLast(({ index }) => index <= target);
    // A saved screen saves work if it lies between the shown frame and the target, or if the target is earlier.
    if (target < this.#index || (kept && kept.index > this.#index)) await this.#restore(kept);
    while (this.#index < target && move === this.#move) await this.#write(target);
    this.#tell();
  }

  async #restore(kept: Kept | undefined): Promise<void> {
    const { terminal } = this.#ports;
    terminal.reset();
    this.#index = kept?.index ?? 0;
    this.#bytesSinceKept = 0;
    if (!kept) return;
    this.#resize(kept.size);
    await this.#written(kept.text);
  }

  /** Writes frames up to the target, or to the next screen that is kept. */
  async #write(target: number): Promise<void> {
    let last: Promise<void> = Promise.resolve();
    while (this.#index < target && this.#bytesSinceKept < KEPT_BYTES) {
      const frame = this.#frames[this.#index];
      this.#index += 1;
      if (!frame) continue;
      if (frame.kind === 'out') {
        this.#bytesSinceKept += frame.bytes.length;
        last = this.#written(frame.bytes);
      } else {
        await last; // A new size applies only to output written after it.
        if (frame.kind === 'screen') this.#ports.terminal.reset();
        this.#resize(frame);
        if (frame.kind === 'screen' && frame.text !== '') last = this.#written(frame.text);
      }
    }
    await last;
    if (this.#bytesSinceKept < KEPT_BYTES) return;
    this.#bytesSinceKept = 0;
    if ((this.#kept.at(-1)?.index ?? 0) >= this.#index) return;
    this.#kept.push({ index: this.#index, size: this.#size, text: this.#ports.terminal.serialize() });
  }

  #resize({ cols, rows }: Size): void {
    this.#size = { cols, rows };
    this.#ports.terminal.resize(this.#size);
  }

  #written(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#ports.terminal.write(data, resolve));
  }

  #tell(): void {
    if (!this.#isClosed) this.#ports.onChange(this.state);
  }
}
