/**
 * The beat: while many sessions print little and often, they are read together, every BEAT_MS, and not each as it prints.
 *
 * In:   a session that may be read so (`join`), or no longer (`leave`).
 * Out:  `beat` of each that is in it; `release` when it is to be read as it prints again, because few are left.
 * Fifty sessions of a line every 10 ms would wake host and daemon for each line; what that costs is mostly the waking. So whoever comes
 * often waits for the others, as long as nobody sees it (session.ts). Without a crowd nobody is taken in, and there is no timer.
 */

/** A frame: the longest that output waits. */
export const BEAT_MS = 16;
/** So many that print often are a crowd. */
export const CROWD = 8;
/** They are those of the last two beats. */
const CROWD_MS = 2 * BEAT_MS;

export interface BeatMember {
  /** Reads what is there; may leave. */
  beat(now: number): void;
  /** Is in no beat any more. */
  release(): void;
}

export class Beat {
  readonly #members = new Set<BeatMember>();
  /** Who would have joined of late, if there had been a crowd. */
  readonly #candidates = new Set<BeatMember>();
  readonly #schedule: (beat: () => void) => void;
  #candidatesSince = 0;
  #isScheduled = false;

  /** @param schedule  Instead of a timer, for tests. */
  constructor(schedule: (beat: () => void) => void = (beat) => void setTimeout(beat, BEAT_MS)) {
    this.#schedule = schedule;
  }

  /** @returns Whether it is in from here on. */
  join(member: BeatMember, now: number): boolean {
    if (this.#members.size < CROWD && !this.#isCrowd(member, now)) return false;
    this.#members.add(member);
    if (!this.#isScheduled) this.#next();
    return true;
  }

  leave(member: BeatMember): void {
    this.#members.delete(member);
    this.#candidates.delete(member);
  }

  #isCrowd(member: BeatMember, now: number): boolean {
    if (now - this.#candidatesSince > CROWD_MS) {
      this.#candidates.clear();
      this.#candidatesSince = now;
    }
    this.#candidates.add(member);
    return this.#members.size + this.#candidates.size >= CROWD;
  }

  #next(): void {
    this.#isScheduled = true;
    this.#schedule(() => this.#beat());
  }

  #beat(): void {
    this.#isScheduled = false;
    const now = performance.now();
    for (const member of this.#members) member.beat(now);
    // Half of a crowd is not called one again at every turn.
    if (this.#members.size >= CROWD / 2) {
      this.#next();
      return;
    }
    const members = [...this.#members];
    this.#members.clear();
    for (const member of members) member.release();
  }
}
