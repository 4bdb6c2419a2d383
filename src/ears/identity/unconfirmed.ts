/**
 * Unconfirmed messages: what the terminal has heard and the transcript has not confirmed (merging.ts).
 *
 *     held      waits for the transcript
 *     told      reported; `isAwaited` if the transcript must have it
 *     dropped   the transcript continued without it
 *
 * The oldest entries are first. Keeps MAX_UNCONFIRMED of them. Copies are searched among the messages that only the
 * other ear has heard: an exact one, then one with the same id, then a damaged or shortened one (likeness.ts). Turns
 * are not compared, because a record may be written after the next Enter.
 */

import type { Message } from '../../protocol/index.js';
import { MAX_UNCONFIRMED, TRANSCRIPT_LOST_MS, TRANSCRIPT_WAIT_MS } from '../bounds.js';
import { inkDigest } from '../digest.js';
import type { TextSpan } from '../grammar/index.js';
import { canonical } from '../json.js';
import type { Judged } from './judge.js';
import { hasSameId, isDamaged, isExact, isPicture, isShortened, type Likeness, rareFieldsOf } from './likeness.js';

/** A message that a terminal ear has found and the transcript has not confirmed. */
export type Seen = Likeness & { readonly time: number; readonly turn: number } & (
    | {
        readonly standing: 'held';
        readonly judged: Judged;
        readonly place: TextSpan;
        /** True if it may be a badly read copy of an old message. It is reported only if the transcript is lost. */
        readonly isRepeat?: boolean;
      }
    /**
     * Dropped, because the transcript continued without it. If the transcript contains it later, it is reported then.
     */
    | { readonly standing: 'dropped' }
    | {
        readonly standing: 'told';
        readonly from: number;
        /** Null for a rejection, and for a message of a tool, whose words are exact. */
        readonly ordinal: number | null;
        /** Digest of the whole message as it was reported; '' if it was not exact. */
        readonly whole: string;
        /** True if the transcript is expected to contain it, and counts as lost if it does not. */
        readonly isAwaited: boolean;
      }
  );
export type Held = Extract<Seen, { standing: 'held' }>;
/** A message that the transcript has reported. */
export type Said = Likeness & {
  readonly time: number;
  readonly turn: number;
  /** True if a terminal ear has found the message, too. Absent means false. */
  readonly isConfirmed?: boolean;
};

/** The way in which a message was reported. */
export type Reported = Pick<Extract<Seen, { standing: 'told' }>, 'from' | 'ordinal' | 'whole'>;

export class Unconfirmed {
  #all: Seen[];
  /** Cached result of `isSettled`. */
  #isSettled = false;

  constructor(state: readonly Seen[] = []) {
    this.#all = [...state];
  }

  state(): readonly Seen[] {
    return this.#all;
  }

  /**
   * True if no held or awaited message depends on time. The result is kept, so that many messages are not all checked
   * again.
   */
  get isSettled(): boolean {
    this.#isSettled ||= !this.#all.some((one) => isHeld(one) || isAwaited(one));
    return this.#isSettled;
  }

  get isHolding(): boolean {
    return !this.isSettled && this.#all.some(isHeld);
  }

  /**
   * The record time at which a held message is reported, or the transcript counts as lost.
   *
   * @param isOthers  The output of a person's own command is held without a limit.
   */
  deadline(isOthers: boolean): number | null {
    if (this.isSettled) return null;
    const held = this.held().filter((one) => !one.isRepeat && !isOthers);
    const awaited = this.#all.filter(isAwaited);
    const all = [
      ...held.map(({ time }) => time + TRANSCRIPT_WAIT_MS),
      ...awaited.map(({ time }) => time + TRANSCRIPT_LOST_MS),
    ];
    return all.length === 0 ? null : Math.min(...all);
  }

  /** True if the transcript should have had a message by now. */
  isMissed(time: number): boolean {
    return this.#all.some((one) => isAwaited(one) && one.time + TRANSCRIPT_LOST_MS <= time);
  }

  held(): readonly Held[] {
    return this.#all.filter(isHeld);
  }

  keep(seen: Seen): void {
    if (isHeld(seen)) this.#isSettled = false;
    this.#all.push(seen);
    if (this.#all.length > MAX_UNCONFIRMED) this.#all.shift();
  }

  /** Finds the message that the transcript repeats. Dropped ones are tried last. */
  copyOf(likeness: Likeness): Seen | null {
    const isDropped = (one: Seen): boolean => one.standing === 'dropped';
    const pair = (one: Seen): Pair => ({ seen: one, exact: likeness });
    const others = this.#all.filter((one) => !isDropped(one));
    return findCopy(others, likeness, pair) ?? findCopy(this.#all.filter(isDropped), likeness, pair);
  }

  /**
   * Marks a message as confirmed by the transcript. Older messages without confirmation are missing in the transcript.
   */
  confirm(seen: Seen): void {
    this.drop(this.#all.indexOf(seen));
    this.#all = this.#all.filter((one) => one !== seen);
  }

  /** Marks a held message as reported. With null it was not reported and is forgotten. */
  release(held: Held, reported: Reported | null): void {
    const { judged: _judged, place: _place, standing: _standing, isRepeat: _isRepeat, ...rest } = held;
    const entry: readonly Seen[] = reported ? [{ ...rest, standing: 'told', ...reported, isAwaited: true }] : [];
    this.#all = this.#all.flatMap((one) => (one === held ? entry : [one]));
  }

  /** @param end  Entries before this index are not in the transcript. */
  drop(end: number = this.#all.length): void {
    this.#all = this.#all.map((one, index) => {
      if (index >= end) return one;
      if (one.standing === 'told') return { ...one, isAwaited: false };
      const { kind, type, content, id, letters, time, turn } = one;
      return { kind, type, content, id, letters, time, turn, standing: 'dropped', ...rareFieldsOf(one) };
    });
  }

  /** Forgets the held copies of a message that the transcript has reported in the same turn. */
  dropCopies(said: Likeness & { readonly turn: number }): void {
    this.#all = this.#all.filter((one) => !isHeld(one) || one.turn !== said.turn || !isPicture(one, said));
  }

  /** Called when the transcript can no longer hold anything that was reported before this turn. */
  pass(turn: number): void {
    this.#all = this.#all.filter((one) => one.turn >= turn);
  }

  stopAwaiting(): void {
    this.#all = this.#all.map((one) => (isAwaited(one) ? { ...one, isAwaited: false } : one));
  }

  /** True if this may be another picture of a message that was reported in this turn. */
  hasToldOther(likeness: Likeness, turn: number): boolean {
    return this.#all.some(
      (one) => one.standing === 'told' && one.turn === turn && !isExact(likeness, one) && isPicture(likeness, one),
    );
  }
}

/** Returns the transcript's messages, of this turn or just before it, that the terminal may still confirm. */
export function saidLately(said: readonly Said[], turn: number, time: number): readonly Said[] {
  return said.filter((one) => !one.isConfirmed && (one.turn === turn || time - one.time <= TRANSCRIPT_LOST_MS));
}

interface Pair {
  readonly seen: Likeness;
  readonly exact: Likeness;
}

/**
 * Finds a copy of a message: an exact one, then one with the same id, then a damaged one, then one that the transcript
 * has shortened.
 *
 * @param pair  Says which of the two the screen has shown.
 */
export function findCopy<T extends Likeness>(
  candidates: readonly T[],
  wanted: Likeness,
  pair: (one: T) => Pair,
): T | null {
  return (
    candidates.find((one) => isExact(one, wanted)) ??
    candidates.find((one) => hasSameId(one, wanted)) ??
    candidates.find((one) => isDamaged(pair(one).seen, pair(one).exact)) ??
    candidates.find((one) => isShortened(pair(one).seen, pair(one).exact)) ??
    null
  );
}

/** Digest of a whole message, without blanks. */
export function wholeKey(message: Message): string {
  return inkDigest(canonical(message));
}

const isHeld = (seen: Seen): seen is Held => seen.standing === 'held';

const isAwaited = (seen: Seen): boolean => seen.standing === 'told' && seen.isAwaited;
