/**
 * Screen ear: what an agent says on a screen that it paints.
 *
 * In:   looks at the screen in order (`look`), 400 ms of quiet (`settle`), turns (`beginTurn`).
 * Out:  utterances, each once, in the order in which they became final.
 *
 * The ear tells a copy of a heard message from a second message with the same text by its row (heard.ts).
 * A message that is complete when it is first seen may belong to an old conversation (old-messages.ts). It is not
 * reported. Keeps MAX_TRANSCRIPT_ROWS rows and MAX_HEARD places. It uses no emulator, journal or clock: it only passes
 * journal positions on.
 *
 * The file is long because each look passes all steps of the ear, which share its state.
 */
import type { Utterance } from '../grammar/index.js';
import { AskedAgain, type AskedAgainState } from './asked-again.js';
import {
  AROUND,
  type Candidate,
  CandidateReader,
  FenceEnds,
  type FenceEndsState,
  indentOf,
  type MissedHint,
  missOf,
  type NearMiss,
  NearMisses,
  type NearMissState,
  ObjectMemo,
  type Reading,
  type Span,
} from './candidates/index.js';
import { dropPaintedAgain, isAboveFence, isFinal, isOutdated, keyOf, toUtterance } from './final-candidates.js';
import { HeardMessages, type HeardState, type PlacedCandidate, type TurnStart, type Window } from './heard.js';
import { OldMessages, type OldMessagesState } from './old-messages.js';
import { bounded, type Opening, Openings } from './openings.js';
import { type LastLook, Proof, type ProofState } from './proof.js';
import {
  columns,
  type Look,
  type Placing,
  type PlainRow,
  PlainRows,
  rememberTyped,
  type ScreenRow,
  type ScreenRules,
  Transcript,
  type TranscriptState,
} from './rows/index.js';
import { UnfinishedPicture, type UnfinishedPictureState } from './unfinished-picture.js';

interface Pending {
  readonly candidate: Candidate;
  readonly key: string;
  readonly since: number;
  /** Time since which the candidate is in this row, unchanged. Absent in checkpoints of older versions. */
  readonly sinceMs?: number;
  /** True if the object was seen unfinished before. Absent in checkpoints of older versions. */
  readonly hasGrown?: boolean;
  /** True if it is complete, and only waits until the painting rests. */
  readonly isWhole?: boolean;
}

/** State of a screen ear as plain data. An equal ear can be created from it, also after a trip through JSON. */
export interface ScreenEarState extends ProofState, UnfinishedPictureState {
  readonly transcript: TranscriptState;
  readonly heard: HeardState;
  readonly pending: readonly (readonly [number, Pending])[];
  readonly openings: readonly (readonly [number, Opening])[];
  /** True if more of an object is likely to come. Absent in checkpoints of older versions. */
  readonly isGrowing?: boolean;
  /** True if the last look was at the end of a synchronized update. Absent in checkpoints of older versions. */
  readonly isFramed?: boolean;
  readonly isHistory: boolean;
  readonly lastAt: number;
  readonly cols: number;
  readonly nearMisses?: NearMissState;
  readonly fenceEnds?: FenceEndsState;
  readonly isHeldBack: boolean;
  readonly typed: readonly string[];
  readonly shows?: OldMessagesState;
  /** Characters that may be left over in other rows. Absent in checkpoints of older versions. */
  readonly leftOver?: readonly string[];
  /** Absent in checkpoints of older versions. */
  readonly askedAgain?: AskedAgainState;
}

/**
 * Rows above the screen that are read again at each look, because an object that began there may end on the screen.
 * About 80 KiB.
 */
const BEHIND_ROWS = 1000;
const BEHIND_STEP = 256;
const MAX_PENDING = 64;
/**
 * A candidate that waits for quiet is final after this time without a change of its own, because a program with a clock
 * or an animation never rests.
 */
const STOOD_MS = 1_500;

/** Reads the screen of one session, and finds the utterances on it, each once. */
export class ScreenEar {
  #rules: ScreenRules;
  readonly #transcript: Transcript;
  readonly #heard: HeardMessages;
  /** Candidates that are reported after a silence, by row. */
  #pending = new Map<number, Pending>();
  readonly #openings: Openings;
  #last: LastLook = { isFramed: false, isContinued: false };
  readonly #plainRows: PlainRows;
  #memo = new ObjectMemo();
  readonly #reader = new CandidateReader();
  readonly #keys = new WeakMap<Candidate, string>();
  #isHistory = true;
  readonly #oldMessages: OldMessages;
  /** True while a look reads the rows in another way than the look before. */
  #isReframed = false;
  /** Position of the last look. */
  #lastAt = 0;
  #cols = 0;
  #typed: readonly string[] = [];
  /** True while rows that could be a message are part of a picture whose place is not known. */
  #isHeldBack = false;
  /** The screen at the last look. */
  #seen: readonly PlainRow[] = [];
  /** The reading of that screen, with the number of its first row. Null if the screen has changed since it was read. */
  #reading: { readonly reading: Reading; readonly base: number } | null = null;
  readonly #unfinished: UnfinishedPicture;
  readonly #nearMisses: NearMisses;
  readonly #fenceEnds: FenceEnds;
  readonly #askedAgain: AskedAgain;
  /** Keeps its state while the program has an adapter. */
  readonly #unknownProgram: Proof;
  #settledMisses: readonly NearMiss[] = [];

  constructor(
    rules: ScreenRules,
    start: Omit<TurnStart, 'isEmptied'> & { readonly isKeyed?: (text: string) => boolean },
    state?: ScreenEarState,
  ) {
    this.#rules = rules;
    this.#isHistory = start.isHistory;
    this.#heard = new HeardMessages(start.turn, start.prompt, state?.heard);
    this.#typed = rememberTyped([], start.prompt);
    this.#transcript = new Transcript(state?.transcript);
    this.#plainRows = new PlainRows(state?.leftOver);
    this.#unfinished = new UnfinishedPicture(state);
    this.#nearMisses = new NearMisses(state?.nearMisses);
    this.#fenceEnds = new FenceEnds(state?.fenceEnds);
    this.#askedAgain = new AskedAgain(state?.askedAgain);
    this.#openings = new Openings(state?.openings, state?.isGrowing);
    const isBelowPrompt = (row: number, window: Window): boolean => this.#heard.isBelowPrompt(row, window);
    const miss = (hint: MissedHint, text: string, row: number): void => this.#nearMisses.add(missOf(hint, text, row));
    const isKnown = (): boolean => this.#rules.isKnown;
    const isKeyed = start.isKeyed ?? (() => false);
    const ports = { transcript: this.#transcript, heard: this.#heard, isKeyed, miss };
    this.#unknownProgram = new Proof(start.turn, ports, state);
    this.#oldMessages = new OldMessages({ isKeyed, isKnown, isBelowPrompt, miss }, state?.shows);
    if (!state) return;
    this.#pending = new Map(state.pending);
    this.#last = { isFramed: state.isFramed ?? false, isContinued: false };
    this.#isHistory = state.isHistory;
    this.#lastAt = state.lastAt;
    this.#cols = state.cols;
    this.#isHeldBack = state.isHeldBack;
    this.#typed = state.typed;
  }

  /** Returns the live object, not a copy. It is valid until the next look. */
  state(): ScreenEarState {
    return {
      transcript: this.#transcript.state(),
      heard: this.#heard.state(),
      pending: [...this.#pending],
      openings: this.#openings.state(),
      isGrowing: this.#openings.isGrowing,
      isFramed: this.#last.isFramed,
      isHistory: this.#isHistory,
      lastAt: this.#lastAt,
      cols: this.#cols,
      ...this.#unfinished.state(),
      nearMisses: this.#nearMisses.state(),
      fenceEnds: this.#fenceEnds.state(),
      isHeldBack: this.#isHeldBack,
      typed: this.#typed,
      shows: this.#oldMessages.state(),
      leftOver: this.#plainRows.state(),
      askedAgain: this.#askedAgain.state(),
      ...this.#unknownProgram.state(),
    };
  }

  setRules(rules: ScreenRules): void {
    this.#rules = rules;
    this.#reading = null;
    this.#plainRows.clear();
  }

  /** True if a candidate or a half-painted screen waits for 400 ms of quiet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0 || this.#isHeldBack || this.#nearMisses.isWaiting;
  }

  /** True if a block that is no JSON waits for DAMAGED_QUIET_MS of quiet. */
  get hasDamaged(): boolean {
    return this.#nearMisses.hasDamaged;
  }

  /**
   * True if the screen is probably incomplete: an object grows, rows that could be a message have no place yet, or the
   * screen may be half painted.
   */
  get isExpecting(): boolean {
    return this.isWaiting || this.#openings.isGrowing || this.mayBeHalfPainted;
  }

  /** True if the screen is half painted, or if it is unknown whether it is. */
  get mayBeHalfPainted(): boolean {
    return this.#unfinished.isOpen || (!this.#last.isFramed && !this.#unfinished.hasKnownEnd);
  }

  /** What a program without an adapter has to prove; null for one with an adapter. */
  get #proof(): Proof | null {
    return this.#rules.isKnown ? null : this.#unknownProgram;
  }

  /** True if only looks between two pictures count, because it is not known how the program paints. */
  get needsRest(): boolean {
    return !this.#rules.isKnown;
  }

  /** Called with the key (`keyOf`) of a message that was reported because the program has printed it as lines. */
  printed(key: string): void {
    this.#unknownProgram.printed(key);
  }

  beginTurn(start: TurnStart): readonly Utterance[] {
    const told = this.settle();
    this.#reading = null;
    this.#heard.beginTurn(start, this.#window(false, 0));
    this.#fenceEnds.beginTurn();
    this.#askedAgain.beginTurn();
    this.#unknownProgram.beginTurn(start.turn, start.isEmptied);
    this.#isHistory = start.isHistory;
    this.#typed = rememberTyped(this.#typed, start.prompt);
    if (start.isEmptied) this.#transcript.close();
    else this.#transcript.goOn();
    return told;
  }

  /** True if the screen is half painted. After LOOK_QUIET_MS of quiet it counts as complete. */
  get isHalfPainted(): boolean {
    return this.#unfinished.isOpen;
  }

  /** Called when nothing was painted for LOOK_QUIET_MS: the screen counts as complete. */
  rest(): readonly Utterance[] {
    const told = [...this.#complete()];
    if (!this.hasWhole) return told;
    const window = this.#window(false, 0);
    for (const [row, { candidate, key, since, isWhole }] of [...this.#pending]) {
      if (!isWhole) continue;
      this.#pending.delete(row);
      told.push(...this.#utter(candidate, key, row, since, window));
    }
    return told;
  }

  /** Reads the last look, if it was half painted. */
  #complete(): readonly Utterance[] {
    const torn = this.#unfinished.complete();
    return torn ? this.#apply(torn, this.#screenOf({ ...torn, changed: null })) : [];
  }

  /** True if a complete message waits for `rest`. */
  get hasWhole(): boolean {
    for (const { isWhole } of this.#pending.values()) if (isWhole) return true;
    return false;
  }

  look(look: Look): readonly Utterance[] {
    const before = this.#seen;
    const screen = this.#screenOf(look);
    this.#seen = screen;
    this.#proof?.look(screen, before);
    this.#askedAgain.look(screen);
    this.#oldMessages.look(screen, look);
    this.#last = { isFramed: look.isFramed, isContinued: look.isContinued };
    this.#isReframed = look.isReframed === true;
    if (this.#isReframed) {
      const told = [...this.#complete(), ...this.#apply({ ...look, isContinued: false }, screen), ...this.settle()];
      this.#isReframed = false;
      return told;
    }
    if (look.isContinued) {
      const wasTorn = this.#unfinished.isOpen;
      const told = this.#complete();
      this.#unfinished.forget();
      return !wasTorn && this.#touch(screen, before, look) ? told : [...told, ...this.#apply(look, screen)];
    }
    const { needsRest } = this;
    const whole = this.#unfinished.take(look, screen, { needsRest, header: this.#transcript.header });
    if (!whole) {
      this.#reading = null;
      return [];
    }
    return this.#touch(screen, before, look) ? [] : this.#apply(whole, screen);
  }

  #screenOf({ rows, size, changed }: Look): readonly PlainRow[] {
    const before = this.#seen;
    if (!changed || before.length !== size) {
      return (rows.length === size ? rows : rows.slice(-size)).map((row) => this.#plainRows.of(row, this.#rules));
    }
    if (changed.length === 0) return before;
    const screen = before.slice();
    // The indexes in `changed` are within bounds.
    for (const index of changed) screen[index] = this.#plainRows.of(rows[index] as ScreenRow, this.#rules);
    return screen;
  }

  /**
   * Handles a look that cannot give a message: few rows have changed, none of them is or was notable, and none is part
   * of what was read.
   */
  #touch(
    screen: readonly PlainRow[],
    before: readonly PlainRow[],
    { changed, cols, at, isContinued, timeMs }: Look,
  ): boolean {
    for (const { sinceMs } of this.#pending.values()) if (hasStood(sinceMs, timeMs)) return false;
    if ((this.#last.isFramed || isContinued) && this.hasWhole) return false;
    if (!this.#reading || !changed || screen.length !== before.length || cols !== this.#cols) return false;
    const { base, top } = this.#transcript;
    for (const index of changed) {
      if (!this.#isBeside(before[index], screen[index], base + top + index)) return false;
    }
    if (!this.#transcript.touch(screen, changed, isContinued)) return false;
    this.#openings.rest();
    this.#lastAt = at;
    return true;
  }

  /** True if the reading is the same with either row. */
  #isBeside(before: PlainRow | undefined, now: PlainRow | undefined, number: number): boolean {
    if (before === now) return true;
    if (!before || !now || !this.#reading || before.isNotable || now.isNotable) return false;
    if (before.voice !== now.voice || before.isSoft !== now.isSoft) return false;
    // A rule begins and ends the output of a person's command.
    if (this.#rules.voices?.command && before.isOrnament !== now.isOrnament) return false;
    if (this.#heard.isPrompt(before) || this.#heard.isPrompt(now)) return false;
    const { reading, base } = this.#reading;
    const isIn = ([from, to]: Span): boolean => number >= base + from && number <= base + to;
    if (reading.spans.some(isIn)) return false;
    const isMoved = indentOf(before) !== indentOf(now) || (before.text === '') !== (now.text === '');
    if (isMoved && reading.branches.some(isIn)) return false;
    // The widest row around a marker decides where it ends.
    const isWider = (before.width ?? columns(before.text)) !== (now.width ?? columns(now.text));
    const isAround = ({ form, row }: Candidate): boolean =>
      form === 'marker' && Math.abs(base + row - number) <= AROUND;
    return !isWider || !reading.candidates.some(isAround);
  }

  #apply(look: Look, screen: readonly PlainRow[]): readonly Utterance[] {
    const isWhole = look.rows.length === look.size;
    const rows = isWhole ? screen : look.rows.map((row) => this.#plainRows.of(row, this.#rules));
    const isRewrapped = look.cols !== this.#cols;
    if (isRewrapped) this.#memo = new ObjectMemo();
    this.#cols = look.cols;
    const scrolled = look.isContinued ? rows.length - look.size : null;
    const placing = this.#transcript.look(rows, scrolled, look.size, isRewrapped);
    this.#lastAt = look.at;
    return this.#judgePlaced(placing, look.since, look.timeMs);
  }

  /** Reads the rows after a look has found their place in the transcript. No candidate is judged before that. */
  #judgePlaced({ isJump, moved }: Placing, since: number, timeMs?: number): readonly Utterance[] {
    if (moved) {
      this.#heard.move(moved.from, moved.by);
      this.#fenceEnds.move(moved.from, moved.by);
    }
    // The rows belong to another picture, so an object that was half painted in the previous picture has not grown.
    if (isJump) this.#openings.forget();
    const { isDoubtful, rows, base, paintedFrom } = this.#transcript;
    this.#isHeldBack = isDoubtful && rows.slice(paintedFrom - base).some((row) => row?.isNotable);
    this.#reading = null;
    if (isDoubtful) return [];
    const read = this.#read();
    const window = this.#window(isJump, read.from);
    const reading = this.#fenceEnds.prompted(this.#heard.findEcho(window)) ? this.#read().reading : read.reading;
    this.#reading = { reading, base: this.#transcript.base };
    return this.#judge(reading, window, since, timeMs);
  }

  #window(isJump: boolean, from: number): Window {
    const { rows, base, top, bottom, paintedFrom, wrappedFrom } = this.#transcript;
    return { rows, base, from: base + from, top: base + top, to: base + bottom, paintedFrom, wrappedFrom, isJump };
  }

  /** Makes waiting candidates final. The caller has seen no change of the screen for 400 ms (SETTLE_QUIET_MS). */
  settle(): readonly Utterance[] {
    const told = [...this.rest()];
    if (this.#transcript.isDoubtful) told.push(...this.#judgePlaced(this.#transcript.settle(), this.#lastAt));
    const window = this.#window(false, 0);
    for (const [row, { candidate, key, since }] of this.#pending)
      told.push(...this.#utter(candidate, key, row, since, window));
    this.#pending.clear();
    this.#settledMisses = this.#nearMisses.settle();
    return told;
  }

  /** The near misses that became final by `settle` or by the next turn. */
  takeNearMisses(): readonly NearMiss[] {
    const settled = this.#settledMisses;
    this.#settledMisses = [];
    return settled;
  }

  #read(): { from: number; reading: Reading } {
    const transcript = this.#transcript;
    const cols = this.#cols;
    const { base } = transcript;
    const fenceEnds = this.#fenceEnds.byPrompt;
    const rules = { ...this.#rules, typed: this.#typed, cols, memo: this.#memo, base, fenceEnds };
    // The first row stays the same for many readings, so that each reading can reuse the one before.
    const first = base + transcript.top - BEHIND_ROWS;
    const from = Math.max(0, Math.floor(first / BEHIND_STEP) * BEHIND_STEP - base);
    const reading = this.#reader.read(transcript.rows, from, transcript.bottom, rules);
    this.#fenceEnds.read(reading.openFences.map((row) => base + row));
    return { from, reading };
  }

  /** Returns the candidates that the agent may have said, with their rows and keys. */
  #placed(
    reading: Reading,
    window: Window,
    proof: Proof | null,
  ): readonly (PlacedCandidate & { candidate: Candidate })[] {
    const candidates = proof?.asShown(reading.candidates, window) ?? reading.candidates;
    return this.#oldMessages.spoken(candidates, this.#isHistory).map((read) => {
      const row = window.base + read.row;
      const key = this.#keyOf(read);
      const before = this.#pending.get(row);
      const hasGrown = this.#openings.hasGrown(row) || (before?.key === key && before.hasGrown === true);
      const isSpliced = row < window.wrappedFrom && window.base + read.end > window.wrappedFrom;
      const placed = isSpliced ? { ...read, isExact: false } : read;
      const candidate = proof?.judgeCells(placed) ?? placed;
      return { candidate, key, row, hasGrown, isGuess: !candidate.isExact, isSpliced };
    });
  }

  #judge(reading: Reading, window: Window, since: number, timeMs?: number): Utterance[] {
    const { top, isJump } = window;
    const proof = this.#proof;
    const items = this.#placed(reading, window, proof);
    proof?.compare(items, window, this.#last, this.#unfinished.isUnordered);
    const matching = this.#heard.match(items, window);
    const told: Utterance[] = [];
    const waiting = new Map<number, Pending>();
    const again: NearMiss[] = [];
    let hasRepeat = false;
    for (const item of items) {
      const { candidate, key, row } = item;
      const isKnownNewest = proof?.isKnownNewest(row, items, window) ?? null;
      const isKnown = isKnownNewest !== false && matching.isKnown(row);
      if (!isKnown && isOutdated(item, window, this.#pending)) continue;
      if (isKnown || (isKnownNewest !== false && (matching.claimCopy(item) || isKnownNewest))) {
        if (this.#mayBeAskedAgain(item, window)) again.push(missOf('old_screen', candidate.text, row));
        continue;
      }
      if (
        this.#isReframed ||
        this.#oldMessages.isOld(candidate, row, window, {
          isHistory: this.#isHistory,
          hasBegun: this.#openings.has(row),
        })
      ) {
        this.#heard.add(key, row, window);
        continue;
      }
      // A half-painted screen may show one message twice. The second copy and all rows below it wait for the complete
      // picture.
      hasRepeat ||= this.#heard.has(key);
      const isAboveEnd = proof !== null && isAboveFence(window.rows, candidate);
      const isWhole = !hasRepeat && !item.isSpliced && !isAboveEnd && isFinal(candidate);
      if (!isWhole || (proof !== null && !this.#last.isFramed && !this.#last.isContinued)) {
        const before = this.#pending.get(row);
        const kept = before?.key === key ? before : { candidate, key, since, hasGrown: item.hasGrown };
        const sinceMs = before?.key === key && !isJump ? before.sinceMs : timeMs;
        if (!hasStood(sinceMs, timeMs)) {
          waiting.set(row, { ...kept, isWhole, ...(sinceMs !== undefined && { sinceMs }) });
          continue;
        }
      }
      told.push(...this.#flush(waiting, window));
      told.push(...this.#utter(candidate, key, row, since, window));
    }
    // Rows that have left the screen at the top do not change any more.
    const pushed = isJump ? [] : [...this.#pending].filter(([row]) => row < top && !waiting.has(row));
    for (const [row, { candidate, key, since }] of [...pushed, ...waiting]) {
      const end = row + (candidate.end - candidate.row);
      if (isJump || end > top) continue;
      waiting.delete(row);
      told.push(...this.#utter(candidate, key, row, since, window));
    }
    matching.close();
    if (!this.#isHistory && !this.#oldMessages.isViewed) this.#nearMisses.look([...reading.nearMisses, ...again]);
    dropPaintedAgain(waiting, window.paintedFrom);
    this.#pending = bounded(waiting, MAX_PENDING);
    this.#openings.look(reading, window, (row) => this.#heard.stoodAt(row));
    return told;
  }

  /** True if a program without an adapter shows a message of an earlier turn as the last words of its screen again. */
  #mayBeAskedAgain({ candidate, key }: { candidate: Candidate; key: string }, { base, top }: Window): boolean {
    if (this.#proof?.isOfEarlierTurn(key) !== true) return false;
    return this.#askedAgain.standsLast(base + candidate.end - top);
  }

  #keyOf(candidate: Candidate): string {
    const key = this.#keys.get(candidate) ?? keyOf(candidate);
    this.#keys.set(candidate, key);
    return key;
  }

  /** Reports the waiting markers above a new message: they are complete. */
  #flush(waiting: Map<number, Pending>, window: Window): Utterance[] {
    const told: Utterance[] = [];
    for (const [row, { candidate, key, since }] of waiting) {
      if (candidate.form !== 'marker') continue;
      told.push(...this.#utter(candidate, key, row, since, window));
      waiting.delete(row);
    }
    return told;
  }

  /** Reports a message, unless the screen of a program without an adapter does not prove that it is new and whole. */
  #utter(candidate: Candidate, key: string, row: number, since: number, window: Window): Utterance[] {
    const proof = this.#proof;
    // Some of its rows are those of an older picture: a later look may show them.
    if (proof?.isOnScreen(row, row + candidate.end - candidate.row, this.#last) === false) return [];
    this.#heard.add(key, row, window);
    const proven = proof ? proof.prove(candidate, key, row, window, this.#last) : candidate;
    if (proven === null) return [];
    // Words in italics may have had signs around them.
    const from = row - window.base;
    const rows = window.rows.slice(from, from + candidate.end - candidate.row);
    const mayLackMarks = proof !== null && rows.some((each) => each?.isStyled);
    const told = this.#rules.dropsMarks || mayLackMarks ? { ...proven, isExact: false } : proven;
    const to = this.#lastAt;
    const line = Math.max(1, this.#transcript.base + candidate.row + 1);
    return [toUtterance(told, { from: Math.min(since, to), to, line })];
  }
}

const hasStood = (sinceMs: number | undefined, timeMs: number | undefined): boolean =>
  sinceMs !== undefined && timeMs !== undefined && timeMs - sinceMs >= STOOD_MS;
