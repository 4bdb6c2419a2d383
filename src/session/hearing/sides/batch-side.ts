/**
 * Batch side of a session: reads the output of an agent without a terminal, line by line, with its adapter.
 *
 * In:   output (`push`), its end.
 * Out:  the items of each line to the transcript side, with the line's place; a finding for a line that is too long.
 *
 * A line is complete at its line feed, or at the end of the output. The result does not depend on how the output is
 * cut. Memory is bounded: a line that is longer than MAX_JSON_LINE_BYTES is dropped.
 */
import type { UnplacedFinding } from '../../../ears/index.js';
import { MAX_JSON_LINE_BYTES } from '../../../protocol/index.js';
import { LF } from '../../../terminal/index.js';
import { type Adapter, adapterNamed, type BatchTraits } from '../../adapters/index.js';
import type { TranscriptSide } from './transcript-side.js';

export interface BatchSidePorts {
  readonly transcript: Pick<TranscriptSide, 'hear'>;
  readonly find: (told: UnplacedFinding) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
  readonly turn: () => number;
}

export interface BatchSideState {
  readonly adapter: string;
  /** The beginning of an unfinished line, in base 64; null if it is too long. */
  readonly begun: string | null;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

export class BatchSide {
  readonly #adapter: string;
  readonly #batch: BatchTraits;
  readonly #ports: BatchSidePorts;
  /** The parts of the current line; null if the line is too long. */
  #parts: Buffer[] | null = [];
  #bytes = 0;
  #from = 0;
  #to = 0;
  #line = 1;

  private constructor(adapter: string, batch: BatchTraits, ports: BatchSidePorts) {
    this.#adapter = adapter;
    this.#batch = batch;
    this.#ports = ports;
  }

  /** Returns null for a program that prints for people: its output is read like that of a program in a terminal. */
  static of(adapter: Adapter | null, ports: BatchSidePorts): BatchSide | null {
    return adapter?.batch ? new BatchSide(adapter.name, adapter.batch, ports) : null;
  }

  static restore(state: BatchSideState, ports: BatchSidePorts): BatchSide | null {
    const side = BatchSide.of(adapterNamed(state.adapter), ports);
    if (side) side.#restore(state);
    return side;
  }

  state(): BatchSideState {
    const begun = this.#parts && Buffer.concat(this.#parts).toString('base64');
    return { adapter: this.#adapter, begun, from: this.#from, to: this.#to, line: this.#line };
  }

  /** True if no line has begun. */
  isAtRest(): boolean {
    return this.#bytes === 0;
  }

  /** @param output  Borrowed. */
  push(output: Uint8Array, position: number): void {
    let from = 0;
    for (let feed = output.indexOf(LF); feed >= 0; feed = output.indexOf(LF, from)) {
      this.#add(output.subarray(from, feed + 1), position + from);
      this.end();
      from = feed + 1;
    }
    if (from < output.length) this.#add(output.subarray(from), position + from);
  }

  /** Called at the end of the output, which also completes the open line. */
  end(): void {
    if (this.#bytes === 0) return;
    const parts = this.#parts;
    if (parts === null) this.#ports.find(this.#oversized());
    else this.#read(Buffer.concat(parts).toString('utf8').trimEnd());
    this.#parts = [];
    this.#bytes = 0;
    this.#line++;
  }

  /** A batch program works until it exits, even if it reports the end of a turn. */
  #read(text: string): void {
    if (text === '') return;
    const items = this.#batch.read(text).items.filter(({ kind }) => kind !== 'idle');
    this.#ports.transcript.hear(items, { position: this.#from, end: this.#to, time: this.#ports.now() });
  }

  /** The line may have contained a message. */
  #oversized(): UnplacedFinding {
    const errors = [{ path: '$', message: `a line of output is longer than ${MAX_JSON_LINE_BYTES} bytes` }];
    const ear = 'transcript';
    const origin = { ear, from: this.#from, to: this.#to } as const;
    const about = { source: 'fence', reason: 'oversized', errors, raw: '' } as const;
    return { kind: 'rejected', ...about, ear, origin, turn: this.#ports.turn(), line: this.#line };
  }

  #add(bytes: Uint8Array, position: number): void {
    if (this.#bytes === 0) this.#from = position;
    this.#bytes += bytes.length;
    this.#to = position + bytes.length;
    if (this.#bytes > MAX_JSON_LINE_BYTES) this.#parts = null;
    this.#parts?.push(Buffer.from(bytes));
  }

  #restore({ begun, from, to, line }: BatchSideState): void {
    this.#parts = begun === null ? null : [Buffer.from(begun, 'base64')];
    this.#bytes = begun === null ? MAX_JSON_LINE_BYTES + 1 : (this.#parts?.[0]?.length ?? 0);
    this.#from = from;
    this.#to = to;
    this.#line = line;
  }
}
