/**
 * Grammar: finds what an agent says, in lines of text. One grammar for what programs print, what people type, and
 * transcripts.
 *
 * In:   lines in order (`readRow`), the end of a document (`endDocument`).
 * Out:  utterances in the order in which their last line arrives: fenced blocks, markers and envelopes, whole or
 *       broken. The ledger decides which of them are valid messages.
 * Keeps at most one open block (MAX_BLOCK_CHARS) or envelope (MAX_ENVELOPE_CHARS). State is plain data: `state()` is a
 * copy of it.
 *
 *     Done.                          text
 *     ```orchestrator-message        block: lines are kept
 *     {"type": "QUESTION", …
 *     ```                            a fence utterance
 *     :ORCHESTRATOR: TASK COMPLETE   a marker utterance
 *     <output>                       opening: an envelope if an object follows
 *     { … }                          envelope
 *     </output>                      an envelope utterance
 */

import { MAX_BLOCK_CHARS } from '../bounds.js';
import {
  createStructure,
  type Reading,
  readAsHtml,
  readLine,
  type Structure,
  skipOwnFence,
  wouldClose,
} from './blocks.js';
import {
  beforeEnd,
  createEnvelope,
  type Envelope,
  envelopeJson,
  envelopeText,
  humanText,
  readEnvelopeLine,
} from './envelopes.js';
import { bareHintIn, fenceHintIn, type Hint, hintIn, isBrace } from './hints.js';
import { type MarkerType, parseMarker } from './markers.js';
import { isOpen } from './open-rows.js';

/** A line, its position, and its number. Positions come from the caller; the grammar only passes them on. */
interface Row {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** True if the line was longer than the limit, so that `text` holds only its beginning. */
  readonly isCut?: boolean;
}

/** The position of rows in the journal. */
export interface TextSpan {
  /** Journal position of the first byte. */
  readonly from: number;
  /** Journal position after the last byte, including the line feed. */
  readonly to: number;
  /** Line number of the first row, from 1. */
  readonly line: number;
}

export type Utterance = TextSpan & {
  /** False if a part of the text is a guess, because it was read from a painted screen. Absent if the text is exact. */
  readonly exact?: false;
} & (
    | { readonly form: 'fence'; readonly text: string }
    | { readonly form: 'envelope'; readonly text: string; readonly json: string; readonly human: string }
    | { readonly form: 'marker'; readonly text: string; readonly type: MarkerType; readonly words: string }
    | {
        readonly form: 'broken';
        readonly source: 'fence' | 'envelope';
        readonly reason: 'unclosed' | 'oversized';
        readonly text: string;
      }
  );

type Open =
  | { readonly kind: 'text' }
  | { readonly kind: 'block'; readonly start: TextSpan; to: number; readonly lines: string[]; chars: number }
  | {
      readonly kind: 'opening';
      readonly start: TextSpan;
      readonly indent: number;
      wasParagraph: boolean;
      isBlankSeen: boolean;
    }
  | { readonly kind: 'envelope'; readonly start: TextSpan; to: number; readonly envelope: Envelope };

interface GrammarState {
  structure: Structure;
  open: Open;
  /** True if the last row was only `{`: the rest of a block may follow. Absent stands for false. */
  isBrace?: true;
}

const TEXT: Open = { kind: 'text' };
const NOTHING: readonly Utterance[] = [];

/** Receives near misses of messages. `line` is the whole line; of a block without a fence, its beginning. */
export type HintSink = (hint: Hint, place: TextSpan, line: string) => void;

/** Reads lines of text and finds the utterances in them. */
export class Grammar {
  #structure: Structure = createStructure();
  #open: Open = TEXT;
  #isBrace = false;
  readonly #onHint: HintSink | null;

  /** @param state  A result of `state()` from which the grammar is restored. */
  constructor(state?: unknown, onHint: HintSink | null = null) {
    this.#onHint = onHint;
    if (state === undefined) return;
    const copy = structuredCopy(state) as GrammarState; // `state()` returned it
    this.#structure = copy.structure;
    this.#open = copy.open;
    this.#isBrace = copy.isBrace ?? false;
  }

  state(): unknown {
    const isBrace = this.#isBrace ? ({ isBrace: true } as const) : {};
    return structuredCopy({ structure: this.#structure, open: this.#open, ...isBrace } satisfies GrammarState);
  }

  /** True if no block and no envelope is open, so that the checkpoint is small. */
  isAtRest(): boolean {
    return this.#open.kind === 'text';
  }

  /**
   * The structure, if rows may be skipped as bytes (open-rows.ts) instead of being read; null if each row must be read.
   */
  openRows(): Structure | null {
    return this.#open.kind === 'text' && !this.#isBrace && isOpen(this.#structure) ? this.#structure : null;
  }

  /** True if an unfinished row, as it is now, could end an utterance. */
  couldEnd(text: string): boolean {
    switch (this.#open.kind) {
      case 'block':
        return wouldClose(this.#structure, text);
      case 'envelope':
        return beforeEnd(text) !== null;
      default:
        return parseMarker(text) !== null || (text.trimStart().startsWith('<output>') && beforeEnd(text) !== null);
    }
  }

  /** Reads one line. */
  readRow(row: Row): readonly Utterance[] {
    switch (this.#open.kind) {
      case 'text':
        return this.#readText(row);
      case 'block':
        return this.#readBlock(this.#open, row);
      case 'opening':
        return this.#readOpening(this.#open, row);
      case 'envelope':
        return this.#readEnvelope(this.#open, row);
    }
  }

  /** Forgets the structure. An open block or envelope is reported as broken. */
  endDocument(): readonly Utterance[] {
    const broken = this.#breakOpen('unclosed');
    this.dropDocument();
    return broken;
  }

  /** Drops the structure and any open block without a report. Another reader reads the following rows. */
  dropDocument(): void {
    this.#structure = createStructure();
    this.#open = TEXT;
    this.#isBrace = false;
  }

  #readText(row: Row): readonly Utterance[] {
    return this.#begin(row, readLine(this.#structure, row.text));
  }

  /** Determines which structure a line begins, outside of blocks and envelopes. */
  #begin(row: Row, reading: Reading): readonly Utterance[] {
    const start: TextSpan = { from: row.from, to: row.to, line: row.line };
    const text = this.#isBrace ? `{${row.text}` : row.text;
    this.#isBrace = false;
    if (reading.kind === 'fence_open' && reading.isOwn) {
      this.#open = { kind: 'block', start, to: row.to, lines: [], chars: 0 };
      if (row.isCut) return this.#breakOpen('oversized');
    } else if (reading.kind === 'tag') {
      //  <output>   {            <output>
      //          ^ an envelope           ^ perhaps
      const { indent, wasParagraph } = reading;
      if (reading.after === '') this.#open = { kind: 'opening', start, indent, wasParagraph, isBlankSeen: false };
      else return this.#openEnvelope(start, indent, { ...row, text: reading.after });
    } else if (reading.kind === 'text' && !reading.isQuoted && !row.isCut) {
      const marker = parseMarker(row.text);
      if (marker) return [{ form: 'marker', ...start, text: row.text.trim(), type: marker.type, words: marker.text }];
      this.#hint(hintIn(row.text), start, row.text);
      const bare = bareHintIn(text);
      this.#hint(bare, start, bare?.head ?? '');
      this.#isBrace = isBrace(row.text);
    } else if (reading.kind === 'fence_open' && !row.isCut) this.#hint(fenceHintIn(row.text), start, row.text);
    return NOTHING;
  }

  #hint(hint: Hint | null, place: TextSpan, line: string): void {
    if (hint) this.#onHint?.(hint, place, line);
  }

  /**
   *     ```orchestrator-message
   *     {"type": …
   *     ^ content, the closing fence, or (a list item ended) a line that belongs to something else
   */
  #readBlock(block: Extract<Open, { kind: 'block' }>, row: Row): readonly Utterance[] {
    const reading = readLine(this.#structure, row.text);
    if (reading.kind === 'fence_close') {
      this.#open = TEXT;
      const { from, line } = block.start;
      return [{ form: 'fence', from, line, to: row.to, text: textOf(block.lines) }];
    }
    if (reading.kind !== 'fence_line') {
      const broken = this.#breakOpen('unclosed');
      return [...broken, ...this.#begin(row, reading)];
    }
    block.lines.push(reading.text);
    block.chars += reading.text.length + 1;
    block.to = row.to;
    if (row.isCut || block.chars > MAX_BLOCK_CHARS) return this.#breakOpen('oversized');
    return NOTHING;
  }

  /**
   *     <output>
   *
   *     {            an object: an envelope; anything else: it was HTML or prose
   *     ^
   */
  #readOpening(opening: Extract<Open, { kind: 'opening' }>, row: Row): readonly Utterance[] {
    const text = row.text.trimStart();
    if (text === '') {
      opening.isBlankSeen = true;
      return NOTHING;
    }
    if (text.startsWith('{')) return this.#openEnvelope(opening.start, opening.indent, row);
    this.#open = TEXT;
    if (opening.isBlankSeen) readLine(this.#structure, '');
    else readAsHtml(this.#structure, { after: '', wasParagraph: opening.wasParagraph });
    return this.#readText(row);
  }

  #openEnvelope(start: TextSpan, indent: number, row: Row): readonly Utterance[] {
    const open = { kind: 'envelope', start, to: row.to, envelope: createEnvelope(indent) } as const;
    this.#open = open;
    return this.#readEnvelope(open, row);
  }

  #readEnvelope(open: Extract<Open, { kind: 'envelope' }>, row: Row): readonly Utterance[] {
    const { envelope } = open;
    const step = row.isCut ? 'oversized' : readEnvelopeLine(envelope, row.text);
    if (step === 'broken') return [...this.#breakOpen('unclosed'), ...this.#readText(row)];
    open.to = row.to;
    if (step === 'oversized') return this.#breakOpen('oversized');
    if (step === 'open') return NOTHING;
    this.#open = TEXT;
    const text = envelopeText(envelope);
    return [
      { form: 'envelope', ...open.start, to: row.to, text, json: envelopeJson(envelope), human: humanText(envelope) },
    ];
  }

  /** Closes the open block or envelope: it is not a message. */
  #breakOpen(reason: 'unclosed' | 'oversized'): readonly Utterance[] {
    const open = this.#open;
    this.#open = TEXT;
    if (open.kind === 'block') {
      if (reason === 'oversized') skipOwnFence(this.#structure);
      return [{ form: 'broken', source: 'fence', reason, ...open.start, to: open.to, text: open.lines.join('\n') }];
    }
    if (open.kind === 'envelope') {
      const text = envelopeText(open.envelope);
      // A code fence that is open in the envelope's human part stays open for the lines that follow.
      if (open.envelope.human) this.#structure = open.envelope.human.structure;
      return [{ form: 'broken', source: 'envelope', reason, ...open.start, to: open.to, text }];
    }
    return NOTHING;
  }
}

/** Most blocks have one line, so the common case avoids a join. */
const textOf = (lines: readonly string[]): string => (lines.length === 1 ? (lines[0] ?? '') : lines.join('\n'));

/** Returns the utterances in a text: the grammar over all its lines. Positions are indices into the text. */
export function readText(text: string, onHint: HintSink | null = null): readonly Utterance[] {
  const grammar = new Grammar(undefined, onHint);
  const utterances: Utterance[] = [];
  let from = 0;
  let line = 1;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end + 1;
    const last = end === -1 ? text.length : end;
    const hasReturn = text[last - 1] === '\r' && last > from;
    utterances.push(...grammar.readRow({ text: text.slice(from, hasReturn ? last - 1 : last), from, to, line }));
    from = to;
    line++;
  }
  utterances.push(...grammar.endDocument());
  return utterances;
}

/** A deep copy of plain data. */
export function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // JSON in, JSON out
}
