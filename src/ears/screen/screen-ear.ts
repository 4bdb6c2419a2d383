/**
 * Screen ear: what an agent says on a screen that it paints.
 *
 * In:   looks at the screen in order (`look`), 400 ms of quiet (`settle`), turns (`beginTurn`).
 * Out:  utterances, each once, in the order in which they became final.
 *
 * A copy of what was heard before is told from a second message by its place (heard.ts).
 * What is complete at first sight before anybody typed is an old conversation (`expectHistory`), and silent.
 * Keeps MAX_TRANSCRIPT_ROWS rows and MAX_HEARD places. Knows nothing of emulators, journals and clocks: positions are only carried.
 */
import { isMessageType, validateMessage } from '../../protocol/index.js';
import { MAX_TRANSCRIPT_ROWS } from '../bounds.js';
import type { Utterance } from '../grammar.js';
import { readJson } from '../json.js';
import { type Candidate, type Reading, readCandidates } from './candidates.js';
import { rememberTyped } from './echoed-rows.js';
import { HeardMessages, type HeardState, type TurnStart, type Window } from './heard.js';
import { ObjectMemo } from './object-memo.js';
import { type PlainRow, plainRow, type ScreenRow, squash, type Voices } from './rows.js';
import { type Placing, Transcript, type TranscriptState } from './transcript.js';

export interface Look {
  /** Journal position of the look, and of the one before. */
  readonly at: number;
  readonly since: number;
  readonly cols: number;
  /** Rows of the screen; the last `size` of `rows`. What left it since the last look stands before them, if that is known. */
  readonly size: number;
  readonly rows: readonly ScreenRow[];
  /** Whether the rows go on where the last look ended; else they have to be found again. */
  readonly isContinued: boolean;
}

export interface ScreenRules {
  readonly fences: 'swallowed' | 'printed';
  readonly isBoxed: boolean;
  readonly voices: Voices | null;
}

interface Pending {
  readonly candidate: Candidate;
  readonly key: string;
  readonly since: number;
}

/** Plain data, a copy through JSON is as good: what an equal ear is made of. */
export interface ScreenEarState {
  readonly transcript: TranscriptState;
  readonly heard: HeardState;
  readonly pending: readonly (readonly [number, Pending])[];
  readonly openings: readonly (readonly [number, Opening])[];
  readonly isHistory: boolean;
  readonly lastAt: number;
  readonly cols: number;
  readonly held: Look | null;
  readonly isHeldBack: boolean;
  readonly typed: readonly string[];
}

/** How far an object had come that had not ended, and whether it has grown since it was first seen. */
interface Opening {
  readonly chars: number;
  readonly hasGrown: boolean;
  /** It was there when the picture jumped: what is added to it may be history that is painted slowly. */
  readonly isRepainted: boolean;
}

/** Rows above the screen that are read again at each look: an object that began there may end on the screen. Some 80 KiB. */
const BEHIND_ROWS = 1000;
const MAX_PENDING = 64;
/** Some screens' worth. */
const MAX_ROWS = 1000;
const MAX_OPENINGS = 256;

export class ScreenEar {
  #rules: ScreenRules;
  readonly #transcript: Transcript;
  readonly #heard: HeardMessages;
  /** Candidates that wait for quiet, by row. */
  #pending = new Map<number, Pending>();
  /** Rows on which an object was seen that had not ended. */
  #openings = new Map<number, Opening>();
  /** By text, for each combination of what else a row is. */
  readonly #plainRows = Array.from({ length: 8 }, () => new Map<string, PlainRow>());
  #memo = new ObjectMemo();
  readonly #keys = new WeakMap<Candidate, string>();
  #isHistory = true;
  /** Position of the last look. */
  #lastAt = 0;
  #cols = 0;
  #isCalm = false;
  #typed: readonly string[] = [];
  /** Rows that could be a message stand in a picture whose place is not known. */
  #isHeldBack = false;
  /** The last look, if it counts only where the next one does not go on in place. */
  #held: Look | null = null;

  constructor(rules: ScreenRules, start: Omit<TurnStart, 'isEmptied'>, state?: ScreenEarState) {
    this.#rules = rules;
    this.#isHistory = start.isHistory;
    this.#heard = new HeardMessages(start.turn, start.prompt, state?.heard);
    this.#typed = rememberTyped([], start.prompt);
    this.#transcript = new Transcript(state?.transcript);
    if (!state) return;
    this.#pending = new Map(state.pending);
    this.#openings = new Map(state.openings);
    this.#isHistory = state.isHistory;
    this.#lastAt = state.lastAt;
    this.#cols = state.cols;
    this.#held = state.held;
    this.#isHeldBack = state.isHeldBack;
    this.#typed = state.typed;
  }

  /** Borrowed: valid until the next look. */
  state(): ScreenEarState {
    return {
      transcript: this.#transcript.state(),
      heard: this.#heard.state(),
      pending: [...this.#pending],
      openings: [...this.#openings],
      isHistory: this.#isHistory,
      lastAt: this.#lastAt,
      cols: this.#cols,
      held: this.#held,
      isHeldBack: this.#isHeldBack,
      typed: this.#typed,
    };
  }

  setRules(rules: ScreenRules): void {
    this.#rules = rules;
    this.#isCalm = false;
    for (const rows of this.#plainRows) rows.clear();
  }

  /** Something waits for 400 ms of quiet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0 || this.#isHeldBack;
  }

  /**
   * Nothing waits, has begun, or could be something. Of looks that go on in place, with rows of which none is notable, then only the
   * last counts, and that not before one comes that does not go on in place: each writes over all that the one before has written.
   */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  beginTurn(start: TurnStart): readonly Utterance[] {
    const told = [...this.#applyHeld(), ...this.settle()];
    this.#isCalm = false;
    this.#heard.beginTurn(start, this.#window(false, 0));
    this.#isHistory = start.isHistory;
    this.#typed = rememberTyped(this.#typed, start.prompt);
    if (start.isEmptied) this.#transcript.close();
    else this.#transcript.goOn();
    return told;
  }

  look(look: Look): readonly Utterance[] {
    // A look that continues in place writes over all that the held one has written.
    if (look.isContinued) this.#held = null;
    const told = this.#applyHeld();
    const isHeld = this.#isCalm && look.isContinued && look.rows.length === look.size && look.cols === this.#cols;
    if (!isHeld || look.rows.some((row) => this.#plain(row).isNotable)) return [...told, ...this.#apply(look)];
    this.#held = look;
    return told;
  }

  #applyHeld(): readonly Utterance[] {
    const held = this.#held;
    this.#held = null;
    return held ? this.#apply(held) : [];
  }

  #apply(look: Look): readonly Utterance[] {
    const rows = look.rows.map((row) => this.#plain(row));
    if (look.cols !== this.#cols) this.#memo = new ObjectMemo();
    this.#cols = look.cols;
    const placing = this.#transcript.look(rows, look.isContinued ? rows.length - look.size : null, look.size);
    this.#lastAt = look.at;
    const told = this.#judgePlaced(placing, look.since);
    this.#isCalm = this.#pending.size === 0 && this.#openings.size === 0 && this.#hasNothing();
    return told;
  }

  /** Reads the rows where a look, or the end of one, has put them. Nothing is judged before their place is known. */
  #judgePlaced({ isJump, moved }: Placing, since: number): readonly Utterance[] {
    if (moved) this.#heard.move(moved.from, moved.by);
    // Rows of another picture: what was half painted in the one before has not grown.
    if (isJump) this.#openings.clear();
    const { isDoubtful, rows, base, paintedFrom } = this.#transcript;
    this.#isHeldBack = isDoubtful && rows.slice(paintedFrom - base).some((row) => row?.isNotable);
    if (isDoubtful) return [];
    const { from, reading } = this.#read();
    return this.#judge(reading, this.#window(isJump, from), since);
  }

  /** No row that was read is notable, and the transcript ends with the screen. */
  #hasNothing(): boolean {
    const { rows, top, bottom, isSearching } = this.#transcript;
    if (isSearching || rows.length > bottom || rows.length > MAX_TRANSCRIPT_ROWS) return false;
    for (let at = Math.max(0, top - BEHIND_ROWS); at < rows.length; at++) if (rows[at]?.isNotable) return false;
    return true;
  }

  #window(isJump: boolean, from: number): Window {
    const { rows, base, top, bottom, paintedFrom } = this.#transcript;
    return { rows, base, from: base + from, top: base + top, to: base + bottom, paintedFrom, isJump };
  }

  /** Most rows are as they were at the last look: each is made plain once. */
  #plain(row: ScreenRow): PlainRow {
    const rows =
      this.#plainRows[(row.isSoft ? 1 : 0) + (row.isShaded ? 2 : 0) + (row.goesOn ? 4 : 0)] ??
      new Map<string, PlainRow>();
    const before = rows.get(row.text);
    if (before) return before;
    const plain = plainRow(row, this.#rules.voices);
    if (rows.size >= MAX_ROWS) rows.clear();
    rows.set(row.text, plain);
    return plain;
  }

  /** Nothing has changed for 400 ms: what waited for that is final. */
  settle(): readonly Utterance[] {
    const told: Utterance[] = [];
    if (this.#transcript.isDoubtful) told.push(...this.#judgePlaced(this.#transcript.settle(), this.#lastAt));
    const window = this.#window(false, 0);
    for (const [row, { candidate, key, since }] of this.#pending)
      told.push(this.#utter(candidate, key, row, since, window));
    this.#pending.clear();
    return told;
  }

  #read(): { from: number; reading: Reading } {
    const transcript = this.#transcript;
    const cols = this.#cols;
    const rules = { ...this.#rules, typed: this.#typed, cols, memo: this.#memo, base: transcript.base };
    const from = Math.max(0, transcript.top - BEHIND_ROWS);
    return { from, reading: readCandidates(transcript.rows, from, transcript.bottom, rules) };
  }

  #judge(reading: Reading, window: Window, since: number): Utterance[] {
    const { base, top, isJump } = window;
    const items = reading.candidates.map((candidate) => {
      const row = base + candidate.row;
      return { candidate, key: this.#keyOf(candidate), row, hasGrown: this.#openings.get(row)?.hasGrown === true };
    });
    const matching = this.#heard.match(items, window);
    const told: Utterance[] = [];
    const waiting = new Map<number, Pending>();
    let hasRepeat = false;
    for (const item of items) {
      const { candidate, key, row } = item;
      if (matching.isKnown(row) || matching.isCopy(item)) continue;
      if (this.#isHistory && !this.#openings.has(row)) {
        this.#heard.add(key, row, window);
        continue;
      }
      // Half painted, a screen may show one message twice: a repetition waits, and all below it, until the picture stands.
      hasRepeat ||= this.#heard.has(key);
      if (hasRepeat || !isFinal(candidate)) {
        const before = this.#pending.get(row);
        waiting.set(row, before?.key === key ? before : { candidate, key, since });
        continue;
      }
      told.push(...this.#flush(waiting, window));
      told.push(this.#utter(candidate, key, row, since, window));
    }
    // What has left the screen upwards does not change any more.
    const pushed = isJump ? [] : [...this.#pending].filter(([row]) => row < top && !waiting.has(row));
    for (const [row, { candidate, key, since }] of [...pushed, ...waiting]) {
      const end = row + (candidate.end - candidate.row);
      if (isJump || end > top) continue;
      waiting.delete(row);
      told.push(this.#utter(candidate, key, row, since, window));
    }
    matching.close();
    dropPaintedAgain(waiting, window.paintedFrom);
    this.#pending = bounded(waiting, MAX_PENDING);
    this.#noteOpenings(reading, window);
    return told;
  }

  #keyOf(candidate: Candidate): string {
    const key = this.#keys.get(candidate) ?? keyOf(candidate);
    this.#keys.set(candidate, key);
    return key;
  }

  /** A message below them: they are complete. */
  #flush(waiting: Map<number, Pending>, window: Window): Utterance[] {
    const told: Utterance[] = [];
    for (const [row, { candidate, key, since }] of waiting) {
      if (candidate.form !== 'marker') continue;
      told.push(this.#utter(candidate, key, row, since, window));
      waiting.delete(row);
    }
    return told;
  }

  #noteOpenings({ openings, candidates }: Reading, { from, base, isJump }: Window): void {
    for (const row of this.#openings.keys()) if (row < from) this.#openings.delete(row);
    for (const { row } of candidates) this.#openings.delete(base + row);
    for (const { row, chars } of openings) {
      const before = this.#openings.get(base + row);
      const isRepainted = before ? before.isRepainted : isJump || this.#heard.stoodAt(base + row);
      const hasGrown = before !== undefined && !isRepainted && (before.hasGrown || chars > before.chars);
      this.#openings.set(base + row, { chars: Math.max(chars, before?.chars ?? 0), hasGrown, isRepainted });
    }
    this.#openings = bounded(this.#openings, MAX_OPENINGS);
  }

  #utter(candidate: Candidate, key: string, row: number, since: number, window: Window): Utterance {
    this.#heard.add(key, row, window);
    const to = this.#lastAt;
    const line = Math.max(1, this.#transcript.base + candidate.row + 1);
    const place = { from: Math.min(since, to), to, line, ...(candidate.isExact ? {} : { exact: false as const }) };
    if (candidate.form === 'marker') {
      return { form: 'marker', ...place, text: candidate.text, type: candidate.type, words: candidate.words };
    }
    if (candidate.form === 'fence') return { form: 'fence', ...place, text: candidate.text };
    const { text, json, human } = candidate;
    return { form: 'envelope', ...place, text, json, human };
  }
}

/** Of what waits, a program may have painted a part again before it could be told: of each such pair the upper one is dropped. */
function dropPaintedAgain(waiting: Map<number, Pending>, paintedFrom: number): void {
  const below = [...waiting].filter(([row]) => row >= paintedFrom).map(([, { key }]) => key);
  for (const [row, { key }] of [...waiting]) {
    const at = row < paintedFrom ? below.indexOf(key) : -1;
    if (at === -1) continue;
    below.splice(at, 1);
    waiting.delete(row);
  }
}

function keyOf(candidate: Candidate): string {
  if (candidate.form === 'marker') return `marker:${squash(candidate.text)}`;
  const json = squash(candidate.form === 'envelope' ? candidate.json : candidate.text);
  return `json:${json.replace(/[^\p{L}\p{N}"{}[\],:]/gu, '')}`;
}

/** Objects are final once they are balanced and valid; what is not valid may be a picture that is half painted. */
function isFinal(candidate: Candidate): boolean {
  if (candidate.form === 'marker' || !candidate.isSure) return false;
  const reading = readJson(candidate.form === 'envelope' ? candidate.json : candidate.text);
  if (!reading.ok) return false;
  const { key: _key, ...value } = reading.value as { key?: unknown; type?: unknown }; // an object: `isSure`
  if (candidate.form === 'envelope' && !isMessageType(value.type)) return true; // the data of an OUTPUT, `data` in it or not
  return validateMessage(value.type as Parameters<typeof validateMessage>[0], value).length === 0; // known: `isSure`
}

function bounded<V>(map: Map<number, V>, size: number): Map<number, V> {
  return map.size <= size ? map : new Map([...map].slice(-size));
}
