/**
 * Casts: terminal recordings (asciicast, versions 1, 2 and 3), read line by line.
 *
 *     {"version": 2, "width": 80, "height": 24, …}      the header; version 3: "term": {"cols": 80, "rows": 24}
 *     [1.25, "o", "text\r\n"]                           seconds (version 3: since the line before), what, and its data
 *     # a comment (version 3)
 *
 *     {"version": 1, "width": 80, "height": 24, "stdout": [[1.25, "text\r\n"], …]}      version 1: one document, with
 *                                                                                      seconds since the entry before
 *
 * `o` is output, `i` input, `r` a resize (`"80x24"`), `x` the exit status (version 3); other events (`m`, …) are
 * ignored. A line that is no event is reported with its number, and reading stops there.
 */
import { asObject, asText, type Json } from '../adapters/record.js';

export interface CastEvent {
  /** Milliseconds since the recording's beginning; never less than those of the previous event. */
  readonly timeMs: number;
  readonly kind: string;
  readonly data: string;
}

export interface CastHeader {
  readonly cols: number;
  readonly rows: number;
  /** Time of the recording in milliseconds since the epoch; null if it is not known. */
  readonly startedAt: number | null;
  readonly command: string | null;
  readonly title: string | null;
}

interface Cast extends CastHeader {
  readonly events: readonly CastEvent[];
}

export type CastProblem = { readonly ok: false; readonly line: number; readonly message: string };
export type CastReading = { readonly ok: true; readonly cast: Cast } | CastProblem;
export type CastStep = { readonly ok: true; readonly events: readonly CastEvent[] } | CastProblem;

const MAX_COLS = 1000;
/** Maximum length of a document of version 1, which is kept until its end. */
const MAX_DOCUMENT_CHARS = 256 * 1024 * 1024;
const NOTHING: CastStep = { ok: true, events: [] };
const NO_HEADER = 'expected the header of an asciicast, a JSON object';

/** Parses the lines of a recording, one after the other (`push`), and its end. */
export class CastReader {
  /** The header: set when its line was parsed; in version 1 at the end. */
  header: CastHeader | null = null;
  #version: 2 | 3 | null = null;
  #line = 0;
  #seconds = 0;
  #timeMs = 0;
  /** The document of version 1; null once another version is recognized. */
  #document: string[] | null = [];
  #documentChars = 0;

  push(text: string): CastStep {
    this.#line++;
    if (this.#document === null) return this.#event(text.trim());
    const header = this.#line === 1 ? asObject(parseLine(text)) : null;
    const version = header?.['version'];
    if (header && version !== 1) {
      this.#document = null;
      return this.#begin(header, version);
    }
    // This may be version 1, whose document may have any number of lines.
    if (this.#line === 1 && !text.trimStart().startsWith('{')) return this.#fail(NO_HEADER);
    this.#document.push(text);
    this.#documentChars += text.length;
    return this.#documentChars > MAX_DOCUMENT_CHARS ? this.#fail('a recording of version 1 may have 256 MiB') : NOTHING;
  }

  /** @returns All events of version 1; none for other versions. */
  end(): CastStep {
    if (this.#document === null) return NOTHING;
    this.#line = 1;
    const document = asObject(parseLine(this.#document.join('\n')));
    if (document?.['version'] !== 1) return this.#fail(NO_HEADER);
    const begun = this.#begin(document, 1);
    if (!begun.ok) return begun;
    const { stdout } = document;
    if (!Array.isArray(stdout)) return this.#fail('expected "stdout", a list of [seconds, "text"]');
    const events: CastEvent[] = [];
    for (const [at, entry] of stdout.entries()) {
      const [seconds, data]: unknown[] = Array.isArray(entry) ? entry : [];
      if (!isTime(seconds) || typeof data !== 'string') {
        return this.#fail(`expected entry ${at + 1} of "stdout" to be [seconds, "text"]`);
      }
      events.push({ timeMs: this.#after(seconds, true), kind: 'o', data });
    }
    return { ok: true, events };
  }

  #begin(header: Json, version: unknown): CastStep {
    if (version !== 1 && version !== 2 && version !== 3) {
      return this.#fail(`expected "version": 1, 2 or 3, found ${JSON.stringify(version)}`);
    }
    const size = version === 3 ? asObject(header['term']) : { cols: header['width'], rows: header['height'] };
    const [cols, rows] = [size?.['cols'], size?.['rows']];
    if (!isCount(cols) || !isCount(rows)) {
      const where = version === 3 ? '"term": {"cols", "rows"}' : '"width" and "height"';
      return this.#fail(`expected ${where}, whole numbers from 1 to 1000`);
    }
    if (version !== 1) this.#version = version;
    const { timestamp } = header;
    const startedAt = isTime(timestamp) ? Math.round(timestamp * 1000) : null;
    this.header = { cols, rows, startedAt, command: asText(header['command']), title: asText(header['title']) };
    return NOTHING;
  }

  #event(line: string): CastStep {
    if (line === '' || line.startsWith('#')) return NOTHING;
    const event = parseLine(line);
    if (!Array.isArray(event)) return this.#fail('expected an event, [seconds, "kind", "data"]');
    const [seconds, kind, data]: unknown[] = event;
    if (!isTime(seconds)) return this.#fail('expected a number of seconds first, from 0 to 253402300799');
    if (typeof kind !== 'string') return this.#fail('expected the kind of event second, a string');
    if (typeof data !== 'string') return this.#fail('expected the data of the event third, a string');
    if (kind === 'r' && !parseSize(data)) return this.#fail('expected a size, "COLSxROWS"');
    return { ok: true, events: [{ timeMs: this.#after(seconds, this.#version === 3), kind, data }] };
  }

  #after(seconds: number, isInterval: boolean): number {
    this.#seconds = isInterval ? this.#seconds + seconds : seconds;
    this.#timeMs = Math.max(this.#timeMs, Math.round(this.#seconds * 1000));
    return this.#timeMs;
  }

  #fail(message: string): CastProblem {
    return { ok: false, line: this.#line, message };
  }
}

/** The end of the year 9999, the greatest time that a timestamp can express. */
const MAX_SECONDS = 253_402_300_800;

const isTime = (seconds: unknown): seconds is number =>
  typeof seconds === 'number' && seconds >= 0 && seconds < MAX_SECONDS;

/** Parses a whole recording. Never throws: an invalid line is returned as the problem. */
export function parseCast(text: string): CastReading {
  const reader = new CastReader();
  const events: CastEvent[] = [];
  for (const line of text.split('\n')) {
    const step = reader.push(line);
    if (!step.ok) return step;
    for (const event of step.events) events.push(event);
  }
  const last = reader.end();
  if (!last.ok) return last;
  for (const event of last.events) events.push(event);
  if (!reader.header) return { ok: false, line: 1, message: NO_HEADER };
  return { ok: true, cast: { ...reader.header, events } };
}

/** `80x24` */
export function parseSize(text: string): { cols: number; rows: number } | null {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(text);
  const cols = Number(match?.[1]);
  const rows = Number(match?.[2]);
  return isCount(cols) && isCount(rows) ? { cols, rows } : null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_COLS; // isInteger checked it
}
