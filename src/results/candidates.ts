/**
 * Finds the JSON values in an agent's final text that may be its result. Pure.
 *
 * In:   the text, as the agent wrote it.
 * Out:  the values that parse, the likeliest first. In each group the last one comes first, because agents correct
 *       themselves:
 *
 *     blocks      ```json blocks
 *     the whole   the text, if it is JSON and nothing else
 *     objects     outermost `{…}`, anywhere in the text, and outermost `[…]` with rows of their own
 *
 * A part of a value is no candidate, also if the value is cut off or is no valid JSON:
 *
 *     {"total": {"files": 5}, "rest
 *
 * Colours and a byte order mark are not part of a value.
 *
 * A candidate that is nested too deeply, or contains a number that JavaScript cannot represent, or an integer that
 * would lose digits, is returned as an error: keeping it would change its value.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type JsonReading, jsonExtent, readJson } from '../ears/index.js';
import { lineEnd, withoutDecoration, withoutSequences } from '../protocol/index.js';
import { type IsOwn, ownText, type PossibleEcho } from './possible-echo.js';

/** The fields of a markdown node that are used here. */
interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly value?: string;
  readonly position?: {
    readonly start: { readonly offset?: number | undefined };
    readonly end: { readonly offset?: number | undefined };
  };
  readonly children?: readonly Node[];
}

/** Maximum number of candidates in each group; agents write a handful. */
const MAX_CANDIDATES = 100;
/** Maximum number of pairs of other braces around an object. */
const MAX_DEPTH = 20;
/** Matches the beginning of an object, in contrast to braces in prose and code. */
const OBJECT = /\{\s*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')\s*:/y;

export function* candidatesIn(printed: string, echo: PossibleEcho | null = null): Generator<JsonReading> {
  const text = withoutSequences(printed);
  const isOwn = ownText(text, echo);
  for (const { source, from, to } of blocksIn(text)) yield* parsed(source, () => isOwn(from, to));
  yield* parsed(text, () => isOwn(0, text.length));
  yield* objectsIn(text, isOwn);
}

function* parsed(source: string, isOwn: () => boolean): Generator<JsonReading> {
  try {
    JSON.parse(source);
  } catch {
    return; // not a candidate
  }
  if (isOwn()) yield readJson(source, true);
}

interface Block {
  readonly source: string;
  /** The positions of its content in the text, without its fences. */
  readonly from: number;
  readonly to: number;
}

/** Returns the ```json blocks, the last first. */
function blocksIn(text: string): Block[] {
  if (!/(```|~~~)\s*json/i.test(text)) return [];
  const blocks: Block[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'code' && node.lang?.toLowerCase() === 'json') blocks.push(blockOf(node, text));
    for (const child of node.children ?? []) visit(child);
  };
  visit(fromMarkdown(text) as Node);
  return blocks.slice(-MAX_CANDIDATES).reverse();
}

function blockOf({ value = '', position }: Node, text: string): Block {
  const from = position?.start.offset ?? 0;
  const to = position?.end.offset ?? text.length;
  const whole = text.slice(from, to);
  const begin = whole.indexOf('\n') + 1;
  const [close = ''] = /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.exec(whole) ?? [];
  return { source: value, from: from + begin, to: to - close.length };
}

interface Span {
  readonly start: number;
  end: number;
  /** True if it begins within a value that is cut off or invalid. */
  readonly isPart: boolean;
  readonly inner: Span[];
}

/** Returns the outermost values that parse, the last first. Inside braces of prose or code, it searches further. */
function objectsIn(text: string, isOwn: IsOwn): JsonReading[] {
  const found: JsonReading[] = [];
  const look = (spans: readonly Span[], depth: number): void => {
    for (const { start, end, inner } of spans.toReversed()) {
      if (found.length === MAX_CANDIDATES) return;
      const source = text.slice(start, end);
      const isHere = () => isOwn(start, end);
      const [reading] = parsed(source, isHere);
      if (reading) {
        if (source.startsWith('{') || hasOwnRows(text, start, end)) found.push(reading);
      } else if (!isHere())
        continue; // part of the prompt, with everything in it
      else if (depth < MAX_DEPTH && !isObject(text, start)) look(inner, depth + 1);
    }
  };
  look(spansIn(text), 0);
  return found;
}

function isObject(text: string, start: number): boolean {
  OBJECT.lastIndex = start;
  return OBJECT.test(text);
}

function hasOwnRows(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return withoutDecoration(before + text.slice(end, lineEnd(text, end))) === '';
}

/**
 * Returns the values that are JSON, and the other pairs of matching braces, each with those inside it. A string ends at
 * the latest with its line, because JSON strings do not contain line ends.
 */
function spansIn(text: string): Span[] {
  const outermost: Span[] = [];
  const open: Span[] = [];
  /** The text before this position belongs to a value that is cut off or invalid. */
  let partOfValue = 0;
  const add = (span: Span): void => {
    if (!span.isPart) (open.at(-1)?.inner ?? outermost).push(span);
  };
  for (let at = nextOpening(text, 0); at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') {
      const isPart = at < partOfValue;
      const extent = isPart ? null : jsonExtent(text.slice(at));
      const end = at + (extent?.length ?? 0);
      if (extent?.isWhole) {
        const value = text.slice(at, end).trimEnd();
        add({ start: at, end: at + value.length, isPart, inner: [] });
        at = end - 1;
      } else if (char === '[') at = Math.max(at, end - 1);
      else {
        open.push({ start: at, end: at, isPart, inner: [] });
        if (isObject(text, at)) partOfValue = Math.max(partOfValue, end);
      }
    } else if (char === '}') {
      const closed = open.pop();
      if (!closed) continue;
      closed.end = at + 1;
      add(closed);
    }
    if (open.length === 0) at = nextOpening(text, at + 1) - 1;
  }
  // A brace that is never closed belongs to prose, but objects after it may be valid.
  const left = open.flatMap(({ inner }) => inner);
  return [...outermost, ...left];
}

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at === -1 ? text.length : from + at;
}

/** @returns The position of the closing quote, or of the line's end. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === '\n') return at;
    if (char === '\\') at++;
  }
  return text.length;
}
