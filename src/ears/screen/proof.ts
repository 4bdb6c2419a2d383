/**
 * Proof: does the screen of a program without an adapter prove that a message is new and whole? orchd does not know how
 * such a program paints, so what is not proven is not reported, and gives a hint.
 *
 * In:   the rows and the messages of each look (`look`, `compare`), turns, and what the program has printed as lines.
 * Out:  the message as it may be reported (`prove`).
 *
 * Three questions decide: are all characters its own (exactness.ts), has it been reported before (caution.ts), and may
 * the rows around it be older or belong to a quotation?
 */
import { type Candidate, Exactness, type ExactnessState, type MissedHint, mayBeFenced } from './candidates/index.js';
import { Caution, type CautionState } from './caution.js';
import { isFinal, markerKey } from './final-candidates.js';
import type { HeardMessages, PlacedCandidate, Window } from './heard.js';
import { viewStart } from './prompt-rows.js';
import { isPart } from './row-texts.js';
import { type Look, NO_ROW, type PlainRow, type Transcript } from './rows/index.js';

/** State of the proof. Absent in checkpoints of older versions. */
export interface ProofState {
  readonly exactness?: ExactnessState;
  readonly caution?: CautionState;
}

interface ProofPorts {
  readonly transcript: Transcript;
  readonly heard: HeardMessages;
  /** True for the text of a message that contains the session's key. */
  readonly isKeyed: (text: string) => boolean;
  /** Called with a message that is not proven. */
  readonly miss: (hint: MissedHint, text: string, row: number) => void;
}

/** How the last look continues the looks before it. */
export type LastLook = Pick<Look, 'isFramed' | 'isContinued'>;

/** This many rows of text above a message may be a header. */
const MAX_HEADER_ROWS = 2;

export class Proof {
  readonly #ports: ProofPorts;
  readonly #exactness: Exactness;
  readonly #caution: Caution;

  constructor(turn: number, ports: ProofPorts, state?: ProofState) {
    this.#ports = ports;
    this.#exactness = new Exactness(state?.exactness);
    this.#caution = new Caution(turn, state?.caution);
  }

  state(): ProofState {
    return { exactness: this.#exactness.state(), caution: this.#caution.state() };
  }

  beginTurn(turn: number, isEmptied: boolean): void {
    this.#caution.beginTurn(turn, isEmptied);
  }

  /** Called with the key (`keyOf`) of a message that was reported because the program has printed it as lines. */
  printed(key: string): void {
    this.#caution.tellPrinted(key);
  }

  /** True for a message that was reported, and not in this turn. */
  isOfEarlierTurn(key: string): boolean {
    return this.#caution.isOfEarlierTurn(key);
  }

  look(screen: readonly PlainRow[], before: readonly PlainRow[]): void {
    this.#exactness.look(screen, before);
  }

  /** Returns the candidate; as not exact if cells of older rows may stand in it. */
  judgeCells(candidate: Candidate): Candidate {
    return this.#exactness.judgeCells(candidate);
  }

  /**
   * The end of a block that began above the screen may be the beginning of another one: rows between them may never
   * have been seen. What stands directly below it counts as shown in that block.
   */
  asShown(candidates: readonly Candidate[], { base, top }: Window): readonly Candidate[] {
    const isUnsure = ({ fencedFrom, row }: Candidate): boolean =>
      fencedFrom !== undefined && base + fencedFrom < top && !this.#ports.heard.stoodAt(base + row);
    return candidates.map((candidate) => (isUnsure(candidate) ? { ...candidate, isShown: true } : candidate));
  }

  /**
   * Compares the messages of a look with the prompts around them: is new text above old text, or below it?
   *
   * @param isUnordered  True if the screen may consist of parts of two pictures.
   */
  compare(items: readonly PlacedCandidate[], window: Window, { isContinued }: LastLook, isUnordered: boolean): void {
    const { heard, transcript } = this.#ports;
    const { top, paintedFrom } = window;
    // Rows that scroll are in their order, even if a conversation is printed once more.
    const isReversed = transcript.growsUp || isUnordered || (!isContinued && heard.isReversed(window));
    const copies = items.map(({ key, row }) => ({ key, row }));
    const { promptRow } = heard;
    if (heard.isNewestFirst(window, items, transcript.screen)) this.#caution.sawNewestFirst();
    this.#caution.look({ copies, top, viewFrom: viewStart(window), paintedFrom, promptRow, isReversed });
    const isOrderKnown = this.#caution.isForward || this.#caution.isNewestFirst;
    if (!isOrderKnown && heard.isForward(window, items, transcript.screen)) this.#caution.sawOrder();
  }

  /**
   * False for a message of this turn that was not heard, in a program that shows its newest text first. True for one
   * that was heard. Null for other programs, and for other messages.
   */
  isKnownNewest(row: number, items: readonly PlacedCandidate[], window: Window): boolean | null {
    const { heard } = this.#ports;
    if (!this.#caution.isNewestFirst || heard.promptRow === NO_ROW || row < window.top) return null;
    const key = items.find((item) => item.row === row)?.key;
    const isLike = (other: string): boolean => key !== undefined && (other === key || isPart(other, key));
    if (!heard.isAbovePrompt(row, window)) return this.#caution.wasTold(isLike) || null;
    const nearer = items.filter((item) => item.row > row && item.row < heard.promptRow && isLike(item.key));
    return nearer.length < heard.countInTurn(isLike);
  }

  /** True if the rows of the transcript that are on the screen are those that the screen shows. */
  isOnScreen(from: number, to: number, { isContinued }: LastLook): boolean {
    const { rows, base, top, bottom, header, screen } = this.#ports.transcript;
    const { isUnordered } = this.#caution;
    if (isUnordered && !isContinued && from - base < top) return false;
    // Rows behind a pinned header have left the screen.
    for (let at = Math.max(from - base, isUnordered ? top : top + header); at < Math.min(to - base, bottom); at++) {
      if (rows[at]?.squashed !== screen[at - top]?.squashed) return false;
    }
    return true;
  }

  /** Returns a message as it may be reported; null, with a hint, if it may be old, cut or quoted. */
  prove(candidate: Candidate, key: string, row: number, window: Window, last: LastLook): Candidate | null {
    const sure = this.#exactness.judgeBlanks(candidate);
    // An invalid object may have lost a row, or its characters.
    const isCut =
      candidate.form === 'fence'
        ? !candidate.isSure || !(sure.isExact || isFinal({ ...sure, hasGap: false }))
        : candidate.form === 'marker' &&
          ((this.#caution.isUnordered && this.#isLast(candidate)) || (!sure.isExact && this.#isCrossed(candidate)));
    const isOld = this.#isAnswered(row, window) || this.#isHeadless(row, window);
    const isUnsure =
      isCut || isOld || this.#exactness.mayHavePanel(candidate, window.rows) || this.#mayBeFenced(candidate);
    const isOrderly = last.isFramed || last.isContinued;
    const growsDown = last.isContinued || this.#ports.transcript.growsDown;
    // The rows below a printed marker, such as the prompt of a line editor, are not its rest.
    const shorter = candidate.form === 'marker' ? candidate.shorter.map(markerKey) : [];
    const printed = [key, ...shorter].find((one) => this.#caution.isPrinted(one));
    const isSure = this.#caution.isSure(printed ?? key, row, !sure.isExact, isOrderly, growsDown);
    if (!isSure && printed !== undefined) return null;
    if (isUnsure || !isSure) {
      this.#ports.miss('screen_unsure', candidate.text, candidate.row);
      return null;
    }
    this.#caution.tell(key, !sure.isExact);
    if (this.#answersFirst(row, last)) this.#caution.sawOrder();
    return sure;
  }

  /** True if the screen shows the first prompt above a row: the program shows new text below old text. */
  #answersFirst(row: number, last: LastLook): boolean {
    const { promptRow, isFirstPrompt } = this.#ports.heard;
    const { base, top } = this.#ports.transcript;
    return (
      isFirstPrompt && promptRow >= base + top && promptRow < row && this.isOnScreen(promptRow, promptRow + 1, last)
    );
  }

  /**
   * True if a picture of another width begins with the message: what stood above it may be the beginning of a
   * quotation.
   */
  #isHeadless(row: number, { rows, base, paintedFrom, wrappedFrom }: Window): boolean {
    if (paintedFrom <= 0 || wrappedFrom !== paintedFrom || row < paintedFrom) return false;
    const above = rows.slice(paintedFrom - base, row - base).filter((shown) => shown && shown.squashed !== '');
    if (above.some((shown) => shown && this.#ports.heard.isPrompt(shown))) return false;
    return above.every((shown) => shown?.isOrnament) || above.length <= MAX_HEADER_ROWS;
  }

  /** True if the rows of the screen do not prove that a message stands in no fence. */
  #mayBeFenced(candidate: Candidate): boolean {
    const { rows, base, top, bottom } = this.#ports.transcript;
    if (candidate.row < top || this.#ports.isKeyed(candidate.text)) return false;
    const { promptRow } = this.#ports.heard;
    const isBelowPrompt = !this.#caution.isUnordered && promptRow >= base + top && promptRow < base + candidate.row;
    const from = isBelowPrompt ? promptRow - base + 1 : top;
    return mayBeFenced(rows, candidate, from, bottom, isBelowPrompt || base + top === 0);
  }

  /** True if no other text is below a candidate, so that the screen may end within it. */
  #isLast({ end }: Candidate): boolean {
    const { rows, bottom } = this.#ports.transcript;
    const below = rows.slice(end, bottom).find((row) => row && row.squashed !== '');
    return below === undefined || below.isOrnament;
  }

  /**
   * True if the row below a candidate has a border on its left that the candidate's rows lack. The terminal counts other
   * widths than the program, so the border is left over, and the row may be a part of the text.
   */
  #isCrossed({ row, end }: Candidate): boolean {
    const { rows, bottom } = this.#ports.transcript;
    const below = end < bottom ? rows[end] : undefined;
    if (!below || below.isOrnament || (below.frame ?? -1) === -1) return false;
    return rows.slice(row, end).every((each) => (each?.frame ?? -1) === -1);
  }

  /**
   * True if a text was submitted after the message was painted: it stands on the other side of an earlier prompt than
   * new text of this program.
   */
  #isAnswered(row: number, window: Window): boolean {
    const { heard, transcript } = this.#ports;
    if (transcript.growsUp || this.#caution.isNewestFirst) return heard.promptRow !== NO_ROW && row > heard.promptRow;
    return !this.#caution.isUnordered && heard.isAboveEarlier(row, window);
  }
}
