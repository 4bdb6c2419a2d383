/**
 * The beat: one timer for all sessions that print while no client watches them.
 *
 * In:   each session that was read (`join`).
 * Out:  at the next beat, `beat` for each session, which lets the host read it again. When all output has been
 *       read, `settle` for each, and `onSettled` once for all of them.
 *
 * A session may also be woken at a time (`at`). While a crowd prints, these calls come with the beat, after its
 * sessions were read: a wake-up costs more than a read. So sessions are read together, and one notice tells the daemon
 * of all of them. A beat that no session joins is the last one: a host at rest has no timer.
 */

/** Interval while fewer than SEVERAL sessions print: reading them together saves little. */
export const SHORT_BEAT_MS = 4;
export const SEVERAL = 4;
/** Interval while several sessions print: about one frame of a screen. */
export const BEAT_MS = 16;
/** Interval while a crowd prints and no client watches any session. A message is still announced within 70 ms. */
export const LONG_BEAT_MS = 50;
export const CROWD = 8;
/** A session counts as printing if it joined within this time. */
const WINDOW_MS = 500;

export interface BeatMember {
  /** Called once per beat: the host may read the session again. */
  beat(): void;
  /** Called once all output that was waiting has been read. */
  settle(): void;
}

export interface BeatPorts {
  /** True while a client watches any session. */
  readonly isWatching: () => boolean;
  /** Called after all members have settled. */
  readonly onSettled: () => void;
  /** The monotonic clock, in milliseconds, of everything that is scheduled by the beat. */
  readonly now?: () => number;
  /** Replaces setTimeout in tests. */
  readonly schedule?: (call: () => void, ms: number) => void;
  /** Replaces setImmediate in tests: calls back when all available output has been read. */
  readonly afterReads?: (settle: () => void) => void;
}

interface Wake {
  readonly dueAt: number;
  readonly call: () => void;
}

export class Beat {
  readonly now: () => number;
  readonly #ports: BeatPorts;
  readonly #schedule: NonNullable<BeatPorts['schedule']>;
  readonly #afterReads: NonNullable<BeatPorts['afterReads']>;
  /** Sessions that were read since the last beat. */
  #members = new Set<BeatMember>();
  #isScheduled = false;
  #isSettling = false;
  /** Callbacks that `at` has registered for the next beat. */
  #wakes: Wake[] = [];
  /** Sessions that joined since `#windowStart`. */
  readonly #printing = new Set<BeatMember>();
  #windowStart = 0;
  /** Number of sessions that printed in the previous window. */
  #count = 0;

  constructor(ports: BeatPorts) {
    this.now = ports.now ?? (() => performance.now());
    this.#ports = ports;
    this.#schedule = ports.schedule ?? ((call, ms) => void setTimeout(call, ms));
    this.#afterReads = ports.afterReads ?? ((settle) => void setImmediate(settle));
  }

  /** True if `settle` will be called soon, also for a session that joins now. */
  get isRunning(): boolean {
    return this.#isScheduled || this.#isSettling;
  }

  /**
   * Calls back once, at `dueAt` or a little later, in ms of the monotonic clock. While a crowd prints, the call comes
   * with the first beat after that time.
   */
  at(dueAt: number, call: () => void): void {
    if (this.isCrowd && this.isRunning) this.#wakes.push({ dueAt, call });
    else this.#schedule(call, Math.max(0, Math.ceil(dueAt - this.now())));
  }

  /** True while `CROWD` sessions or more print, so that each should be read at beats only. */
  get isCrowd(): boolean {
    return this.#count >= CROWD;
  }

  join(member: BeatMember): void {
    this.#members.add(member);
    this.#printing.add(member);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => this.#beat(), this.#interval());
  }

  #interval(): number {
    const now = this.now();
    const windowMs = now - this.#windowStart;
    if (windowMs > WINDOW_MS) {
      this.#count = windowMs < 2 * WINDOW_MS ? this.#printing.size : 0;
      this.#printing.clear();
      this.#windowStart = now;
    }
    if (this.#count < SEVERAL) return SHORT_BEAT_MS;
    return this.isCrowd && !this.#ports.isWatching() ? LONG_BEAT_MS : BEAT_MS;
  }

  #beat(): void {
    this.#isScheduled = false;
    this.#isSettling = true;
    const members = this.#members;
    this.#members = new Set();
    for (const member of members) member.beat();
    this.#afterReads(() => {
      this.#wake();
      this.#isSettling = false;
      // Sessions that were just read are members of this beat, or have joined the next one.
      for (const member of this.#members) member.settle();
      for (const member of members) member.settle();
      this.#ports.onSettled();
      if (this.#isScheduled) return;
      // No session joined the next beat, so this was the last one.
      for (const { dueAt, call } of this.#wakes.splice(0)) this.at(dueAt, call);
    });
  }

  #wake(): void {
    if (this.#wakes.length === 0) return;
    const now = this.now();
    const wakes = this.#wakes;
    this.#wakes = wakes.filter(({ dueAt }) => dueAt > now);
    for (const { dueAt, call } of wakes) if (dueAt <= now) call();
  }
}
