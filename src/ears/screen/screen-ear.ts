/**
 * Screen ear: what an agent says on a screen that it paints.
 *
 * In:   looks at the screen in order (`look`), 400 ms of quiet (`settle`), turns (`beginTurn`).
 * Out:  utterances, each once, in the order in which they became final.
 *
 * A copy of what was heard before is told from a second message by place. In order:
 *
 *     same content at the same row of the transcript                          known
 *     same content, and the heard one has vanished from its row               it has moved
 *     the picture jumped (resize, page keys, a repaint), the same rows above  known, at another place
 *     everything above it is the same                                         history painted again
 *     else                                                                    another message
 *
 * What is complete at first sight before anybody typed is an old conversation (`expectHistory`), and silent.
 * Keeps MAX_TRANSCRIPT_ROWS rows and MAX_HEARD places. Knows nothing of emulators, journals and clocks: positions are only carried.
 */
import { isMessageType, validateMessage } from '../../protocol/index.js';
import { MAX_HEARD } from '../bounds.js';
import type { Utterance } from '../grammar.js';
import { readJson } from '../json.js';
import { type Candidate, isLabel, type Reading, readCandidates } from './candidates.js';
import { type PlainRow, plainRow, type ScreenRow, squash, type Voices } from './rows.js';
import { Transcript, type TranscriptState } from './transcript.js';

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

interface Heard {
  readonly key: string;
  row: number;
  view: number;
  readonly turn: number;
  readonly above: string;
  /** It stood on the screen, and something else stands there now. */
  hasVanished: boolean;
}

interface Pending {
  readonly candidate: Candidate;
  readonly key: string;
  readonly since: number;
}

/** Plain data, a copy through JSON is as good: what an equal ear is made of. */
export interface ScreenEarState {
  readonly transcript: TranscriptState;
  readonly heard: readonly Heard[];
  readonly pending: readonly (readonly [number, Pending])[];
  readonly openings: readonly (readonly [number, Opening])[];
  readonly turn: number;
  readonly isHistory: boolean;
  readonly lastAt: number;
  readonly cols: number;
  readonly view: number;
}

/** How far an object had come that had not ended, and whether it has grown since it was first seen. */
interface Opening {
  readonly chars: number;
  readonly hasGrown: boolean;
}

/** Rows above the screen that are read again at each look: an object that began there may end on the screen. Some 80 KiB. */
const BEHIND_ROWS = 1000;
/** What is remembered of the text above a message. */
const MAX_ABOVE_CHARS = 2000;
/** After a jump, so much of the text above must be the same; short of all that is known. */
const JUMP_ABOVE_CHARS = 32;
/** Less than this above it says nothing. */
const MIN_ABOVE_CHARS = 24;
const MAX_PENDING = 64;
/** Some screens' worth. */
const MAX_ROWS = 1000;
const MAX_OPENINGS = 256;

export class ScreenEar {
  #rules: ScreenRules;
  readonly #transcript: Transcript;
  #heard: Heard[] = [];
  /** Candidates that wait for quiet, by row. */
  #pending = new Map<number, Pending>();
  /** Rows on which an object was seen that had not ended. */
  #openings = new Map<number, Opening>();
  readonly #plainRows = new Map<string, PlainRow>();
  #turn = 0;
  #isHistory = true;
  /** Position of the last look. */
  #lastAt = 0;
  #cols = 0;
  /** The view of the last look. */
  #transcriptView = 0;

  constructor(rules: ScreenRules, { turn, isHistory }: { turn: number; isHistory: boolean }, state?: ScreenEarState) {
    this.#rules = rules;
    this.#turn = turn;
    this.#isHistory = isHistory;
    this.#transcript = new Transcript(state?.transcript);
    if (!state) return;
    this.#heard = state.heard.map((heard) => ({ ...heard }));
    this.#pending = new Map(state.pending);
    this.#openings = new Map(state.openings);
    this.#turn = state.turn;
    this.#isHistory = state.isHistory;
    this.#lastAt = state.lastAt;
    this.#cols = state.cols;
    this.#transcriptView = state.view;
  }

  /** Borrowed: valid until the next look. */
  state(): ScreenEarState {
    return {
      transcript: this.#transcript.state(),
      heard: this.#heard,
      pending: [...this.#pending],
      openings: [...this.#openings],
      turn: this.#turn,
      isHistory: this.#isHistory,
      lastAt: this.#lastAt,
      cols: this.#cols,
      view: this.#transcriptView,
    };
  }

  setRules(rules: ScreenRules): void {
    this.#rules = rules;
    this.#plainRows.clear();
  }

  /** Something waits for 400 ms of quiet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** An input was submitted. `isHistory`: it asks for an old conversation; what is painted at once is that. */
  beginTurn(turn: number, isHistory: boolean): readonly Utterance[] {
    const told = this.settle();
    this.#turn = turn;
    this.#isHistory = isHistory;
    return told;
  }

  look(look: Look): readonly Utterance[] {
    const rows = look.rows.map((row) => this.#plain(row));
    this.#cols = look.cols;
    const { view, isJump } = this.#transcript.look(rows, look.isContinued ? rows.length - look.size : null, look.size);
    this.#lastAt = look.at;
    const { from, reading } = this.#read();
    return this.#judge(reading, view, isJump, from, look);
  }

  /** Most rows are as they were at the last look: each is made plain once. */
  #plain(row: ScreenRow): PlainRow {
    const key = `${row.isSoft ? 's' : ''}${row.isShaded ? 'g' : ''}|${row.text}`;
    const before = this.#plainRows.get(key);
    if (before) return before;
    const plain = plainRow(row, this.#rules.voices);
    if (this.#plainRows.size >= MAX_ROWS) this.#plainRows.clear();
    this.#plainRows.set(key, plain);
    return plain;
  }

  /** Nothing has changed for 400 ms: what waited for that is final. */
  settle(): readonly Utterance[] {
    const told: Utterance[] = [];
    for (const { candidate, since } of this.#pending.values()) told.push(this.#utter(candidate, since));
    for (const [row, { candidate, key }] of this.#pending) this.#remember(candidate, key, row, this.#transcriptView);
    this.#pending.clear();
    return told;
  }

  #read(): { from: number; reading: Reading } {
    const transcript = this.#transcript;
    const cols = this.#cols;
    const rules = { ...this.#rules, cols };
    const from = Math.max(0, transcript.top - BEHIND_ROWS);
    return { from, reading: readCandidates(transcript.rows, from, transcript.bottom, rules) };
  }

  #judge(reading: Reading, view: number, isJump: boolean, from: number, look: Look): Utterance[] {
    this.#transcriptView = view;
    const { base, rows, bottom } = this.#transcript;
    const free = new Set(this.#heard);
    const seen: { candidate: Candidate; key: string; row: number }[] = [];
    for (const candidate of reading.candidates) {
      const item = { candidate, key: keyOf(candidate), row: base + candidate.row };
      const known = this.#heard.find((heard) => heard.row === item.row && heard.key === item.key && free.has(heard));
      if (known && !(known.hasVanished && this.#isSaidAnew(known, item.row))) {
        free.delete(known);
        known.hasVanished = false;
      } else seen.push(item);
    }
    const told: Utterance[] = [];
    const waiting = new Map<number, Pending>();
    for (const { candidate, key, row } of seen) {
      const above = textAbove(rows, candidate.row);
      const known = this.#findCopy(free, key, row, above, isJump, { from: base + from, to: base + bottom });
      if (known === 'copy') {
        this.#remember(candidate, key, row, view);
        continue;
      }
      if (known) {
        free.delete(known);
        known.row = row;
        known.view = view;
        continue;
      }
      if (this.#isHistory && !this.#openings.has(row)) {
        this.#remember(candidate, key, row, view);
        continue;
      }
      if (!isFinal(candidate)) {
        const before = this.#pending.get(row);
        waiting.set(row, before?.key === key ? before : { candidate, key, since: look.since });
        continue;
      }
      told.push(...this.#flush(waiting, view));
      told.push(this.#utter(candidate, look.since));
      this.#remember(candidate, key, row, view);
    }
    // What has left the screen upwards does not change any more.
    const pushed = isJump
      ? []
      : [...this.#pending].filter(([row]) => row < base + this.#transcript.top && !waiting.has(row));
    for (const [row, pending] of [...pushed, ...waiting]) {
      const end = row + (pending.candidate.end - pending.candidate.row);
      if (isJump || end > base + this.#transcript.top) continue;
      waiting.delete(row);
      told.push(this.#utter(pending.candidate, pending.since));
      this.#remember(pending.candidate, pending.key, row, view);
    }
    for (const heard of free) {
      if (heard.row >= base + this.#transcript.top && heard.row < base + bottom) heard.hasVanished = true;
    }
    this.#pending = bounded(waiting, MAX_PENDING);
    this.#noteOpenings(reading, from);
    return told;
  }

  /** A message below them: they are complete. */
  #flush(waiting: Map<number, Pending>, view: number): Utterance[] {
    const told: Utterance[] = [];
    for (const [row, { candidate, key, since }] of waiting) {
      if (candidate.form !== 'marker') continue;
      told.push(this.#utter(candidate, since));
      this.#remember(candidate, key, row, view);
      waiting.delete(row);
    }
    return told;
  }

  /**
   * @returns The heard one that this is; 'copy' if it is another picture of one that stays where it is; null: it is new.
   */
  #findCopy(
    free: ReadonlySet<Heard>,
    key: string,
    row: number,
    above: string,
    isJump: boolean,
    range: { from: number; to: number },
  ): Heard | 'copy' | null {
    for (const heard of free) {
      if (heard.key !== key || this.#isSaidAnew(heard, row)) continue;
      const hasVanished = heard.row >= range.from && heard.row < range.to;
      if (hasVanished) return heard;
      if (isJump && hasCommonEnd(heard.above, above, JUMP_ABOVE_CHARS)) return heard;
    }
    for (const heard of this.#heard) {
      if (heard.key !== key || this.#isSaidAnew(heard, row)) continue;
      const known = Math.min(heard.above.length, above.length);
      if (known >= MIN_ABOVE_CHARS && hasCommonEnd(heard.above, above, MAX_ABOVE_CHARS)) return 'copy';
    }
    return null;
  }

  /** It grew before our eyes in a later turn: nobody paints history like that. */
  #isSaidAnew(heard: Heard, row: number): boolean {
    return heard.turn < this.#turn && this.#openings.get(row)?.hasGrown === true;
  }

  #remember(candidate: Candidate, key: string, row: number, view: number): void {
    const above = textAbove(this.#transcript.rows, candidate.row);
    this.#heard.push({ key, row, view, turn: this.#turn, above, hasVanished: false });
    if (this.#heard.length > MAX_HEARD) this.#heard = this.#heard.slice(-MAX_HEARD / 2);
  }

  #noteOpenings({ openings, candidates }: Reading, from: number): void {
    const { base } = this.#transcript;
    for (const row of this.#openings.keys()) if (row < base + from) this.#openings.delete(row);
    for (const { row } of candidates) this.#openings.delete(base + row);
    for (const { row, chars } of openings) {
      const before = this.#openings.get(base + row);
      const hasGrown = before !== undefined && (before.hasGrown || chars > before.chars);
      this.#openings.set(base + row, { chars: Math.max(chars, before?.chars ?? 0), hasGrown });
    }
    this.#openings = bounded(this.#openings, MAX_OPENINGS);
  }

  #utter(candidate: Candidate, since: number): Utterance {
    const to = this.#lastAt;
    const place = { from: Math.min(since, to), to, line: Math.max(1, this.#transcript.base + candidate.row + 1) };
    if (candidate.form === 'marker') {
      return { form: 'marker', ...place, text: candidate.text, type: candidate.type, words: candidate.words };
    }
    if (candidate.form === 'fence') return { form: 'fence', ...place, text: candidate.text };
    const { text, json, human } = candidate;
    return { form: 'envelope', ...place, text, json, human };
  }
}

function keyOf(candidate: Candidate): string {
  if (candidate.form === 'marker') return `marker:${squash(candidate.text)}`;
  return `json:${squash(candidate.form === 'envelope' ? candidate.json : candidate.text)}`;
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

/** What stands above a row, without blanks, labels, numbers and ornaments, up to the view's beginning. */
function textAbove(rows: readonly (PlainRow | undefined)[], row: number): string {
  let text = '';
  for (let at = row - 1; at >= 0 && text.length < MAX_ABOVE_CHARS; at--) {
    const above = rows[at];
    if (!above) break;
    if (above.isOrnament || isLabel(above) || /^\d*$/.test(above.squashed)) continue;
    text = above.squashed.replace(/^\d{1,5}(?=[{}"[\]])/, '') + text;
  }
  return text.slice(-MAX_ABOVE_CHARS);
}

/** Whether two texts end alike, for so many characters or all that there are. */
function hasCommonEnd(one: string, other: string, chars: number): boolean {
  const length = Math.min(one.length, other.length, chars);
  return one.slice(one.length - length) === other.slice(other.length - length);
}

function bounded<V>(map: Map<number, V>, size: number): Map<number, V> {
  return map.size <= size ? map : new Map([...map].slice(-size));
}
