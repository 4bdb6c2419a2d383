/**
 * Heard messages of a screen, and where they stand: is a candidate one of them in another picture, or another message?
 *
 * In:   turns (`beginTurn`), and for each look its candidates from top to bottom (`match`).
 * Out:  for each candidate whether it is known. A known one is remembered at its new place.
 *
 * Every message has a number, in the order in which they were heard; pictures of it that stand elsewhere have the same one. Rules in order:
 *
 *     same content at the same row of the transcript                              known
 *     it grew in a later turn, stands behind what was submitted in one, or
 *     comes in another conversation                                               another message
 *     the heard one has vanished from its row                                     it has moved
 *     the picture jumped (resize, page keys, a repaint), the same rows above      known, at another place
 *     it follows the one that is painted again right above it                     history painted again
 *     everything above it is the same                                             history painted again
 *
 * In one view of the transcript a number stands once, and higher ones stand below: so a repetition is not taken for what it repeats.
 */
import { MAX_HEARD } from '../bounds.js';
import { isLabel } from './candidates.js';
import type { Rows } from './rows.js';

export interface Heard {
  readonly key: string;
  /** Which of the messages it is. */
  readonly number: number;
  row: number;
  readonly turn: number;
  /** The conversation: counted on when a submitted input empties it. */
  readonly conversation: number;
  readonly above: string;
  /** It stood on the screen, and something else stands there now. */
  hasVanished: boolean;
}

/** An input was submitted. */
export interface TurnStart {
  readonly turn: number;
  /** It asks for an old conversation; what is painted at once is that. */
  readonly isHistory: boolean;
  /** It empties the conversation (`/clear`). */
  readonly isEmptied: boolean;
  /** Words for the agent, as far as they are known; '' for a command, or where nobody knows. */
  readonly prompt: string;
}

/** Plain data. */
export interface HeardState {
  readonly heard: readonly Heard[];
  readonly count: number;
  readonly turn: number;
  readonly conversation: number;
  readonly prompt: string;
}

export interface Candidature {
  readonly key: string;
  /** Number of the row where it stands. */
  readonly row: number;
  /** It was seen unfinished, and then further. */
  readonly hasGrown: boolean;
}

/** Rows that a look has read, by number. */
export interface Window {
  readonly rows: Rows;
  /** Number of `rows[0]`. */
  readonly base: number;
  /** From here on rows were read; here the screen begins; here it ends. */
  readonly from: number;
  readonly top: number;
  readonly to: number;
  readonly isJump: boolean;
}

/** What is remembered of the text above a message. */
const MAX_ABOVE_CHARS = 2000;
/** After a jump, so much of the text above must be the same; short of all that is known. */
const JUMP_ABOVE_CHARS = 32;
/** Less than this above it says nothing. */
const MIN_ABOVE_CHARS = 24;
/** What a program shows of a prompt is searched for by so much of its beginning: the first words of its first row. */
const MAX_PROMPT_CHARS = 16;
/** What programs put before the person's words. */
const PROMPT_GLYPH = /^[>❯›»▶$!*│┃▌▎|]+/u;

export class HeardMessages {
  #heard: Heard[] = [];
  #count = 0;
  #turn = 0;
  #conversation = 0;
  /** Beginning of what was submitted, without blanks. */
  #prompt = '';

  constructor(turn: number, state?: HeardState) {
    this.#turn = turn;
    if (!state) return;
    this.#heard = state.heard.map((heard) => ({ ...heard }));
    this.#count = state.count;
    this.#turn = state.turn;
    this.#conversation = state.conversation;
    this.#prompt = state.prompt;
  }

  /** Borrowed: valid until the next look. */
  state(): HeardState {
    return {
      heard: this.#heard,
      count: this.#count,
      turn: this.#turn,
      conversation: this.#conversation,
      prompt: this.#prompt,
    };
  }

  beginTurn({ turn, isEmptied, prompt }: TurnStart, window: Window): void {
    this.#turn = turn;
    this.#prompt = squashedStart(prompt);
    if (!isEmptied) return;
    this.#conversation++;
    // What is on the screen stands there until something else does.
    for (const heard of this.#heard) if (heard.row < window.top || heard.row >= window.to) heard.hasVanished = true;
  }

  /** A message is told, or silent for another reason than that it was heard. */
  add(key: string, row: number, window: Pick<Window, 'rows' | 'base'>): void {
    this.#push(key, ++this.#count, row, textAbove(window.rows, row - window.base));
  }

  /** @param candidates  All of a look, from top to bottom. */
  match(candidates: readonly Candidature[], window: Window): Matching {
    return new Matching(candidates, window, {
      heard: () => this.#heard,
      isSaidAnew: (heard, candidature, isAnswer) =>
        (heard.turn < this.#turn && (candidature.hasGrown || isAnswer)) ||
        (heard.conversation < this.#conversation && this.#prompt !== ''),
      remember: (heard, row, above) => this.#push(heard.key, heard.number, row, above),
      prompt: this.#prompt,
    });
  }

  #push(key: string, number: number, row: number, above: string): void {
    const [turn, conversation] = [this.#turn, this.#conversation];
    this.#heard.push({ key, number, row, turn, conversation, above, hasVanished: false });
    if (this.#heard.length > MAX_HEARD) this.#heard = this.#heard.slice(-MAX_HEARD / 2);
  }
}

interface Memory {
  readonly heard: () => readonly Heard[];
  readonly isSaidAnew: (heard: Heard, candidature: Candidature, isAnswer: boolean) => boolean;
  readonly remember: (heard: Heard, row: number, above: string) => void;
  readonly prompt: string;
}

/** One look's candidates among what was heard. */
export class Matching {
  readonly #memory: Memory;
  readonly #window: Window;
  /** Heard ones that stand nowhere. */
  readonly #free: Set<Heard>;
  /** Numbers by row, of what stands in this view. */
  readonly #standing = new Map<number, number>();
  /** Where this view begins, and where what was submitted last was shown in it: what stands behind that answers it. */
  readonly #viewFrom: number;
  readonly #promptRow: number;
  /** Those that stand where they stood. */
  readonly #known = new Set<number>();

  constructor(candidates: readonly Candidature[], window: Window, memory: Memory) {
    this.#memory = memory;
    this.#window = window;
    this.#viewFrom = viewStart(window);
    this.#promptRow = findPrompt(window, this.#viewFrom, memory.prompt);
    this.#free = new Set(memory.heard());
    for (const candidature of candidates) {
      const { key, row } = candidature;
      const known = memory.heard().find((heard) => heard.row === row && heard.key === key && this.#free.has(heard));
      if (!known || (known.hasVanished && memory.isSaidAnew(known, candidature, this.#isAnswer(row)))) continue;
      this.#stand(known, row);
      known.hasVanished = false;
      this.#known.add(row);
    }
  }

  /** It stands where it stood. */
  isKnown(row: number): boolean {
    return this.#known.has(row);
  }

  /** Whether a candidate that is not known by its row is a heard one; it is remembered there. */
  isCopy(candidature: Candidature): boolean {
    const { key, row } = candidature;
    const { isJump, from, to } = this.#window;
    const above = textAbove(this.#window.rows, row - this.#window.base);
    const isAnswer = this.#isAnswer(row);
    const isOld = (heard: Heard): boolean =>
      heard.key === key && !this.#memory.isSaidAnew(heard, candidature, isAnswer);
    for (const heard of this.#free) {
      if (!isOld(heard)) continue;
      const hasVanished = heard.row >= from && heard.row < to;
      if (!hasVanished && !(isJump && hasCommonEnd(heard.above, above, JUMP_ABOVE_CHARS))) continue;
      heard.row = row;
      this.#stand(heard, row);
      return true;
    }
    const last = this.#lastAbove(row);
    const standing = new Set(this.#standing.values());
    const copy =
      this.#memory.heard().find((heard) => {
        if (!isOld(heard) || heard.number <= last || standing.has(heard.number)) return false;
        if (last > 0 && heard.number === last + 1) return true;
        return isJump && hasCommonEnd(heard.above, above, JUMP_ABOVE_CHARS);
      }) ??
      this.#memory.heard().find((heard) => {
        const known = Math.min(heard.above.length, above.length);
        return isOld(heard) && known >= MIN_ABOVE_CHARS && hasCommonEnd(heard.above, above, MAX_ABOVE_CHARS);
      });
    if (!copy) return false;
    this.#memory.remember(copy, row, above);
    this.#stand(copy, row);
    return true;
  }

  /** What stood on the screen and is not there has vanished. */
  close(): void {
    const { top, to } = this.#window;
    for (const heard of this.#free) if (heard.row >= top && heard.row < to) heard.hasVanished = true;
  }

  #stand(heard: Heard, row: number): void {
    this.#free.delete(heard);
    if (row >= this.#viewFrom) this.#standing.set(row, heard.number);
  }

  #lastAbove(row: number): number {
    let last = 0;
    for (const [at, number] of this.#standing) if (at < row) last = Math.max(last, number);
    return last;
  }

  #isAnswer(row: number): boolean {
    return this.#promptRow !== -1 && this.#promptRow < row;
  }
}

function viewStart({ rows, base, from, top }: Window): number {
  let at = top - base;
  while (at > from - base && rows[at - 1]) at--;
  return base + at;
}

/** The last row that shows what was submitted, behind a prompt's glyph or alone; -1 for none. */
function findPrompt({ rows, base, to }: Window, viewFrom: number, prompt: string): number {
  if (prompt === '') return -1;
  for (let row = to - 1; row >= viewFrom; row--) {
    const shown = rows[row - base]?.squashed.replace(PROMPT_GLYPH, '') ?? '';
    if (prompt.length < MAX_PROMPT_CHARS ? shown === prompt : shown.startsWith(prompt)) return row;
  }
  return -1;
}

function squashedStart(text: string): string {
  return text.replace(/\s+/g, '').slice(0, MAX_PROMPT_CHARS);
}

/** What stands above a row, without blanks, labels, numbers and ornaments, up to the view's beginning. */
function textAbove(rows: Rows, row: number): string {
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
