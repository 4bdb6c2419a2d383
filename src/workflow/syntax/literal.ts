/**
 * Parses texts in quotes. Pure.
 *
 *     "one line"        """
 *                         several
 *                       """
 *
 * Both forms have the escapes \n \t \\ \" and no others. If the opening three quotes end their line, the text begins on
 * the next line. If the closing quotes are alone on their line, the text ends on the line before. In this form, blanks
 * that all lines start with are removed.
 */
import type { Span } from './source.js';

export interface Literal extends Span {
  /** The content: without quotes, with escapes replaced, and with line feeds as line ends. */
  readonly value: string;
  readonly isBlock: boolean;
  /** The variables used in the text, with their positions in the source. */
  readonly uses: readonly Use[];
  readonly isClosed: boolean;
  readonly faults: readonly Fault[];
}

export interface Use extends Span {
  readonly name: string;
}

interface Fault extends Span {
  readonly message: string;
  readonly accepted: string;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', '"': '"' };
/** Control characters that are not allowed. Tabs are, and the lexer has already checked line ends. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)/g;
/** Matches the usual content: no escape, no end, no control character. */
const PLAIN = /[^"\\\x00-\x08\x0a-\x1f\x7f]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NONE: readonly never[] = [];
const BACKSLASH = 92;
const DOLLAR = 36;
const QUOTE = 34;
const NEWLINE = 10;

/** @param at  Offset of the first quote. */
export function readLiteral(text: string, at: number): Literal {
  PLAIN.lastIndex = at + 1;
  PLAIN.test(text);
  const plain = PLAIN.lastIndex;
  const isPlain = text.charCodeAt(plain) === QUOTE && (plain > at + 1 || text.charCodeAt(plain + 1) !== QUOTE);
  return isPlain ? readPlain(text, at, plain) : readAny(text, at);
}

function readPlain(text: string, at: number, end: number): Literal {
  const value = text.slice(at + 1, end);
  const uses = usesIn(value, at + 1, false);
  return { from: at, to: end + 1, value, isBlock: false, uses, isClosed: true, faults: NONE };
}

function readAny(text: string, at: number): Literal {
  const isBlock = text.startsWith('"""', at);
  const from = at + (isBlock ? 3 : 1);
  const closing = isBlock ? blockEnd(text, from) : endOfQuoted(text, from);
  const isClosed = closing >= 0;
  const end = isClosed ? closing : -1 - closing;
  const raw = text.slice(from, end);
  return {
    from: at,
    to: isClosed ? end + (isBlock ? 3 : 1) : end,
    value: withoutEscapes(isBlock ? unindent(raw.replaceAll('\r\n', '\n')) : raw),
    isBlock,
    uses: usesIn(raw, from, true),
    isClosed,
    faults: faultsIn(raw, from, isBlock),
  };
}

/**
 * Returns the `$variables` of a text.
 * @param isEscaped True if a backslash escapes the next character.
 */
export function usesIn(text: string, from: number, isEscaped: boolean): readonly Use[] {
  let uses: Use[] | undefined;
  let end = 0;
  for (let at = dollarIn(text, 0, isEscaped); at !== -1; at = dollarIn(text, end, isEscaped)) {
    end = at + 1;
    if (text.charCodeAt(end) === DOLLAR) end++;
    NAME.lastIndex = end;
    if (end > at + 1 || !NAME.test(text)) continue;
    end = NAME.lastIndex;
    const use = { name: text.slice(at + 1, end), from: from + at, to: from + end };
    if (uses) uses.push(use);
    else uses = [use];
  }
  return uses ?? NONE;
}

/** Returns the offset of the next dollar sign; -1 if there is none. */
function dollarIn(text: string, from: number, isEscaped: boolean): number {
  const found = text.indexOf('$', from);
  if (!isEscaped || found === -1) return found;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOLLAR) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

/**
 *     "say \"hi\" "          "never closed⏎
 *                 ^ returned              ^ returned as -1 - it
 */
function endOfQuoted(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === NEWLINE) return -1 - (text[at - 1] === '\r' && at > from ? at - 1 : at);
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== NEWLINE) at++;
  }
  return -1 - text.length;
}

/** Returns the offset of the first three quotes that are not escaped. */
function blockEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE && text.startsWith('"""', at)) return at;
  }
  return -1 - text.length;
}

function unindent(raw: string): string {
  const opening = /^[ \t]*\n/.exec(raw);
  if (!opening) return raw;
  const lines = raw.slice(opening[0].length).split('\n');
  if (/^[ \t]*$/.test(lines.at(-1) ?? '')) lines.pop();
  const indents = lines.filter((line) => /[^ \t]/.test(line)).map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  let common = indents[0] ?? '';
  for (const indent of indents) while (!indent.startsWith(common)) common = common.slice(0, -1);
  return lines.map((line) => (line.startsWith(common) ? line.slice(common.length) : '')).join('\n');
}

const withoutEscapes = (raw: string): string =>
  raw.includes('\\') ? raw.replaceAll(/\\([\s\S])/g, (all, char: string) => ESCAPES[char] ?? all) : raw;

function faultsIn(raw: string, from: number, isBlock: boolean): readonly Fault[] {
  if (!raw.includes('\\') && raw.search(CONTROL) === -1) return NONE;
  const faults: Fault[] = [];
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', at + 2)) {
    const char = String.fromCodePoint(raw.codePointAt(at + 1) ?? 0x20);
    if (ESCAPES[char] !== undefined) continue;
    const accepted = char === '$' ? '$$ for a dollar sign' : '\\n, \\t, \\\\ or \\"';
    const name = /\s/.test(char) ? 'a backslash before a blank or the end of the line' : `'\\${char}'`;
    faults.push({ from: from + at, to: from + at + 2, message: `${name} is not an escape`, accepted });
  }
  for (const { 0: char, index } of raw.matchAll(CONTROL)) {
    const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const accepted = isBlock ? 'text' : 'text in one line';
    faults.push({ from: from + index, to: from + index + 1, message: `a text holds U+${code}`, accepted });
  }
  return faults;
}
