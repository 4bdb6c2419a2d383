/**
 * The last turn in a session's journal: what was typed into it, what the agent has written down since, what it has printed.
 *
 * In:   journal records in order, from the start of its program. Out: `turn` and `printed`, as of the last of them.
 *
 * A turn begins when orchd has submitted words, and again when the agent writes down that it took them: what it writes down before that
 * belongs to the turn before. A person's keys begin one by being written down alone: an Enter may choose in a dialog.
 */
import type { JournalRecord } from '../host/contract.js';
import { readTranscriptNote } from './transcript-items.js';

export interface LastTurn {
  /** All of the write that is looked for has been typed. */
  readonly isTyped: boolean;
  /** The agent has written down that it took the words. */
  readonly isTaken: boolean;
  /** What it wrote down last; null for nothing. */
  readonly text: string | null;
  /** It has written down that its turn is over. */
  readonly isOver: boolean;
}

/** What is printed after this much is not kept. */
const MAX_PRINTED_BYTES = 16 * 1024 * 1024;
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[^[\]PX^_])/g;

export class TurnReader {
  readonly #writeId: string;
  #isTyped = false;
  #isTaken = false;
  #text: string | null = null;
  #isOver = false;
  #typed = '';
  #printed: Buffer[] = [];
  #room = MAX_PRINTED_BYTES;

  /** @param writeId  Of what begins the turn that is waited for. */
  constructor(writeId: string) {
    this.#writeId = writeId;
  }

  push(record: JournalRecord): void {
    if (record.kind === 'out') this.#print(record.bytes);
    else if (record.kind === 'note' && record.name === 'transcript') this.#note(record.data);
    else if (record.kind === 'input' && record.phase === 'begin' && record.submits) this.#begin(record.text ?? '');
    else if (record.kind === 'input' && record.phase === 'end' && record.writeId === this.#writeId)
      this.#isTyped = true;
  }

  turn(): LastTurn {
    return { isTyped: this.#isTyped, isTaken: this.#isTaken, text: this.#text, isOver: this.#isOver };
  }

  /** As text, without the echo of what was typed. */
  printed(): string {
    return withoutEcho(this.#typed, Buffer.concat(this.#printed));
  }

  #begin(typed: string): void {
    const words = plain(typed).trim();
    if (words === '') return; // keys that choose
    this.#typed = words;
    this.#printed = [];
    this.#room = MAX_PRINTED_BYTES;
    this.#isTaken = false;
    this.#forget();
  }

  #forget(): void {
    this.#text = null;
    this.#isOver = false;
  }

  #print(bytes: Uint8Array): void {
    if (this.#typed === '' || this.#room <= 0) return;
    this.#printed.push(Buffer.from(bytes.subarray(0, this.#room)));
    this.#room -= bytes.length;
  }

  #note(data: unknown): void {
    for (const item of readTranscriptNote(data).items) {
      if (item.kind === 'prompt') {
        this.#isTaken = true;
        this.#forget();
      } else if (item.kind === 'text') {
        this.#text = item.text;
        this.#isOver = false;
      } else if (item.kind === 'idle') this.#isOver = true;
    }
  }
}

const plain = (text: string): string => text.replace(SEQUENCES, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');

/** A terminal that cooks shows each line as it is typed, behind what the program had printed on that row. */
function withoutEcho(typed: string, output: Buffer): string {
  const lines = plain(output.toString('utf8')).split('\n');
  for (const line of typed.split('\n')) {
    if (line !== '' && lines[0]?.endsWith(line)) lines.shift();
  }
  return lines.join('\n');
}
