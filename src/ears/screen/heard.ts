/**
 * Heard messages of a screen, and where they stand.
 *
 * In:   turns (`beginTurn`), and for each look its prompt (`findPrompt`) and candidates from top to bottom (`match`).
 * Out:  for each candidate, whether it is known (matching.ts). The place of a known candidate is updated.
 *
 * Every message has a number, in the order in which they were heard. All copies of a message have its number.
 */
import { MAX_HEARD } from '../bounds.js';
import { Matching } from './matching.js';
import { isNewestFirst } from './newest-first.js';
import {
  findPrompt,
  type Labelled,
  PINNED_ROWS,
  type Submitted,
  SubmittedPrompts,
  startOf,
  viewStart,
} from './prompt-rows.js';
import { textAbove } from './row-texts.js';
import { NO_ROW, type PlainRow, type Rows } from './rows/index.js';

export interface Heard {
  readonly key: string;
  /** The number of the message. */
  readonly number: number;
  row: number;
  /** First row of the picture that contained it, if that picture was not found in the transcript; else 0. */
  readonly paintedFrom: number;
  readonly turn: number;
  /** The turn in which the message was found first, even if this picture of it was painted later. */
  readonly heardIn?: number;
  /** The turn of the prompt above the message, or else `heardIn`. Absent in checkpoints of older versions. */
  readonly saidIn?: number;
  /** True if `saidIn` is the turn of a prompt above the message. Absent in checkpoints of older versions. */
  readonly isBelowPrompt?: boolean;
  /** The number of the conversation. It is increased when a submitted input empties the conversation. */
  readonly conversation: number;
  /** The input that was submitted before the message, and the text above the message. */
  readonly prompt: string;
  readonly above: string;
  /** True if the message was on the screen and other text has replaced it. */
  hasVanished: boolean;
}

/** An input that was submitted, and how it changes the conversation. */
export interface TurnStart {
  readonly turn: number;
  /** True if the input resumes an old conversation. Everything that is painted at once after it belongs to that one. */
  readonly isHistory: boolean;
  /** True if the input empties the conversation (`/clear`). */
  readonly isEmptied: boolean;
  /** The words for the agent, if they are known; '' for a command, or if they are unknown. */
  readonly prompt: string;
}

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface HeardState {
  readonly heard: readonly Heard[];
  readonly count: number;
  readonly turn: number;
  readonly conversation: number;
  readonly prompt: string;
  readonly promptRow: number;
  /** The last MAX_PROMPTS texts that were submitted (prompt-rows.ts). Absent in checkpoints of older versions. */
  readonly prompts?: readonly Submitted[];
  /** Absent if no label stood before them, and in checkpoints of older versions. */
  readonly labels?: readonly Labelled[];
}

export interface PlacedCandidate {
  readonly key: string;
  /** Number of the row in which the candidate begins. */
  readonly row: number;
  /** True if an earlier look found the candidate incomplete, and it has more text now. */
  readonly hasGrown: boolean;
  /** True if a part of its text is a guess. When the same row is painted again, the guess may differ. */
  readonly isGuess: boolean;
  /**
   * True if its first rows were wrapped at another width than its last ones, so that rows may be missing or doubled.
   */
  readonly isSpliced: boolean;
}

/** Rows that a look has read, by number. */
export interface Window {
  readonly rows: Rows;
  /** Number of `rows[0]`. */
  readonly base: number;
  /** Number of the first row that was read. `top` is the first row of the screen, and `to` the row behind its last. */
  readonly from: number;
  readonly top: number;
  readonly to: number;
  /** Rows from here on were painted over the screen and match no known rows above: see transcript.ts. */
  readonly paintedFrom: number;
  /** Number of the first row that is wrapped at the current width. */
  readonly wrappedFrom: number;
  readonly isJump: boolean;
}

type Said = Pick<Heard, 'key' | 'number' | 'heardIn' | 'saidIn' | 'isBelowPrompt'>;

export class HeardMessages {
  #heard: Heard[] = [];
  #count = 0;
  #turn = 0;
  #conversation = 0;
  /** The beginning of the input that was submitted last, without blanks. */
  #prompt = '';
  /** The row in which the program shows that input; NO_ROW while it does not. */
  #promptRow = NO_ROW;
  #prompts: SubmittedPrompts;

  /** @param prompt  The last submitted input. */
  constructor(turn: number, prompt: string, state?: HeardState) {
    this.#turn = turn;
    this.#prompt = startOf(prompt);
    this.#prompts = new SubmittedPrompts(state?.prompts, state?.labels);
    this.#prompts.add(turn, this.#prompt);
    if (!state) return;
    this.#heard = state.heard.map((heard) => ({ ...heard }));
    this.#count = state.count;
    this.#turn = state.turn;
    this.#conversation = state.conversation;
    this.#prompt = state.prompt;
    this.#promptRow = state.promptRow;
  }

  /** The result is borrowed: it is valid only until the next look. */
  state(): HeardState {
    const labels = this.#prompts.labels();
    return {
      heard: this.#heard,
      count: this.#count,
      turn: this.#turn,
      conversation: this.#conversation,
      prompt: this.#prompt,
      promptRow: this.#promptRow,
      prompts: this.#prompts.state(),
      ...(labels.length > 0 && { labels }),
    };
  }

  beginTurn({ turn, isEmptied, prompt }: TurnStart, window: Window): void {
    this.#turn = turn;
    this.#prompt = startOf(prompt);
    this.#promptRow = NO_ROW;
    this.#prompts.add(turn, this.#prompt);
    if (!isEmptied) return;
    this.#conversation++;
    // A message that was on the screen stays in its place until other text replaces it.
    for (const heard of this.#heard) if (heard.row < window.top || heard.row >= window.to) heard.hasVanished = true;
  }

  /** True if a message with this content was found in any turn. */
  has(key: string): boolean {
    return this.#heard.some((heard) => heard.key === key);
  }

  /** True if a row shows something that was submitted. */
  isPrompt(row: PlainRow): boolean {
    return this.#prompts.turnsAt(row) !== null;
  }

  /** True if a row of the last `match` is below the input that was submitted last. */
  isBelowPrompt(row: number, { rows, base, ...window }: Window): boolean {
    if (this.#promptRow !== NO_ROW) return row > this.#promptRow;
    // While no row has scrolled away, a prompt in the first rows is at its own place and not pinned there.
    const isFirst = viewStart({ rows, base, ...window }) === window.top;
    if (!isFirst || this.#prompt === '') return false;
    const top = window.top - base;
    const pinned = rows.slice(top, Math.min(top + PINNED_ROWS, row - base));
    return pinned.some((shown) => this.#prompts.isShownAt(shown, this.#prompt));
  }

  /** True if a known message begins in this row. */
  stoodAt(row: number): boolean {
    return this.#heard.some((heard) => heard.row === row);
  }

  /** Updates the row numbers from `from` on, after a picture was moved to its earlier place. */
  move(from: number, by: number): void {
    for (const heard of this.#heard) if (heard.paintedFrom === from) heard.row += by;
    if (this.#promptRow >= from) this.#promptRow += by;
  }

  /** Adds a new message, also one that is not reported. */
  add(key: string, row: number, window: Window): void {
    const turns = this.#prompts.above(window, row, viewStart(window))?.turns;
    const [first = this.#turn] = turns?.has(this.#turn) ? [] : (turns ?? []);
    const heardIn = this.#turn;
    const said = { key, number: ++this.#count, heardIn, saidIn: first, isBelowPrompt: turns !== undefined };
    this.#push(said, row, textAbove(window.rows, row - window.base), window);
  }

  /** Returns the row of a look that shows what was submitted last; NO_ROW if there is none. */
  findPrompt(window: Window): number {
    this.#promptRow = findPrompt(window, this.#promptRow, this.#prompt, this.#prompts);
    return this.#promptRow;
  }

  /**
   * True if text of an earlier turn stands on the screen above the prompt that was submitted last, after `findPrompt`:
   * the program shows new text below old text.
   *
   * @param screen  The rows of the screen. The window may have rows of an older picture in their places.
   */
  isForward({ rows, base, top }: Window, candidates: readonly PlacedCandidate[], screen: Rows): boolean {
    if (!this.#isPromptCertain(rows, base)) return false;
    const isShown = (row: number): boolean => rows[row - base]?.squashed === screen[row - top]?.squashed;
    if (!isShown(this.#promptRow)) return false;
    for (const shown of screen.slice(0, Math.max(0, this.#promptRow - top))) {
      const turns = shown && this.#prompts.turnsAt(shown);
      if (turns && !turns.has(this.#turn)) return true;
    }
    const isEarlier = (key: string): boolean =>
      this.#heard.some((heard) => heard.key === key && (heard.heardIn ?? heard.turn) < this.#turn);
    return candidates.some(({ row, key }) => row >= top && row < this.#promptRow && isShown(row) && isEarlier(key));
  }

  /** True if no input was submitted before the last one. */
  get isFirstPrompt(): boolean {
    return this.#prompts.count === 1;
  }

  /** If the same text was submitted before, the row may be that of the earlier turn. */
  #isPromptCertain(rows: Rows, base: number): boolean {
    const prompt = this.#promptRow === NO_ROW ? undefined : rows[this.#promptRow - base];
    return prompt !== undefined && (this.#prompts.turnsAt(prompt)?.size ?? 0) <= 1;
  }

  /** True if a prompt of an earlier turn stands below the one that was submitted last, after `findPrompt`. */
  isReversed({ rows, base }: Window): boolean {
    if (!this.#isPromptCertain(rows, base)) return false;
    for (let at = this.#promptRow - base + 1; at < rows.length; at++) {
      const row = rows[at];
      if (!row) return false;
      const turns = this.#prompts.turnsAt(row);
      if (turns && !turns.has(this.#turn)) return true;
    }
    return false;
  }

  /** True if a row of the screen is above the prompt that was submitted last, after `findPrompt`. */
  isAbovePrompt(row: number, { rows, base, top }: Window): boolean {
    return row >= top && row < this.#promptRow && this.#isPromptCertain(rows, base);
  }

  /** The number of messages like this one that were heard in this turn. */
  countInTurn(isLike: (key: string) => boolean): number {
    const inTurn = this.#heard.filter((heard) => (heard.heardIn ?? heard.turn) === this.#turn && isLike(heard.key));
    return new Set(inTurn.map(({ number }) => number)).size;
  }

  /** True if the screen of a look proves that the program shows its newest text first. */
  isNewestFirst({ rows, base, top }: Window, candidates: readonly PlacedCandidate[], screen: Rows): boolean {
    const prompts = screen.map((row, at) => {
      const isShown = row !== undefined && row.squashed === rows[top + at - base]?.squashed;
      return isShown ? this.#prompts.turnsAt(row) : null;
    });
    if (prompts.filter((turns) => turns !== null).length < 2) return false;
    const turnsOf = (key: string): ReadonlySet<number> =>
      new Set(this.#heard.flatMap((heard) => (heard.key === key ? [heard.heardIn ?? heard.turn] : [])));
    const keys = new Map(candidates.map(({ row, key }) => [row - top, key]));
    const shown = prompts.map((prompt, at) => {
      const key = keys.get(at);
      return { prompt, message: key === undefined ? null : turnsOf(key) };
    });
    return isNewestFirst(shown, this.#turn);
  }

  /** True if a prompt of an earlier turn stands below a row. */
  isAboveEarlier(row: number, window: Window): boolean {
    return this.#prompts.below({ ...window, top: window.to }, row, this.#turn) !== null;
  }

  get promptRow(): number {
    return this.#promptRow;
  }

  /** As `findPrompt`, but a short prompt without a glyph counts too, if it stands alone in a row. */
  findEcho(window: Window): number {
    const row = this.findPrompt(window);
    if (row !== NO_ROW || this.#prompt === '') return row;
    const { rows, base } = window;
    for (let at = rows.length - 1; at >= viewStart(window) - base; at--)
      if (rows[at]?.squashed === this.#prompt) return base + at;
    return NO_ROW;
  }

  /** @param candidates  All candidates of a look whose prompt was searched, from top to bottom. */
  match(candidates: readonly PlacedCandidate[], window: Window): Matching {
    return new Matching(candidates, window, {
      heard: () => this.#heard,
      isEarlier: (heard) => heard.turn < this.#turn,
      isElsewhere: (heard) => heard.conversation < this.#conversation && this.#prompt !== '',
      remember: ({ key, number, turn, heardIn = turn, saidIn = turn, isBelowPrompt = false }, row, above) =>
        this.#push({ key, number, heardIn, saidIn, isBelowPrompt }, row, above, window),
      count: this.#count,
      turn: this.#turn,
      prompt: this.#prompt,
      promptRow: this.#promptRow,
      promptAbove: (row, from) => this.#prompts.above(window, row, from),
      promptBelow: (row) => this.#prompts.below(window, row, this.#turn),
    });
  }

  #push(said: Said, row: number, above: string, picture: Window): void {
    const [turn, conversation, prompt] = [this.#turn, this.#conversation, this.#prompt];
    const paintedFrom = row >= picture.paintedFrom ? picture.paintedFrom : 0;
    this.#heard.push({ ...said, row, paintedFrom, turn, conversation, prompt, above, hasVanished: false });
    if (this.#heard.length > MAX_HEARD) this.#heard = this.#heard.slice(-MAX_HEARD / 2);
  }
}
