/**
 * Reads a session's journal again, from its beginning up to one finding: the screen when the finding was made, and the
 * utterances that every ear had found by then. It depends on the journal alone.
 *
 * A journal that was cut is read from its snapshot record on. A journal whose beginning is missing, without a snapshot,
 * cannot be read again, because the ears would start in the middle of something. Only its bytes are available then
 * (printed.ts).
 *
 * It takes as long as the first reading. Other sessions have their turn in between.
 */
import type { Finding } from '../../ears/index.js';
import { type Damage, type JournalRecord, openJournal, type ReadOutcome, readInPieces } from '../../host/index.js';
import type { Ear } from '../../protocol/index.js';
import { Screen } from '../../terminal/index.js';
import { createHearing } from '../hearing/session-hearing.js';
import type { HeardUtterance } from '../hearing/utterance-observer.js';

interface HearAgainOptions {
  readonly journals: string;
  readonly sessionId: string;
  /** True for the finding that is searched. */
  readonly fits: (finding: Finding) => boolean;
  /** Time after which no record can have caused the finding. */
  readonly untilTime: number;
  readonly signal: AbortSignal;
}

export interface Heard {
  readonly ear: Ear;
  readonly standing: HeardUtterance['standing'];
  readonly from: number;
  readonly to: number;
  /** The text that was read, shortened if it is long. */
  readonly text: string;
}

export interface HeardAgain {
  /** Null if the finding was not found again. */
  readonly finding: Finding | null;
  /** The byte range of the record that completed the finding. */
  readonly record: { readonly from: number; readonly to: number } | null;
  /** The screen of that moment; null if the journal's beginning is lost. The caller must dispose of it. */
  readonly screen: Screen | null;
  /** The position up to which the journal was read. */
  readonly position: number;
  readonly time: number | null;
  /** All utterances that the ears have found, the newest last. */
  readonly heard: readonly Heard[];
  readonly damaged: readonly Damage[];
}

/** Number of bytes that are read before other sessions get a turn. Painted output of this size takes some 10 ms. */
const PIECE_BYTES = 16 * 1024;
const MAX_HEARD = 256;
const MAX_HEARD_CHARS = 16 * 1024;

/**
 * Reads a journal again until the wanted finding is made, the time is over, or `signal` aborts.
 *
 * @returns The caller must dispose of its screen.
 */
export async function hearAgain(options: HearAgainOptions): Promise<HeardAgain> {
  const reader = openJournal(options.journals, options.sessionId);
  const hearer = new Hearer(options);
  try {
    const afterPiece = ({ damaged }: ReadOutcome): Promise<void> => {
      hearer.damaged.push(...damaged);
      return hearer.settled();
    };
    const goesOn = (): boolean => !options.signal.aborted && !hearer.isDone;
    await readInPieces(reader, { pieceBytes: PIECE_BYTES, goesOn, afterPiece }, (record) => hearer.take(record));
    return hearer.result();
  } finally {
    reader.close();
  }
}

class Hearer {
  readonly damaged: Damage[] = [];
  isDone = false;
  readonly #options: HearAgainOptions;
  readonly #heard: Heard[] = [];
  readonly #hearing = createHearing({ onUtterance: (heard) => this.#keep(heard) });
  #screen: Screen | null = null;
  #finding: Finding | null = null;
  #position = 0;
  #time: number | null = null;
  #isWhole = true;
  #record: HeardAgain['record'] = null;

  constructor(options: HearAgainOptions) {
    this.#options = options;
  }

  /** @returns True if the next record is needed. */
  take(record: JournalRecord): boolean {
    // `session_started` carries the time of the request, which is earlier than the first journal record.
    if (record.time > this.#options.untilTime && this.#position > 0) this.isDone = true;
    if (this.isDone) return false;
    this.#position = record.end;
    this.#time = record.time;
    if (record.kind === 'start') {
      this.#screen?.dispose(); // of the program before
      this.#screen = new Screen({ cols: record.cols, rows: record.rows, scrollbackLines: 0 });
    } else if (record.kind === 'snapshot') {
      this.#screen?.dispose();
      const { cols, rows, snapshot, joins = 0 } = record.screen;
      this.#screen = new Screen({ cols, rows, scrollbackLines: 0, snapshot, joins });
      this.#isWhole = true;
    } else if (!this.#screen) this.#isWhole = false;
    if (!this.#isWhole) return true;
    if (record.kind === 'out') this.#screen?.feed(Uint8Array.from(record.bytes), () => {});
    if (record.kind === 'resize') this.#screen?.resize(record.cols, record.rows);
    this.#finding = this.#hearing.push(record).find(this.#options.fits) ?? null;
    this.isDone = this.#finding !== null;
    if (this.isDone) this.#record = { from: record.position, to: record.end };
    return !this.isDone;
  }

  settled(): Promise<void> {
    const screen = this.#screen;
    return screen ? new Promise((resolve) => screen.feed(new Uint8Array(0), resolve)) : Promise.resolve();
  }

  result(): HeardAgain {
    return {
      finding: this.#finding,
      record: this.#record,
      screen: this.#screen,
      position: this.#position,
      time: this.#time,
      heard: this.#heard,
      damaged: this.damaged,
    };
  }

  #keep({ ear, standing, utterance: { from, to, text } }: HeardUtterance): void {
    this.#heard.push({ ear, standing, from, to, text: text.slice(0, MAX_HEARD_CHARS) });
    if (this.#heard.length > MAX_HEARD) this.#heard.shift();
  }
}
