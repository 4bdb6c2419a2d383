/**
 * Reads the last turn of a session's journal: the typed text, what the agent has written down since, and what it has
 * printed.
 *
 * In:   journal records in order, from the start of its program.
 * Out:  `turn` and `printed`, as of the last record.
 *
 * A turn begins when orchd has submitted text, and again when the agent's transcript shows that it accepted the text.
 * Earlier words of the transcript belong to the previous turn. A person's keys begin a turn only through the
 * transcript, because an Enter may choose in a dialog.
 */
import type { JournalRecord } from '../../host/contract.js';
import { ESCAPE_SEQUENCES } from '../../protocol/index.js';
import { LF } from '../../terminal/index.js';
import { readTranscriptNote } from '../hearing/sides/transcript-items.js';
import { openingQuestion } from '../signals/opening-question.js';
import { clearedText, sinceClear } from './cleared-screens.js';
import { promptLength, promptOnce, rowText, type Turn, type TurnText, type TypedMode, turnText } from './turn-text.js';

/** The note in the journal that records how the terminal echoes, before and after orchd types a text. */
export const TERMINAL_NOTE = 'terminal';

export interface TerminalNote extends TypedMode {
  readonly write_id: string;
  readonly when: 'before' | 'after';
}

/** The output of the turn, and the typed text that may be echoed in it. */
interface PrintedTurn extends TurnText {
  readonly typed: string;
  /** Everything printed since the typing began, including the echo. */
  readonly whole: string;
}

/**
 * How far the turn is. It is `untyped` until the write of the text ends. The agent's transcript shows that it accepted
 * the text, and that the turn is over.
 */
type TurnPhase = 'untyped' | 'typed' | 'accepted' | 'over';

export interface LastTurn {
  readonly phase: TurnPhase;
  /** The last text in the agent's transcript; null if there is none. */
  readonly text: string | null;
  /**
   * True if the cursor is behind the prompt at which the text was typed. Numbers in it may differ. If there was no
   * prompt, the cursor is in an empty row, and no question stands above it.
   */
  readonly isBack: boolean;
}

/** Maximum number of output bytes that are kept. */
const MAX_PRINTED_BYTES = 16 * 1024 * 1024;
/** Maximum number of output bytes before the typing that are searched for what the screen shows. */
const MAX_FRAME_BYTES = 64 * 1024;
/** Maximum number of bytes that are kept of the cursor's row. */
const MAX_ROW_BYTES = 4096;
const DEFAULT_COLS = 80;
const SPACE = 0x20;

/** The text being typed, and the output since. */
interface Typing {
  typed: string;
  readonly before: Buffer;
  /** The output since the program has last cleared the screen. */
  readonly frame: Buffer;
  readonly printed: Buffer[];
  room: number;
}

/** Reads the last turn of one session. */
export class TurnReader {
  readonly #writeId: string;
  #isTyped = false;
  #phase: Exclude<TurnPhase, 'untyped'> = 'typed';
  #text: string | null = null;
  #turn: Typing | null = null;
  /** Text that was typed without its Enter. */
  #draft: Typing | null = null;
  #row: Buffer = Buffer.alloc(0);
  /** The newest output, at least MAX_FRAME_BYTES of it if there is so much. */
  #newest: Buffer[] = [];
  #newestBytes = 0;
  /** The result of `clearedText` as of the last record; null if it was not asked for since. */
  #cleared: { readonly text: string | null | undefined } | null = null;
  /** The last finished row that is not empty. */
  #lastWords: Buffer = Buffer.alloc(0);
  #cols = DEFAULT_COLS;
  /** The terminal's modes at the last write that recorded them. */
  #modes: { writeId: string; before: TypedMode | null; after: TypedMode | null } | null = null;

  /** @param writeId  The write that begins the turn. */
  constructor(writeId: string) {
    this.#writeId = writeId;
  }

  push(record: JournalRecord): void {
    this.#cleared = null;
    if (record.kind === 'out') this.#print(Buffer.from(record.bytes));
    else if (record.kind === 'start' || record.kind === 'resize') this.#cols = record.cols;
    else if (record.kind === 'note' && record.name === 'transcript') this.#note(record.data);
    else if (record.kind === 'note' && record.name === TERMINAL_NOTE) this.#mode(record.data);
    else if (record.kind === 'input' && record.phase === 'begin') this.#type(record.text ?? '', record.submits);
    else if (record.kind === 'input' && record.phase === 'end' && record.writeId === this.#writeId)
      this.#isTyped = true;
  }

  turn(): LastTurn {
    const { before = null } = this.#turn ?? {};
    const isBack = before !== null && this.#isBackAt(promptOnce(rowText(before, this.#cols)));
    return { phase: this.#isTyped ? this.#phase : 'untyped', text: this.#text, isBack };
  }

  #isBackAt(prompt: string): boolean {
    const row = rowText(this.#row, this.#cols);
    if (prompt.trim() !== '') return promptLength(prompt, row) > 0;
    const hasPrinted = (this.#turn?.printed.length ?? 0) > 0;
    return hasPrinted && row.trim() === '' && !isQuestion(rowText(this.#lastWords, this.#cols));
  }

  printed(): PrintedTurn {
    const turn = this.#output();
    return { ...turnText(turn), typed: turn.typed, whole: plain(turn.output.toString('utf8')) };
  }

  /**
   * The text of a program that clears the screen before its prompt.
   * @returns Undefined if it has cleared nothing. Null if the text is not certain, or if there is none.
   */
  clearedText(): string | null | undefined {
    this.#cleared ??= { text: this.#turn === null ? undefined : clearedText(this.#output(), this.#turn.frame) };
    return this.#cleared.text;
  }

  #output(): Turn {
    const { typed = '', before = Buffer.alloc(0), printed = [] } = this.#turn ?? {};
    const modes = this.#modes?.writeId === this.#writeId ? this.#modes : null;
    const about = { modeBefore: modes?.before ?? null, modeAfter: modes?.after ?? null, cols: this.#cols };
    return { typed, before, output: Buffer.concat(printed), ...about };
  }

  #type(text: string, submits: boolean): void {
    this.#draft ??= {
      typed: '',
      before: this.#row,
      frame: sinceClear(Buffer.concat(this.#newest)),
      printed: [],
      room: MAX_PRINTED_BYTES,
    };
    this.#draft.typed += text;
    if (!submits) return;
    const draft = this.#draft;
    this.#draft = null;
    if (plain(draft.typed).trim() === '') {
      if (this.#turn) this.#turn.typed += draft.typed; // keys that choose in a dialog, or an Enter once more
      return;
    }
    this.#turn = draft;
    this.#beginPhase('typed');
  }

  #beginPhase(phase: 'typed' | 'accepted'): void {
    this.#phase = phase;
    this.#text = null;
  }

  #print(bytes: Buffer): void {
    for (const typing of [this.#turn, this.#draft]) {
      if (!typing || typing.room <= 0) continue;
      typing.printed.push(bytes.subarray(0, typing.room));
      typing.room -= bytes.length;
    }
    this.#newest.push(bytes);
    this.#newestBytes += bytes.length;
    for (
      let [oldest] = this.#newest;
      oldest && this.#newestBytes - oldest.length >= MAX_FRAME_BYTES;
      [oldest] = this.#newest
    ) {
      this.#newestBytes -= oldest.length;
      this.#newest.shift();
    }
    const feed = bytes.lastIndexOf(LF);
    if (feed !== -1) this.#finishRows(bytes.subarray(0, feed));
    const row = feed === -1 ? Buffer.concat([this.#row, bytes]) : bytes.subarray(feed + 1);
    this.#row = Buffer.from(row.subarray(-MAX_ROW_BYTES));
  }

  #finishRows(bytes: Buffer): void {
    const end = bytes.findLastIndex((byte) => byte > SPACE) + 1;
    const begin = bytes.lastIndexOf(LF, end - 1) + 1;
    const words = begin > 0 ? bytes.subarray(begin, end) : Buffer.concat([this.#row, bytes.subarray(0, end)]);
    if (words.some((byte) => byte > SPACE)) this.#lastWords = Buffer.from(words.subarray(-MAX_ROW_BYTES));
  }

  #mode(data: unknown): void {
    // Not validated: only orchd writes this note.
    const { write_id: writeId, when, echo, canonical } = data as TerminalNote;
    if (this.#modes?.writeId !== writeId) this.#modes = { writeId, before: null, after: null };
    if (when === 'before' || when === 'after') this.#modes[when] = { echo, canonical };
  }

  #note(data: unknown): void {
    for (const item of readTranscriptNote(data).items) {
      if (item.kind === 'prompt') this.#beginPhase('accepted');
      else if (item.kind === 'text') {
        this.#text = item.text;
        if (this.#phase === 'over') this.#phase = 'accepted';
      } else if (item.kind === 'idle' && this.#phase === 'accepted') this.#phase = 'over';
    }
  }
}

function isQuestion(row: string): boolean {
  const cursor = { x: row.length, y: 0, visible: true };
  return /[?:]\s*$/.test(row) || openingQuestion({ rows: [row], cursor }) !== null;
}

const plain = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
