/**
 * Candidates: where in an agent's final text its JSON may stand. Pure.
 *
 * In:   the text, as the agent wrote it.
 * Out:  the values that parse, the likeliest first; each group with the last one first, because agents correct
 *       themselves:
 *
 *     blocks      ```json blocks
 *     the whole   the text, if it is JSON and nothing else
 *     objects     outermost `{…}`, wherever they stand
 *
 * What is nested too deep, or holds a number that no program can, is a candidate that says so: kept, it would not be
 * what was written.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type JsonReading, readJson } from '../ears/index.js';
import { type IsOwn, ownText, type PossibleEcho } from './possible-echo.js';

/** Markdown, as far as we walk it. */
interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** Of each group; what agents write has a handful. */
const MAX_CANDIDATES = 100;
/** Braces that are none around an object. */
const MAX_DEPTH = 20;

export function* candidatesIn(text: string, echo: PossibleEcho | null = null): Generator<JsonReading> {
  const isOwn = ownText(echo);
  for (const block of blocksIn(text)) yield* parsed(block, isOwn);
  yield* parsed(text, isOwn);
  yield* objectsIn(text, isOwn);
}

function* parsed(text: string, isOwn: IsOwn): Generator<JsonReading> {
  try {
    JSON.parse(text);
  } catch {
    return; // it is no candidate
  }
  if (isOwn(text)) yield readJson(text);
}

/** What stands in ```json blocks, the last first. */
function blocksIn(text: string): string[] {
  if (!/(```|~~~)\s*json/i.test(text)) return [];
  const blocks: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'code' && node.lang?.toLowerCase() === 'json') blocks.push(node.value ?? '');
    for (const child of node.children ?? []) visit(child);
  };
  visit(fromMarkdown(text) as Node);
  return blocks.slice(-MAX_CANDIDATES).reverse();
}

interface Span {
  readonly start: number;
  end: number;
  readonly inner: Span[];
}

/** Outermost objects that parse, the last first; within braces that are none, the next ones. */
function objectsIn(text: string, isOwn: IsOwn): JsonReading[] {
  const found: JsonReading[] = [];
  const look = (spans: readonly Span[], depth: number): void => {
    for (const { start, end, inner } of spans.toReversed()) {
      if (found.length === MAX_CANDIDATES) return;
      const source = text.slice(start, end);
      const [reading] = parsed(source, isOwn);
      if (reading) found.push(reading);
      else if (!isOwn(source))
        continue; // the typed text's own, with all that stands in it
      else if (depth < MAX_DEPTH) look(inner, depth + 1);
    }
  };
  look(bracesIn(text), 0);
  return found;
}

/** Braces that match, each with those in it. A string ends with its line at the latest: JSON has none that go on. */
function bracesIn(text: string): Span[] {
  const outermost: Span[] = [];
  const open: Span[] = [];
  for (let at = nextBrace(text, 0); at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{') open.push({ start: at, end: at, inner: [] });
    else if (char === '}') {
      const closed = open.pop();
      if (!closed) continue;
      closed.end = at + 1;
      (open.at(-1)?.inner ?? outermost).push(closed);
      if (open.length === 0) at = nextBrace(text, at) - 1;
    }
  }
  // What was never closed is prose; what stands in it may be an object all the same.
  const left = open.flatMap(({ inner }) => inner);
  return [...outermost, ...left];
}

function nextBrace(text: string, from: number): number {
  const at = text.indexOf('{', from);
  return at === -1 ? text.length : at;
}

/** @returns The place of the closing quote, or of the line's end. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === '\n') return at;
    if (char === '\\') at++;
  }
  return text.length;
}
