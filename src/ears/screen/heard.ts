/**
 * Heard messages of a screen, and where they stand: is a candidate one of them in another picture, or another message?
 *
 * In:   turns (`beginTurn`), and for each look its candidates from top to bottom (`match`).
 * Out:  for each candidate whether it is known. A known one is remembered at its new place.
 *
 * Every message has a number, in the order in which they were heard; pictures of it that stand elsewhere have the same one. Rules in order:
 *
 *     same content at the same row of the transcript                              known
 *     it grew in a later turn                                                     another message
 *     it stands behind what was submitted last, and the heard one did not, or
 *     stands above that                                                           another message
 *     it comes in answer to a prompt in another conversation                      another message
 *     the heard one has vanished from its row                                     it has moved
 *     the picture jumped (resize, page keys, a repaint), the same rows above      known, at another place
 *     it follows the one that is painted again right above it                     history painted again
 *     everything above it is the same                                             history painted again
 *     it stands above what was submitted last, and was heard before that          history painted again
 *
 * In one view of the transcript a number stands once, and higher ones stand below: so a repetition is not taken for what it repeats.
 */
import { MAX_HEARD } from '../bounds.js';
import { hasCommonEnd, isAlike, isPart, MAX_ABOVE_CHARS, textAbove } from './row-texts.js';
import type { PlainRow, Rows } from './rows.js';

export interface Heard {
  readonly key: string;
  /** The number of the message. */
  readonly number: number;
  row: number;
  /** First row of the picture in which it was heard, if that picture was not found in the transcript; else 0. */
  readonly paintedFrom: number;
  readonly turn: number;
  /** The number of the conversation. It is increased when a submitted input empties the conversation. */
  readonly conversation: number;
  /** What was submitted before it, and the text above it. */
  readonly prompt: string;
  readonly above: string;
  /** It was on the screen, and something else is there now. */
  hasVanished: boolean;
}

/** An input was submitted. */
export interface TurnStart {
  readonly turn: number;
  /** It asks for an old conversation: what is painted at once belongs to that. */
  readonly isHistory: boolean;
  /** It empties the conversation (`/clear`). */
  readonly isEmptied: boolean;
  /** The words for the agent, as far as they are known; '' for a command, or if they are unknown. */
  readonly prompt: string;
}

/** Plain data. */
export interface HeardState {
  readonly heard: readonly Heard[];
  readonly count: number;
  readonly turn: number;
  readonly conversation: number;
  readonly prompt: string;
  readonly promptRow: number;
}

export interface Candidature {
  readonly key: string;
  /** Number of its row. */
  readonly row: number;
  /** It was seen unfinished, and later with more text. */
  readonly hasGrown: boolean;
  /** A part of its text is a guess: when the same row is painted again, the guess may differ. */
  readonly isGuess: boolean;
}

/** Rows that a look has read, by number. */
export interface Window {
  readonly rows: Rows;
  /** Number of `rows[0]`. */
  readonly base: number;
  /** The first row that was read, the first row of the screen, and the end of the screen. */
  readonly from: number;
  readonly top: number;
  readonly to: number;
  /** Rows from here on were painted over the screen and match no known rows above: see transcript.ts. */
  readonly paintedFrom: number;
  readonly isJump: boolean;
}

/** After a jump, this many characters of the text above must be the same, or all of it if less is known. */
const JUMP_ABOVE_CHARS = 32;
/** A shorter text above proves nothing. */
const MIN_ABOVE_CHARS = 24;
/** The beginning of a prompt by which it is searched on the screen: the first words of its first row. */
const MAX_PROMPT_CHARS = 16;
/** Some programs pin a prompt above everything; the text below it may be older than the prompt. */
const PINNED_ROWS = 2;
/** The glyphs that programs put before the person's words. */
const PROMPT_GLYPHS = /^[>❯›»▶$!*│┃▌▎|]*$/u;
const MAX_GLYPHS = 3;

export class HeardMessages {
  #heard: Heard[] = [];
  #count = 0;
  #turn = 0;
  #conversation = 0;
  /** The beginning of what was submitted, without blanks. */
  #prompt = '';
  /** The row in which the program shows it; -1 while it does not. */
  #promptRow = -1;

  /** @param prompt  What was submitted last. */
  constructor(turn: number, prompt: string, state?: HeardState) {
    this.#turn = turn;
    this.#prompt = squashedStart(prompt);
    if (!state) return;
    this.#heard = state.heard.map((heard) => ({ ...heard }));
    this.#count = state.count;
    this.#turn = state.turn;
    this.#conversation = state.conversation;
    this.#prompt = state.prompt;
    this.#promptRow = state.promptRow;
  }

  /** Borrowed: valid until the next look. */
  state(): HeardState {
    return {
      heard: this.#heard,
      count: this.#count,
      turn: this.#turn,
      conversation: this.#conversation,
      prompt: this.#prompt,
      promptRow: this.#promptRow,
    };
  }

  beginTurn({ turn, isEmptied, prompt }: TurnStart, window: Window): void {
    this.#turn = turn;
    this.#prompt = squashedStart(prompt);
    this.#promptRow = -1;
    if (!isEmptied) return;
    this.#conversation++;
    // What is on the screen stays there until something else is there.
    for (const heard of this.#heard) if (heard.row < window.top || heard.row >= window.to) heard.hasVanished = true;
  }

  /** Whether a message with this content was heard, in any turn. */
  has(key: string): boolean {
    return this.#heard.some((heard) => heard.key === key);
  }

  /** Whether a row shows what was submitted last. */
  isPrompt(row: PlainRow): boolean {
    return this.#prompt !== '' && isPromptRow(row, this.#prompt);
  }

  /** True if a row of the last `match` stands below what was submitted last. */
  isBelowPrompt(row: number, { rows, base, ...window }: Window): boolean {
    if (this.#promptRow !== -1) return row > this.#promptRow;
    // Nothing has scrolled away yet: a prompt in the first rows is not pinned there.
    const isFirst = viewStart({ rows, base, ...window }) === window.top;
    const first = rows.slice(window.top - base, Math.min(window.top + PINNED_ROWS, row) - base);
    return isFirst && this.#prompt !== '' && first.some((shown) => isPromptRow(shown, this.#prompt));
  }

  /** Whether a message was heard in this row. */
  stoodAt(row: number): boolean {
    return this.#heard.some((heard) => heard.row === row);
  }

  /** Changes the row numbers of a picture that is moved to where it was before, from its first row on. */
  move(from: number, by: number): void {
    for (const heard of this.#heard) if (heard.paintedFrom === from) heard.row += by;
    if (this.#promptRow >= from) this.#promptRow += by;
  }

  /** Adds a message that is reported, or is silent for another reason than that it was heard. */
  add(key: string, row: number, window: Window): void {
    this.#push(key, ++this.#count, row, textAbove(window.rows, row - window.base), window.paintedFrom);
  }

  /** @param candidates  All candidates of a look, from top to bottom. */
  match(candidates: readonly Candidature[], window: Window): Matching {
    this.#promptRow = findPrompt(window, this.#promptRow, this.#prompt);
    return new Matching(candidates, window, {
      heard: () => this.#heard,
      isEarlier: (heard) => heard.turn < this.#turn,
      isElsewhere: (heard) => heard.conversation < this.#conversation && this.#prompt !== '',
      remember: (heard, row, above) => this.#push(heard.key, heard.number, row, above, window.paintedFrom),
      prompt: this.#prompt,
      promptRow: this.#promptRow,
    });
  }

  #push(key: string, number: number, row: number, above: string, pictureFrom: number): void {
    const [turn, conversation, prompt] = [this.#turn, this.#conversation, this.#prompt];
    const paintedFrom = row >= pictureFrom ? pictureFrom : 0;
    this.#heard.push({ key, number, row, paintedFrom, turn, conversation, prompt, above, hasVanished: false });
    if (this.#heard.length > MAX_HEARD) this.#heard = this.#heard.slice(-MAX_HEARD / 2);
  }
}

interface Memory {
  readonly heard: () => readonly Heard[];
  /** It was said in an earlier turn; or in another conversation than the current one. */
  readonly isEarlier: (heard: Heard) => boolean;
  readonly isElsewhere: (heard: Heard) => boolean;
  readonly remember: (heard: Heard, row: number, above: string) => void;
  readonly prompt: string;
  readonly promptRow: number;
}

/** Matches one look's candidates with what was heard. */
export class Matching {
  readonly #memory: Memory;
  readonly #candidates: readonly Candidature[];
  readonly #window: Window;
  /** Heard messages that are not found in this view. */
  readonly #free: Set<Heard>;
  /** Numbers of the messages in this view, by row. */
  readonly #standing = new Map<number, number>();
  /**
   * The first row of this view, and the row that showed in it what was submitted last. Text behind that row answers it.
   */
  readonly #viewFrom: number;
  readonly #promptRow: number;
  /** Rows of messages that are still in their place. */
  readonly #known = new Set<number>();

  constructor(candidates: readonly Candidature[], window: Window, memory: Memory) {
    this.#memory = memory;
    this.#candidates = candidates;
    this.#window = window;
    this.#viewFrom = viewStart(window);
    this.#promptRow = memory.promptRow;
    this.#free = new Set(memory.heard());
    const near = memory.heard().filter(({ row }) => row >= window.from && row < window.to);
    for (const candidature of candidates) {
      const { key, row } = candidature;
      const known = near.findLast((heard) => {
        if (heard.row !== row || heard.key !== key || !this.#free.has(heard)) return false;
        if (heard.hasVanished && this.#isGrownOrElsewhere(heard, candidature)) return false;
        return !this.#isAnswer(heard, row) || this.#isBelowTheSame(heard, row);
      });
      if (!known) {
        this.#guessAgain(candidature, near);
        continue;
      }
      this.#stand(known, row);
      known.hasVanished = false;
      this.#known.add(row);
    }
  }

  /** Within a turn, another guess in the row of a heard message counts as that message. */
  #guessAgain({ key, row, isGuess }: Candidature, near: readonly Heard[]): void {
    if (!isGuess) return;
    const before = near.findLast(
      (heard) =>
        heard.row === row && !this.#memory.isEarlier(heard) && this.#free.has(heard) && isAlike(heard.key, key),
    );
    if (!before) return;
    this.#memory.remember({ ...before, key }, row, before.above);
    this.#stand(before, row);
    this.#known.add(row);
  }

  /** Whether the message of this row is still in its place. */
  isKnown(row: number): boolean {
    return this.#known.has(row);
  }

  /**
   * Whether a candidate that is not known by its row is a copy of a heard message. A copy is remembered at its new row.
   */
  isCopy(candidature: Candidature): boolean {
    const { key, row } = candidature;
    const { isJump, from, to } = this.#window;
    const above = textAbove(this.#window.rows, row - this.#window.base);
    const isOld = (heard: Heard): boolean => heard.key === key && !this.#isSaidAnew(heard, candidature);
    for (const heard of this.#free) {
      if (!isOld(heard)) continue;
      const hasVanished = heard.row >= from && heard.row < to;
      if (!hasVanished && !(isJump && hasCommonEnd(heard.above, above, JUMP_ABOVE_CHARS))) continue;
      heard.row = row;
      this.#stand(heard, row);
      return true;
    }
    const repainted = this.#repainted(key, row) ?? this.#abovePrompt(candidature);
    if (repainted) {
      this.#memory.remember(repainted, row, above);
      this.#stand(repainted, row);
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

  /**
   * Within a turn, what is painted over the screen repeats what was heard before. It counts as often as it appears in
   * one picture.
   */
  #repainted(key: string, row: number): Heard | undefined {
    const { paintedFrom } = this.#window;
    if (row < paintedFrom) return undefined;
    const standing = new Set([...this.#standing].filter(([at]) => at >= paintedFrom).map(([, number]) => number));
    return this.#memory
      .heard()
      .find(
        (heard) =>
          heard.key === key &&
          heard.row < paintedFrom &&
          !standing.has(heard.number) &&
          !this.#memory.isEarlier(heard) &&
          !this.#memory.isElsewhere(heard),
      );
  }

  /**
   * Text above what was submitted last, if that is on the screen, was said before it. After a new wrapping, a row of it
   * may be missing or appear twice.
   */
  #abovePrompt({ key, row, hasGrown }: Candidature): Heard | undefined {
    const { top, to } = this.#window;
    const isPromptSeen = this.#promptRow >= top && this.#promptRow < to;
    if (!isPromptSeen || hasGrown || row >= this.#promptRow || row < this.#viewFrom) return undefined;
    const earlier = this.#memory.heard().filter(this.#memory.isEarlier);
    return earlier.findLast((heard) => heard.key === key) ?? earlier.findLast((heard) => isPart(heard.key, key));
  }

  /** Marks what was on the screen and is not there any more as vanished. */
  close(): void {
    const { top, to } = this.#window;
    for (const heard of this.#free) if (heard.row >= top && heard.row < to) heard.hasVanished = true;
  }

  #stand(heard: Heard, row: number): void {
    this.#free.delete(heard);
    // Another guess of the same message stands there with it.
    for (const other of this.#free) if (other.number === heard.number && other.row === row) this.#free.delete(other);
    if (row >= this.#viewFrom) this.#standing.set(row, heard.number);
  }

  #lastAbove(row: number): number {
    let last = 0;
    for (const [at, number] of this.#standing) if (at < row) last = Math.max(last, number);
    return last;
  }

  #isSaidAnew(heard: Heard, candidature: Candidature): boolean {
    return this.#isGrownOrElsewhere(heard, candidature) || this.#isAnswer(heard, candidature.row);
  }

  #isGrownOrElsewhere(heard: Heard, { hasGrown }: Candidature): boolean {
    const { isEarlier, isElsewhere } = this.#memory;
    return isElsewhere(heard) || (hasGrown && isEarlier(heard));
  }

  /** Whether the text above a row, up to what was submitted last, is the text that was above the heard message. */
  #isBelowTheSame(heard: Heard, row: number): boolean {
    const { rows, base } = this.#window;
    const above = textAbove(rows, row - base, this.#promptRow - base);
    return heard.above.endsWith(above);
  }

  /** Whether the text in a row answers what was submitted last, while the heard message did not. */
  #isAnswer(heard: Heard, row: number): boolean {
    if (this.#promptRow === -1 || row < this.#promptRow || !this.#memory.isEarlier(heard)) return false;
    return heard.prompt !== this.#memory.prompt || this.#isAbovePrompt(heard.key);
  }

  #isAbovePrompt(key: string): boolean {
    return this.#candidates.some(
      (other) => other.key === key && other.row >= this.#viewFrom && other.row < this.#promptRow,
    );
  }
}

function viewStart({ rows, base, from, top }: Window): number {
  let at = top - base;
  while (at > from - base && rows[at - 1]) at--;
  return base + at;
}

/**
 * Finds the last row of the view that begins with what was submitted, with or without a prompt's glyph. Returns -1 if
 * there is none.
 *
 * @param known The row that showed it at the last look; -1 for none.
 */
function findPrompt(window: Window, known: number, prompt: string): number {
  if (prompt === '') return -1;
  const { rows, base, top } = window;
  const viewFrom = viewStart(window);
  if (known >= viewFrom && isPromptRow(rows[known - base], prompt)) return known;
  let end = top - base;
  while (end < rows.length && rows[end]) end++;
  for (let row = base + end - 1; row >= viewFrom; row--) {
    if (!isPromptRow(rows[row - base], prompt)) continue;
    if (row < top || row >= top + PINNED_ROWS) return row;
  }
  return -1;
}

function isPromptRow(row: PlainRow | undefined, prompt: string): boolean {
  const shown = row?.squashed ?? '';
  const at = shown.lastIndexOf(prompt, MAX_GLYPHS);
  if (at === -1 || !PROMPT_GLYPHS.test(shown.slice(0, at))) return false;
  // A short prompt is a word like others, and counts only if it is alone behind its glyph.
  return prompt.length >= MAX_PROMPT_CHARS || (at > 0 && shown.length === at + prompt.length);
}

function squashedStart(text: string): string {
  return text.replace(/\s+/g, '').slice(0, MAX_PROMPT_CHARS);
}
