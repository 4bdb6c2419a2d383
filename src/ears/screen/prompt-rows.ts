/**
 * Prompt rows: the rows in which a program shows what was submitted to it.
 *
 *     ❯ Please begin now.      turn 1
 *       Which port?            said in turn 1, whenever it is painted
 *     ❯ go on                  turn 2
 *       Which port?            said in turn 2
 *
 * A message was said in the turn of the last prompt above it. This holds for every picture of it: at another width,
 * below rows of an older picture, and below another picture of the same conversation. A prompt of an earlier turn below
 * a message shows that the message is older than that prompt, whatever stands above it: the first message of a picture
 * may be painted without its own prompt.
 *
 * In:   the submitted texts with their turns (`add`), and rows.
 * Out:  the turns of the prompt that a row shows.
 * Keeps the last MAX_PROMPTS submitted texts, and MAX_LABELS labels.
 */
import { withoutBlanks } from '../../protocol/index.js';
import type { Window } from './heard.js';
import { NO_ROW, type PlainRow, type Rows, squashedWords } from './rows/index.js';

export interface Submitted {
  readonly turn: number;
  /** The beginning of the text, without blanks. */
  readonly start: string;
}

/** A label, and the beginnings of the submitted texts that it stood before. */
export type Labelled = readonly [label: string, starts: readonly string[]];

/** A prompt above or below a row. */
export interface PromptAt {
  /** Number of the prompt's row. */
  readonly row: number;
  /** The turns in which this text was submitted. */
  readonly turns: ReadonlySet<number>;
}

const MAX_PROMPTS = 256;
/** Maximum length of the beginning of a prompt that is searched on the screen: the first words of its first row. */
const MAX_START_CHARS = 16;
/** Minimum length of a prompt that is found without a prompt sign. A shorter one might be any word. */
const MIN_BARE_CHARS = 8;
/**
 * Number of rows at the top in which some programs pin a prompt. The text below may be older than the pinned prompt.
 */
export const PINNED_ROWS = 2;
/** The glyphs that programs put before the person's words. */
const PROMPT_GLYPHS = /^[>❯›»▶$!*│┃▌▎|]*$/u;
const MAX_GLYPHS = 3;
/** A name before the person's words, as in a chat: `you:`, `[alice]`, `me >`; or an emoji. */
const LABEL = /^(?:\p{Emoji_Presentation}|[[(<]?[\p{L}\p{N}@._~-]{1,16}(?:[\])>][:>❯›»$]?|[:>❯›»$]))/u;
/** A label that every program uses for the person, and never for itself. */
const COMMON_LABEL = /^[[(<]?(?:you|me|user|human)\P{L}+$/iu;
/** Any other label counts once it stood before this many different submitted texts: an agent may quote one. */
const MIN_LABELLED = 2;
const MAX_LABELS = 8;
/** Maximum length of a row that may hold a short prompt and a time. */
const MAX_TIMED_CHARS = 32;

export class SubmittedPrompts {
  /** The turns in which each text was submitted, the newest text last. */
  readonly #turns = new Map<string, Set<number>>();
  readonly #labels: Map<string, Set<string>>;

  constructor(state: readonly Submitted[] = [], labels: readonly Labelled[] = []) {
    for (const { turn, start } of state) this.add(turn, start);
    this.#labels = new Map(labels.map(([label, starts]) => [label, new Set(starts)]));
  }

  /** Returns the state for a checkpoint. It contains only values that JSON can represent. */
  state(): readonly Submitted[] {
    return [...this.#turns].flatMap(([start, turns]) => [...turns].map((turn) => ({ turn, start })));
  }

  /** As `state`. */
  labels(): readonly Labelled[] {
    return [...this.#labels].map(([label, starts]) => [label, [...starts]]);
  }

  /** The number of submitted texts; of the same text, only if it was submitted in several turns. */
  get count(): number {
    let count = 0;
    for (const turns of this.#turns.values()) count += turns.size;
    return count;
  }

  /** @param start The result of `startOf`; '' if the text is unknown. */
  add(turn: number, start: string): void {
    if (start === '') return;
    const turns = this.#turns.get(start) ?? new Set();
    this.#turns.delete(start);
    this.#turns.set(start, turns.add(turn));
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_PROMPTS && oldest !== undefined) this.#turns.delete(oldest);
  }

  /** Returns the turns of the prompt that a row begins with; null if it begins with none. */
  turnsAt(row: PlainRow): ReadonlySet<number> | null {
    if (row.squashed === '' || this.#turns.size === 0) return null;
    const words = wordsOf(row);
    for (const at of this.#startsIn(words)) {
      const shown = words.slice(at);
      const turns = this.#turns.get(shown.slice(0, MAX_START_CHARS));
      if (turns && isWhole(shown, shown.slice(0, MAX_START_CHARS), at)) return turns;
    }
    return null;
  }

  /** True if a row begins with a submitted text, after glyphs, a label or neither. */
  isShownAt(row: PlainRow | undefined, start: string): boolean {
    if (!row || row.squashed.length < start.length) return false;
    const words = wordsOf(row);
    return this.#startsIn(words).some((at) => words.startsWith(start, at) && isWhole(words.slice(at), start, at));
  }

  /** Returns where the person's words may begin in a row. */
  #startsIn(words: string): number[] {
    const starts: number[] = [];
    for (let at = 0; at <= MAX_GLYPHS && PROMPT_GLYPHS.test(words.slice(0, at)); at++) starts.push(at);
    const label = LABEL.exec(words)?.[0];
    if (label !== undefined && this.#isLabel(label)) starts.push(label.length);
    return starts;
  }

  #isLabel(label: string): boolean {
    return COMMON_LABEL.test(label) || (this.#labels.get(label)?.size ?? 0) >= MIN_LABELLED;
  }

  /** Remembers the labels before a text that was submitted. */
  learn(rows: Rows, start: string): void {
    for (const row of rows) {
      if (!row || row.isNotable || !row.squashed.includes(start)) continue;
      const words = wordsOf(row);
      const label = LABEL.exec(words)?.[0];
      if (label === undefined || !words.startsWith(start, label.length)) continue;
      if (!isWhole(words.slice(label.length), start, label.length)) continue;
      const starts = this.#labels.get(label) ?? new Set();
      if (starts.size < MIN_LABELLED) this.#labels.set(label, starts.add(start));
      const [oldest] = this.#labels.keys();
      if (this.#labels.size > MAX_LABELS && oldest !== undefined) this.#labels.delete(oldest);
    }
  }

  /** Finds the last prompt above a row, not above row `from` and not in another view. */
  above({ rows, base }: Window, row: number, from: number): PromptAt | null {
    for (let at = row - 1; at >= from; at--) {
      const shown = rows[at - base];
      if (!shown) return null;
      const turns = this.turnsAt(shown);
      if (turns) return { row: at, turns };
    }
    return null;
  }

  /**
   * Finds the first prompt below a row that was submitted before this turn only. Rows on the screen do not count,
   * because they may be those of an older picture.
   */
  below({ rows, base, top }: Window, row: number, turn: number): PromptAt | null {
    for (let at = row + 1; at < top; at++) {
      const shown = rows[at - base];
      if (!shown) return null;
      const turns = this.turnsAt(shown);
      if (turns && !turns.has(turn)) return { row: at, turns };
    }
    return null;
  }
}

/** The first row of the current view in a window. */
export function viewStart({ rows, base, from, top, wrappedFrom }: Window): number {
  const first = Math.max(from, wrappedFrom) - base;
  let at = top - base;
  while (at > first && rows[at - 1]) at--;
  return base + at;
}

/**
 * Finds the last row of the view that begins with what was submitted, with or without a prompt's glyph. Returns
 * NO_ROW if there is none.
 *
 * @param known The row that showed it at the last look; NO_ROW for none.
 */
export function findPrompt(window: Window, known: number, start: string, prompts: SubmittedPrompts): number {
  if (start === '') return NO_ROW;
  const { rows, base, top } = window;
  const viewFrom = viewStart(window);
  if (known >= viewFrom && prompts.isShownAt(rows[known - base], start)) return known;
  let end = top - base;
  while (end < rows.length && rows[end]) end++;
  prompts.learn(rows.slice(top - base, end), start);
  for (let row = base + end - 1; row >= viewFrom; row--) {
    if (!prompts.isShownAt(rows[row - base], start)) continue;
    if (row < top || row >= top + PINNED_ROWS) return row;
  }
  return NO_ROW;
}

/** The text of a row without blanks. A time behind a short prompt does not belong to it. */
const wordsOf = (row: PlainRow): string => (row.squashed.length > MAX_TIMED_CHARS ? row.squashed : squashedWords(row));

/** A short prompt counts only if no text follows it. A very short one also needs its prompt sign. */
function isWhole(shown: string, start: string, glyphs: number): boolean {
  if (start.length >= MAX_START_CHARS) return true;
  return shown === start && (glyphs > 0 || start.length >= MIN_BARE_CHARS);
}

/** The beginning of a submitted text, without blanks. */
export function startOf(text: string): string {
  return withoutBlanks(text).slice(0, MAX_START_CHARS);
}
