/**
 * Lines side of a session: reads printed rows as a document, without echoes.
 *
 * In:   output (`push`), quiet, turns, sizes.
 * Out:  utterances through `tell`; the turn's first output that is no echo through `spoke`; the begin and end of
 *       painting, and bells, to the screen side and the notices.
 *
 * A marker waits while the program hides the cursor: it may be the beginning of a text that the program paints again
 * and again while it grows. It is told after HOLD_MS, or when the program calls for the person. If the program paints
 * over it before, the screen ear reads it.
 */
import {
  Grammar,
  type HintSink,
  passHead,
  passRow,
  type Structure,
  type TextSpan,
  type Utterance,
} from '../../../ears/index.js';
import { RowReader, type RowReaderState } from '../../rows/row-reader.js';
import type { OutputPacer, RowMark, RowSink } from '../../rows/row-sink.js';
import type { ScreenSide } from '../../screen/screen-side.js';
import type { Notices } from '../notices.js';
import { joinWrapped, readBoxRow } from './box-rows.js';
import { EchoWatch, type EchoWatchState } from './echo-watch.js';

interface LinesSidePorts {
  readonly screen: ScreenSide;
  readonly notices: Notices;
  readonly tell: (utterances: readonly Utterance[]) => void;
  readonly hint: HintSink;
  /** Called when lines follow that the program may have printed before. It has painted at this time. */
  readonly reprinting: (paintedAt: number) => void;
  /** Called at the turn's first output that is not an echo. */
  readonly spoke: () => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
}

export interface LinesSideState {
  readonly reader: RowReaderState;
  readonly grammar: unknown;
  readonly watch: EchoWatchState | null;
  readonly hasPrinted: boolean;
  /** True within a box (box-rows.ts). Absent in checkpoints of older versions. */
  readonly isBoxed?: boolean;
  /** Absent if nothing waits, and in checkpoints of older versions. */
  readonly held?: readonly Held[];
  /** True if text was printed after what waits. */
  readonly isHeldFollowed?: boolean;
}

/** A marker, or a hint about one. */
type Said = { readonly utterance: Utterance } | { readonly hint: Parameters<HintSink> };

/** It waits since a time in milliseconds. */
type Held = Said & {
  readonly since: number;
  /** As in RowSink.repaints. Absent in checkpoints of older versions. */
  readonly row?: number;
};

/**
 * Number of bytes that are read at a row's end. A longer row cannot be a closing fence, and this is enough to recognize
 * a marker.
 */
const MAX_ENDING_BYTES = 4096;
/** Silence, or time without a repaint, after which a waiting marker is told. */
const HOLD_MS = 1_500;
/** The same once the program shows the cursor again. */
const SHOWN_MS = 400;
const MAX_HELD = 16;

export class LinesSide implements RowSink {
  readonly #ports: LinesSidePorts;
  readonly #reader: RowReader;
  readonly #grammar: Grammar;
  /** The watch on the echo, until the turn's first output that is not an echo. */
  #watch: EchoWatch | null;
  #hasPrinted: boolean;
  #isBoxed: boolean;
  #held: readonly Held[];
  /** True if text was printed after what waits. */
  #isHeldFollowed: boolean;
  /** True while a row is read that was printed over another one. */
  #isOver = false;

  constructor(ports: LinesSidePorts, state?: LinesSideState) {
    this.#ports = ports;
    this.#reader = new RowReader(this, state?.reader);
    this.#held = state?.held ?? [];
    this.#isHeldFollowed = state?.isHeldFollowed ?? false;
    this.#grammar = new Grammar(state?.grammar, (...hint) => this.#take({ hint }));
    this.#watch = state ? state.watch && EchoWatch.restore(state.watch) : EchoWatch.start('', '', 0);
    this.#hasPrinted = state?.hasPrinted ?? true;
    this.#isBoxed = state?.isBoxed ?? false;
  }

  state(): LinesSideState {
    return {
      reader: this.#reader.state(),
      grammar: this.#grammar.state(),
      watch: this.#watch?.state() ?? null,
      hasPrinted: this.#hasPrinted,
      ...(this.#isBoxed && { isBoxed: true }),
      ...(this.#held.length > 0 && { held: this.#held, isHeldFollowed: this.#isHeldFollowed }),
    };
  }

  /** True if no row and no block has begun, and no marker waits. */
  isAtRest(): boolean {
    return this.#held.length === 0 && this.#reader.isAtRest() && this.#grammar.isAtRest() && !this.#isBoxed;
  }

  /** True if a row was finished since the last message, or if there was no message. */
  get hasPrinted(): boolean {
    return this.#hasPrinted;
  }

  /** Called when a message was reported. */
  told(): void {
    this.#hasPrinted = false;
  }

  push(output: Uint8Array, position: number): void {
    this.#reader.push(output, position);
  }

  resize(cols: number): void {
    this.#reader.resize(cols);
  }

  /** True if the open row could end an utterance: quiet would complete it. */
  couldEnd(): boolean {
    if (this.#watch) return false;
    const text = this.#reader.shortPartial(MAX_ENDING_BYTES);
    return text !== null && this.#grammar.couldEnd(text);
  }

  rowOver(text: string, place: TextSpan, isCut: boolean): void {
    this.#age();
    this.#isOver = true;
    this.#readRow(text, place, isCut);
    this.#isOver = false;
  }

  repaints(row: number): boolean {
    this.#age();
    return this.#held.some((held) => rowOf(held) >= row);
  }

  /** The silence after which `quiet` tells waiting markers; null if none waits. */
  get holdMs(): number | null {
    if (this.#held.length === 0) return null;
    return this.#reader.hidesCursor ? HOLD_MS : SHOWN_MS;
  }

  quiet(quietMs: number): void {
    if (this.holdMs !== null && quietMs >= this.holdMs) this.#release();
  }

  /**
   * Returns the text before the typed text, such as a prompt. Returns '' for a question: if it is printed again, it
   * counts again.
   */
  prompt(): string {
    const row = this.#reader.shortPartial(MAX_ENDING_BYTES) ?? '';
    return this.#grammar.couldEnd(row) ? '' : row;
  }

  /** @param prompt  The text before the cursor when the text was typed. */
  beginTurn(prompt: string, text: string, keystrokes: number): void {
    this.#watch = EchoWatch.start(prompt, text, keystrokes);
    this.#reader.entered();
  }

  /** Finishes the open row. The rest of that row is ignored. */
  finishPartial(to: number): void {
    const partial = this.#reader.takePartial(to);
    if (partial && !this.#watch) this.#read(partial.text, partial.place, partial.isCut);
  }

  endDocument(position: number): void {
    this.finishPartial(position);
    this.#endGrammar(false);
    this.#release();
  }

  /** @param isBoxed  True if a box begins. */
  #endGrammar(isBoxed: boolean): void {
    this.#say(this.#grammar.endDocument());
    this.#isBoxed = isBoxed;
  }

  // ── rows ────────────────────────────────────────────────

  get isWatching(): boolean {
    return this.#watch !== null;
  }

  printed(bytes: Uint8Array, start: number, end: number): void {
    const at = this.#watch?.printed(bytes, start, end) ?? -1;
    if (at === -1) return;
    this.#watch = null;
    this.#ports.screen.showByte(at);
    this.#ports.spoke();
  }

  now(): number {
    return this.#ports.now();
  }

  rang(position: number): void {
    this.#release();
    this.#ports.screen.showBefore(position);
    this.#ports.notices.rang(position, this.#ports.now(), this.#ports.screen.isPainted);
  }

  notified(payload: string, position: number): void {
    this.#release();
    this.#ports.screen.showBefore(position);
    this.#ports.notices.notified(payload, position);
  }

  titled(title: string): void {
    this.#ports.screen.titled(title);
  }

  get pacer(): OutputPacer | null {
    return this.#ports.screen.pacer;
  }

  moved(to: 'row' | 'anywhere'): void {
    this.#watch?.moved(to);
  }

  fed(): void {
    this.#watch?.rowEnded();
  }

  openRows(): Structure | null {
    return this.#watch || this.#held.length > 0 || this.#ports.screen.countsLines ? null : this.#openRows();
  }

  #openRows(): Structure | null {
    return this.#isBoxed ? null : this.#grammar.openRows();
  }

  skipped(hasText: boolean): void {
    if (hasText) this.#noteText();
  }

  plainRow(bytes: Buffer, start: number, end: number, from: number, to: number, line: number): void {
    this.#ports.screen.countLine(to);
    this.#age();
    if (this.#watch) {
      this.#watch.rowEnded();
      return;
    }
    const structure = this.#openRows();
    const passed = structure && passRow(structure, bytes, start, end);
    if (passed === 'text') this.#noteText();
    if (!passed) this.#readRow(bytes.toString('utf8', start, end), { from, to, line }, false);
  }

  passes(head: Buffer): boolean {
    const structure = this.openRows();
    if (!structure || !passHead(structure, head)) return false;
    this.#noteText();
    return true;
  }

  row(text: string, place: TextSpan, isCut: boolean): void {
    this.#ports.screen.countLine(place.to);
    this.#age();
    if (!this.#watch) this.#readRow(text, place, isCut);
  }

  mark(mark: RowMark, position: number, isMessage = false): void {
    this.#ports.screen.showBefore(position);
    if (mark === 'painting') this.#releaseForgotten(position);
    // From here on, the lines ear drops its unfinished text and ignores what the program paints.
    const isHolding = this.#held.length > 0 || isMessage;
    if (mark === 'painting') {
      this.#held = [];
      this.#grammar.dropDocument();
      this.#isBoxed = false;
    } else if (mark !== 'lines') this.endDocument(position);
    this.#ports.screen.mark(mark, position, isHolding);
  }

  reprinting(paintedAt: number): void {
    this.#ports.reprinting(paintedAt);
  }

  #readRow(text: string, place: TextSpan, isCut: boolean): void {
    if ((!this.#hasPrinted || this.#held.length > 0) && text.trim() !== '') this.#noteText();
    this.#read(text, place, isCut);
  }

  #noteText(): void {
    this.#hasPrinted = true;
    this.#isHeldFollowed = true;
  }

  #read(text: string, place: TextSpan, isCut: boolean): void {
    const isMarked = text.charCodeAt(0) === 0xfeff; // a byte order mark, of a file that is printed
    const row = isMarked ? text.slice(1) : text;
    // Within a fence, a box is a picture and not the program's.
    const box = this.#isBoxed || this.#isOutsideFences ? readBoxRow(row, this.#isBoxed) : null;
    if (box?.kind === 'begin' || box?.kind === 'end' || box?.kind === 'after') this.#endGrammar(box.kind === 'begin');
    if (box?.kind === 'end') return;
    const { from, to, line } = place;
    const inner = box?.kind === 'inside' ? box.text : row;
    const found = this.#grammar.readRow({ text: inner, from, to, line, isCut });
    this.#say(box?.kind === 'inside' ? found.map(joinWrapped) : found);
  }

  // ── markers that wait ────────────────────────────────────────────────

  #say(utterances: readonly Utterance[]): void {
    for (const utterance of utterances) this.#take({ utterance });
  }

  #take(said: Said): void {
    const isMarker = !('utterance' in said) || said.utterance.form === 'marker';
    if (isMarker && (this.#reader.hidesCursor || this.#isOver) && this.#held.length < MAX_HELD) {
      const row = placeOf(said).line - this.#reader.again;
      this.#held = [...this.#held, { ...said, since: this.#ports.now(), row }];
      this.#isHeldFollowed = false;
      return;
    }
    this.#release();
    this.#tell(said);
  }

  /** Called for each row: the markers that have waited are complete. */
  #age(): void {
    const [first] = this.#held;
    if (first && this.#ports.now() - first.since >= HOLD_MS) this.#release();
  }

  /** Called when the program begins to paint: what the screen ear will not see is complete. */
  #releaseForgotten(position: number): void {
    const count = this.#held.findLastIndex((held) => !this.#ports.screen.remembers(placeOf(held).from, position));
    this.#release(count + 1);
  }

  #release(count = this.#held.length): void {
    const released = this.#held.slice(0, count);
    if (released.length === 0) return;
    const isFollowed = this.#isHeldFollowed || released.length < this.#held.length;
    this.#held = this.#held.slice(count);
    for (const each of released) this.#tell(each);
    if (isFollowed) this.#hasPrinted = true;
  }

  #tell(said: Said): void {
    if ('utterance' in said) this.#ports.tell([said.utterance]);
    else this.#ports.hint(...said.hint);
  }

  get #isOutsideFences(): boolean {
    const structure = this.#grammar.openRows();
    return structure !== null && structure.leaf.kind !== 'fence';
  }
}

const placeOf = (said: Said): TextSpan => ('utterance' in said ? said.utterance : said.hint[1]);

const rowOf = (held: Held): number => held.row ?? placeOf(held).line;
