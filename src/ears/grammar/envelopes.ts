/**
 * Envelopes: `<output>`, one JSON object, an optional line `---`, text for people, `</output>`.
 *
 *     <output>{ "status": …      text may follow the tag on its line; the object may begin some lines below it
 *     }
 *     ---                        without it there is no human part
 *     ## What I did
 *     ```html
 *     </output>                  inside fenced code: part of the text
 *     ```
 *     That is all.</output>      may end a line
 *
 * An `<output>` before anything but an object is no envelope: it is HTML or prose (`opening` finds out).
 */

import { MAX_ENVELOPE_CHARS } from '../bounds.js';
import { createStructure, PARAGRAPH, readLine, type Structure } from './blocks.js';
import { OWN_FENCE } from './fences.js';

/** An open envelope. It is a part of checkpoints, so it contains only values that JSON can represent. */
export interface Envelope {
  /** The lines between the opening tag and `---`. */
  readonly json: string[];
  /** Null until the line `---`. */
  human: { readonly lines: string[]; readonly structure: Structure } | null;
  chars: number;
  /**
   * Columns of the list items around the envelope. That many blanks are removed from each line of its part for people.
   */
  readonly indent: number;
}

type EnvelopeStep =
  | 'open'
  | 'closed'
  | 'oversized'
  /**
   * The text after `<output>` is not an envelope: this line cannot be part of JSON. The caller then reads the line as
   * usual text.
   */
  | 'broken';

const END = '</output>';
const SEPARATOR = /^ {0,3}---[ \t]*$/;
const OWN_TAG = /^ {0,3}<output>[ \t]*(?:\{|$)/;

export function createEnvelope(indent: number): Envelope {
  return { json: [], human: null, chars: 0, indent };
}

/** Reads the text after `<output>`, or a line below it. */
export function readEnvelopeLine(envelope: Envelope, line: string): EnvelopeStep {
  if (!envelope.human && envelope.json.length > 0 && (OWN_FENCE.test(line) || OWN_TAG.test(line))) return 'broken';
  envelope.chars += line.length + 1;
  if (envelope.chars > MAX_ENVELOPE_CHARS) return 'oversized';
  return envelope.human ? readHuman(envelope.human, line, envelope.indent) : readJsonPart(envelope, line);
}

function readJsonPart(envelope: Envelope, line: string): EnvelopeStep {
  if (SEPARATOR.test(line)) {
    envelope.human = { lines: [], structure: createStructure() };
    return 'open';
  }
  const text = beforeEnd(line);
  envelope.json.push(text ?? line);
  return text === null ? 'open' : 'closed';
}

function readHuman(human: NonNullable<Envelope['human']>, line: string, indent: number): EnvelopeStep {
  let start = 0;
  while (start < indent && line[start] === ' ') start++;
  const own = start > 0 ? line.slice(start) : line;
  const text = beforeEnd(own);
  const reading = readLine(human.structure, own);
  const isInFence = reading.kind === 'fence_open' || reading.kind === 'fence_line';
  if (reading.kind === 'tag') human.structure.leaf = PARAGRAPH;
  // A message block in the part for people is a quotation, so it is treated like any other fence.
  if (human.structure.leaf.kind === 'fence') human.structure.leaf.isOwn = false;
  human.lines.push(text !== null && !isInFence ? text : own);
  return text !== null && !isInFence ? 'closed' : 'open';
}

/** Returns the text before an `</output>` that ends the line; null if the line does not end so. */
export function beforeEnd(line: string): string | null {
  const text = line.trimEnd();
  return text.endsWith(END) ? text.slice(0, -END.length) : null;
}

/** The human part as markdown, without blank lines at its beginning and end. */
export function humanText(envelope: Envelope): string {
  return (envelope.human?.lines ?? [])
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** Everything between the tags. */
export function envelopeText(envelope: Envelope): string {
  const json = trimBlankLines(envelope.json);
  return envelope.human ? `${json}\n---\n${envelope.human.lines.join('\n')}` : json;
}

/** The JSON part. Error messages count its first line as line 1. */
export function envelopeJson(envelope: Envelope): string {
  return trimBlankLines(envelope.json);
}

function trimBlankLines(lines: readonly string[]): string {
  let start = 0;
  while (start < lines.length && lines[start]?.trim() === '') start++;
  return lines.slice(start).join('\n').trimEnd();
}
