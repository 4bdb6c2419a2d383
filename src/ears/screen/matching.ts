/**
 * Matching: finds the candidates of one look that are copies of heard messages.
 *
 * In:   the candidates from top to bottom, the rows that were read, and the heard messages (heard.ts).
 * Out:  for each candidate, whether it is known. The row of a copy is updated.
 *
 * Rules, in this order. "H" is the heard message with the same content.
 *
 *     H is at the same row of the transcript                                      known
 *     H is a marker there, and more rows are read as its rest                     known
 *     it was wrapped at two widths, and is a part of H                            known, half painted
 *     the last prompt above it is of the turn in which H was said                 known, painted again (prompt-rows.ts)
 *     a prompt of an earlier turn is below it, and H was said before that         known, painted again
 *     the prompt above it is of another turn                                      another message
 *     the screen has scrolled on past H and past what was submitted since         another message
 *     it grew in a later turn                                                     another message
 *     it stands below the last submitted input, and H did not, or stands above    another message
 *     it comes in answer to a prompt in another conversation                      another message
 *     H has vanished from its row                                                 known, has moved
 *     the picture jumped (resize, page keys, a repaint), the same rows above      known, at another place
 *     it directly follows a message that is painted again                         history painted again
 *     everything above it is the same                                             history painted again
 *     it stands above the last submitted input, and H was heard before that       history painted again
 *
 * In one view of the transcript each message number appears once, and in rising order, so a repetition is not matched
 * with the message that it repeats. The same text twice below one prompt is two messages.
 *
 * The file is long because the rules share what they know of one look.
 */
import { MARKER_KEY } from './final-candidates.js';
import type { Heard, PlacedCandidate, Window } from './heard.js';
import { PINNED_ROWS, type PromptAt, viewStart } from './prompt-rows.js';
import { hasCommonEnd, isAlike, isPart, isWithin, MAX_ABOVE_CHARS, textAbove } from './row-texts.js';
import { NO_ROW } from './rows/index.js';

/** After a jump, this many characters of the text above must be equal. If less is known, all of it must be. */
const JUMP_ABOVE_CHARS = 32;
/** A shorter text above a message is too common to identify it. */
const MIN_ABOVE_CHARS = 24;

const isSaidIn = (turns: ReadonlySet<number>, { turn, heardIn = turn, saidIn = turn }: Heard): boolean =>
  turns.has(heardIn) || turns.has(saidIn);

/** The turns in which a text may have been said, and the first row of those turns in the view. */
interface SaidIn {
  readonly turns: ReadonlySet<number>;
  readonly from: number;
  /** True if a prompt above the text shows the turn. */
  readonly isCertain: boolean;
}

/** A candidate that may be a copy of a known message. */
interface Copy extends PlacedCandidate {
  /** The end of the text above it. */
  readonly above: string;
  readonly said: SaidIn;
}

/** The known message that a copy shows. */
interface Original {
  readonly heard: Heard;
  /** True if the message has left its row; false if it stands there as well, or is painted again. */
  readonly hasMoved: boolean;
}

const repeating = (heard: Heard | undefined): Original | undefined => heard && { heard, hasMoved: false };

/** Matches the characters that close an object after its last string. */
const CLOSING = /"[\]},]*$/;

interface Memory {
  readonly heard: () => readonly Heard[];
  /** True if the message was said in an earlier turn, or in another conversation than the current one. */
  readonly isEarlier: (heard: Heard) => boolean;
  readonly isElsewhere: (heard: Heard) => boolean;
  readonly remember: (heard: Heard, row: number, above: string) => void;
  /** The highest number of a known message. */
  readonly count: number;
  readonly turn: number;
  readonly prompt: string;
  readonly promptRow: number;
  readonly promptAbove: (row: number, from: number) => PromptAt | null;
  /** The first prompt of earlier turns below a row. */
  readonly promptBelow: (row: number) => PromptAt | null;
}

/** True if a key is that of a message whose last string was cut. */
function isBeginning(cut: string, whole: string): boolean {
  return !cut.startsWith(MARKER_KEY) && whole.startsWith(cut.replace(CLOSING, ''));
}

/** Matches the candidates of one look with the known messages. */
export class Matching {
  readonly #memory: Memory;
  readonly #candidates: readonly PlacedCandidate[];
  readonly #window: Window;
  /** Known messages that are not found in this view. */
  readonly #free: Set<Heard>;
  /** Numbers of the messages in this view, by row. */
  readonly #standing = new Map<number, number>();
  /**
   * The first row of this view, and the row of the input that was submitted last. Text after that row is its answer.
   */
  readonly #viewFrom: number;
  readonly #promptRow: number;
  /** The highest number before this look. */
  readonly #lastNumber: number;
  /** Rows of messages that are still in their place. */
  readonly #known = new Set<number>();

  constructor(candidates: readonly PlacedCandidate[], window: Window, memory: Memory) {
    this.#memory = memory;
    this.#candidates = candidates;
    this.#window = window;
    this.#viewFrom = viewStart(window);
    this.#promptRow = memory.promptRow;
    this.#free = new Set(memory.heard());
    this.#lastNumber = memory.count;
    const near = memory.heard().filter(({ row }) => row >= window.from && row < window.to);
    for (const candidate of candidates) {
      const { key, row } = candidate;
      const known = near.findLast((heard) => {
        if (heard.row !== row || heard.key !== key || !this.#free.has(heard)) return false;
        if (heard.hasVanished && this.#isGrownOrElsewhere(heard, candidate)) return false;
        return !this.#isAnswer(heard, row) || this.#isBelowTheSame(heard, row);
      });
      if (!known) {
        this.#readAgain(candidate, near);
        continue;
      }
      this.#stand(known, row);
      known.hasVanished = false;
      this.#known.add(row);
    }
  }

  /**
   * A known message may be read at its row with another text. Within a turn, a guess may differ. Rows that came later
   * may also look like the rest of a wrapped marker. And a program may later show the whole of a text that it has cut.
   * All count as the known message.
   */
  #readAgain(candidate: PlacedCandidate, near: readonly Heard[]): void {
    const { key, row, isGuess } = candidate;
    if (!isGuess) return;
    const before = near.findLast((heard) => {
      if (heard.row !== row || !this.#free.has(heard)) return false;
      const isSame = !this.#memory.isEarlier(heard) && isAlike(heard.key, key);
      if (isSame) return true;
      return !heard.hasVanished && (this.#isLonger(heard.key, candidate) || isBeginning(heard.key, key));
    });
    if (!before) return;
    this.#memory.remember({ ...before, key }, row, before.above);
    this.#stand(before, row);
    this.#known.add(row);
  }

  /** True if a candidate consists of the known marker, in complete rows that have not changed, and rows below it. */
  #isLonger(heardKey: string, { key, row }: PlacedCandidate): boolean {
    const { rows, base } = this.#window;
    if (!key.startsWith(MARKER_KEY) || !key.startsWith(heardKey)) return false;
    const text = heardKey.slice(MARKER_KEY.length);
    let shown = '';
    for (let at = row - base; shown.length < text.length && rows[at]; at++) shown += rows[at]?.squashed;
    return shown.endsWith(text);
  }

  /** True if the message of this row is still in its place. */
  isKnown(row: number): boolean {
    return this.#known.has(row);
  }

  /**
   * Returns true if a candidate that is not known by its row is a copy of a known message, and remembers the message at
   * the candidate's row.
   */
  claimCopy(candidate: PlacedCandidate): boolean {
    const { key, row } = candidate;
    if (candidate.isSpliced && this.#memory.heard().some((heard) => isWithin(heard.key, key))) return true;
    const above = textAbove(this.#window.rows, row - this.#window.base);
    const copy = { ...candidate, above, said: this.#turnsBefore(candidate) ?? this.#turnsOf(row) };
    const original =
      this.#inSameTurn(copy) ??
      this.#movedHere(copy) ??
      this.#paintedBefore(copy) ??
      this.#nextInOrder(copy) ??
      this.#belowSameText(copy);
    if (!original) return false;
    const { heard, hasMoved } = original;
    if (hasMoved) this.#move(heard, row);
    else this.#memory.remember(heard, row, above);
    this.#stand(heard, row);
    return true;
  }

  /** The prompt above or below the copy shows the turn in which the message was said. */
  #inSameTurn(copy: Copy): Original | undefined {
    const heard = this.#ofSameTurn(copy);
    return heard && { heard, hasMoved: this.#free.has(heard) && this.#isInWindow(heard) };
  }

  /** The message is not at its row any more, or the picture has jumped and shows it below the same text. */
  #movedHere(copy: Copy): Original | undefined {
    const shown = new Set(this.#standing.values());
    for (const heard of this.#free) {
      if (!this.#isSaidBefore(heard, copy) || shown.has(heard.number)) continue;
      if (this.#isInWindow(heard) || this.#hasJumped(heard, copy)) return { heard, hasMoved: true };
    }
    return undefined;
  }

  /** The program has painted old text over the screen, or the copy is above the input that was submitted last. */
  #paintedBefore(copy: Copy): Original | undefined {
    return repeating(this.#repainted(copy.key, copy.row) ?? this.#abovePrompt(copy));
  }

  /** The message comes next after the one above it, or the picture has jumped to it: old text is painted again. */
  #nextInOrder(copy: Copy): Original | undefined {
    const shown = new Set(this.#standing.values());
    const last = this.#lastAbove(copy.row);
    return repeating(
      this.#memory.heard().find((heard) => {
        if (!this.#isSaidBefore(heard, copy) || heard.number <= last || shown.has(heard.number)) return false;
        return (last > 0 && heard.number === last + 1) || this.#hasJumped(heard, copy);
      }),
    );
  }

  /** All text that is known from above the message is above the copy. */
  #belowSameText(copy: Copy): Original | undefined {
    return repeating(
      this.#memory.heard().find((heard) => {
        const known = Math.min(heard.above.length, copy.above.length);
        const isSame = known >= MIN_ABOVE_CHARS && hasCommonEnd(heard.above, copy.above, MAX_ABOVE_CHARS);
        return isSame && this.#isSaidBefore(heard, copy);
      }),
    );
  }

  /** True if the message has the text of the copy, and was said in a turn in which the copy may have been said. */
  #isSaidBefore(heard: Heard, copy: Copy): boolean {
    const { said } = copy;
    if (heard.key !== copy.key || this.#isSaidAnew(heard, copy)) return false;
    return !said.isCertain || isSaidIn(said.turns, heard);
  }

  /** True if the row of the message was read in this look. */
  #isInWindow({ row }: Heard): boolean {
    return row >= this.#window.from && row < this.#window.to;
  }

  /** True if the picture has jumped, and the same text is above the copy as above the message. */
  #hasJumped(heard: Heard, { above }: Copy): boolean {
    return this.#window.isJump && hasCommonEnd(heard.above, above, JUMP_ABOVE_CHARS);
  }

  /**
   * Returns the turns before the prompt of an earlier turn that is below the row. Null if there is no such prompt, or
   * the prompt above the row shows an earlier turn already.
   */
  #turnsBefore({ key, row }: PlacedCandidate): SaidIn | null {
    const { turn, heard } = this.#memory;
    if (!heard().some((other) => other.key === key)) return null;
    const below = this.#memory.promptBelow(row);
    const above = this.#memory.promptAbove(row, this.#viewFrom);
    if (!below || (above && !above.turns.has(turn))) return null;
    const before = Math.max(...below.turns);
    const shown = [...(above?.turns ?? [])].filter((one) => one < before);
    const known = heard().flatMap(({ turn, heardIn = turn, saidIn = turn }) => [heardIn, saidIn]);
    const turns = new Set(shown.length > 0 ? shown : known.filter((one) => one < before));
    return { turns, from: above?.row ?? this.#viewFrom, isCertain: true };
  }

  /** Returns the turns in which the text of a row may have been said. */
  #turnsOf(row: number): SaidIn {
    const { top } = this.#window;
    const { turn } = this.#memory;
    const prompt = this.#memory.promptAbove(row, this.#viewFrom);
    const from = prompt?.row ?? this.#viewFrom;
    if (!prompt) return { turns: new Set([turn]), from, isCertain: false };
    const isPinned = prompt.row !== this.#promptRow && prompt.row >= top && prompt.row < top + PINNED_ROWS;
    if (!prompt.turns.has(turn)) return { turns: this.#untilNext(prompt, row), from, isCertain: !isPinned };
    // If the same text was submitted before, only the order of the rows shows which of the turns it belongs to.
    const isLast = this.#promptRow === NO_ROW || prompt.row >= this.#promptRow;
    return { turns: isLast ? new Set([turn]) : new Set(), from, isCertain: isLast && !isPinned };
  }

  /**
   * Returns the turns from a prompt to the next one that is recognized below the row. A program may show the prompts
   * between them in other words (`[Paste #1: 3016 chars]`), or they are too short to be recognized (`1`).
   */
  #untilNext({ turns }: PromptAt, row: number): ReadonlySet<number> {
    const isAboveLast = this.#promptRow > row;
    const below = this.#memory.promptBelow(row)?.turns ?? (isAboveLast ? [this.#memory.turn] : []);
    const all = new Set(turns);
    for (const next of below) {
      const last = Math.max(...[...turns].filter((one) => one < next));
      for (let one = last + 1; last > 0 && one < next; one++) all.add(one);
    }
    return all;
  }

  /** Returns the known message of these turns, unless it is already between their prompt and this row. */
  #ofSameTurn({ key, row, said }: Copy): Heard | undefined {
    const { turns, from, isCertain } = said;
    // Text below an earlier prompt was said in that prompt's turn, even if the conversation was cleared later.
    const isOld = isCertain && !turns.has(this.#memory.turn);
    const standing = new Set([...this.#standing].filter(([at]) => at > from && at < row).map(([, number]) => number));
    const above = new Set([...this.#standing].filter(([at]) => at < from).map(([, number]) => number));
    return this.#memory
      .heard()
      .find(
        (heard) =>
          heard.key === key &&
          heard.number <= this.#lastNumber &&
          isSaidIn(turns, heard) &&
          !this.#isReplaced(heard, row, said) &&
          !standing.has(heard.number) &&
          (heard.isBelowPrompt || !above.has(heard.number)) &&
          (isOld || !this.#memory.isElsewhere(heard)),
      );
  }

  /**
   * Within a turn, text that is painted over the screen repeats earlier messages. It counts as often as it appears in
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
   * Text above the input that was submitted last was said before it. After a change of width, a row of the text may be
   * missing or appear twice.
   */
  #abovePrompt({ key, row, hasGrown }: PlacedCandidate): Heard | undefined {
    const { top, to } = this.#window;
    const isPromptSeen = this.#promptRow >= top && this.#promptRow < to;
    if (!isPromptSeen || hasGrown || row >= this.#promptRow || row < this.#viewFrom) return undefined;
    const earlier = this.#memory.heard().filter(this.#memory.isEarlier);
    return earlier.findLast((heard) => heard.key === key) ?? earlier.findLast((heard) => isPart(heard.key, key));
  }

  /** Marks messages that have left the screen as vanished. */
  close(): void {
    const { top, to } = this.#window;
    for (const heard of this.#memory.heard()) {
      const isOnScreen = heard.row >= top && heard.row < to && heard.number <= this.#lastNumber;
      if (isOnScreen && this.#standing.get(heard.row) !== heard.number) heard.hasVanished = true;
    }
  }

  #move(heard: Heard, row: number): void {
    heard.row = row;
    heard.hasVanished = false;
  }

  #stand(heard: Heard, row: number): void {
    this.#free.delete(heard);
    // A second guess of the same message may be recorded for the same row. It has vanished, too.
    for (const other of this.#free) if (other.number === heard.number && other.row === row) this.#free.delete(other);
    if (row >= this.#viewFrom) this.#standing.set(row, heard.number);
  }

  #lastAbove(row: number): number {
    let last = 0;
    for (const [at, number] of this.#standing) if (at < row) last = Math.max(last, number);
    return last;
  }

  #isSaidAnew(heard: Heard, copy: Copy): boolean {
    const { row, said } = copy;
    if (this.#isGrownOrElsewhere(heard, copy) || this.#isAnswer(heard, row)) return true;
    return this.#isReplaced(heard, row, said);
  }

  /**
   * True if the heard message has scrolled away or was replaced, and the text in a row below it came later: the screen
   * has scrolled on, too fast to show what was submitted last. A picture of the message would show its own prompt
   * again, or have another width.
   */
  #isReplaced(heard: Heard, row: number, { from }: SaidIn): boolean {
    const { isJump, top, wrappedFrom } = this.#window;
    const isScrolledOn = !isJump && this.#promptRow === NO_ROW && this.#memory.prompt !== '';
    if (!isScrolledOn || heard.row >= row || !this.#memory.isEarlier(heard)) return false;
    return (heard.hasVanished || heard.row < top) && heard.row > from && heard.row >= wrappedFrom;
  }

  #isGrownOrElsewhere(heard: Heard, { hasGrown }: PlacedCandidate): boolean {
    const { isEarlier, isElsewhere } = this.#memory;
    return isElsewhere(heard) || (hasGrown && isEarlier(heard));
  }

  /**
   * True if the text between the last submitted input and this row equals the text that was above the known message.
   */
  #isBelowTheSame(heard: Heard, row: number): boolean {
    const { rows, base } = this.#window;
    const above = textAbove(rows, row - base, this.#promptRow - base);
    return heard.above.endsWith(above);
  }

  /** True if the text in a row answers the last submitted input, while the known message did not. */
  #isAnswer(heard: Heard, row: number): boolean {
    if (this.#promptRow === NO_ROW || row < this.#promptRow || !this.#memory.isEarlier(heard)) return false;
    return heard.prompt !== this.#memory.prompt || this.#isAbovePrompt(heard.key);
  }

  #isAbovePrompt(key: string): boolean {
    return this.#candidates.some(
      (other) => other.key === key && other.row >= this.#viewFrom && other.row < this.#promptRow,
    );
  }
}
