/**
 * JSON: one value out of a text, or the place where it stops being JSON, in the same words on every engine.
 *
 * `JSON.parse` makes the value, but its messages differ between engines. It also accepts two things that are dangerous
 * later: nesting beyond MAX_JSON_DEPTH, and numbers that do not fit a double. A scanner reads every text that is
 * refused, to name the place of the error. The scanner is not recursive, so deep nesting cannot overflow the stack.
 * Of duplicate keys the last one counts, as everywhere; a key `__proto__` is a key like
 * any other.
 */
import type { SchemaError } from '../protocol/index.js';
import { MAX_JSON_DEPTH } from './bounds.js';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: SchemaError };

interface Fault {
  readonly at: number;
  readonly message: string;
  /** True if all text before `at` is a whole value. */
  readonly isBehind?: boolean;
}

/**
 * @param isLossless  True if an integer that loses digits as a double, such as an id of 19 digits, is an error.
 * @returns The value, or an error that says what was found instead: `Expecting ',' or '}', found 'x': line 2 column 5`.
 */
export function readJson(text: string, isLossless = false): JsonReading {
  let read: JsonReading | null = null;
  try {
    const value: unknown = JSON.parse(text);
    if (isSafe(value, 0)) read = { ok: true, value };
  } catch {
    // The scanner below finds the position and the reason.
  }
  if (read && !(isLossless && LONG_INTEGER.test(text))) return read;
  const fault = findFault(text, isLossless);
  if (read && !fault) return read;
  // Unreachable: the scanner rejects every text that `JSON.parse` rejects. A test compares the two.
  const message = fault ? `${fault.message}: ${place(text, fault.at)}` : `Expecting JSON: ${place(text, 0)}`;
  return { ok: false, error: { path: '$', message } };
}

/**
 * Returns how far a text is JSON from its beginning, and if this is a whole value: `{"a": 1} x` is, `{"a": 1` is not.
 * A value may be nested deeper than MAX_JSON_DEPTH.
 */
export function jsonExtent(text: string): { readonly length: number; readonly isWhole: boolean } {
  const fault = findFault(text, false, Infinity);
  return { length: fault?.at ?? text.length, isWhole: fault === null || fault.isBehind === true };
}

/** True if a value's nesting and numbers are within the scanner's limits. */
function isSafe(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_JSON_DEPTH) return false;
  for (const entry of Array.isArray(value) ? value : Object.values(value)) if (!isSafe(entry, depth + 1)) return false;
  return true;
}

/** For example `line 2 column 5`, both from 1; columns are UTF-16 units. */
function place(text: string, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return `line ${line} column ${at - lineStart + 1}`;
}

/** Tokens that may come next. */
type Expecting = 'value' | 'value or ]' | 'name or }' | 'name' | 'colon' | 'comma' | 'end';

const WORDS: Readonly<Record<Expecting, string>> = {
  value: 'a value',
  'value or ]': "a value or ']'",
  'name or }': "a property name in double quotes or '}'",
  name: 'a property name in double quotes',
  colon: "':'",
  comma: "','",
  end: 'nothing more',
};
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const INTEGER = /^-?\d+$/;
/** Integers of fewer digits are exact. */
const LONG_INTEGER = /\d{16}/;
const LITERALS: readonly string[] = ['true', 'false', 'null'];
/** An escape in a string. */
export const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function findFault(text: string, isLossless = false, maxDepth = MAX_JSON_DEPTH): Fault | null {
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;

  const fault = (where: number): Fault => {
    const closing = open.at(-1) === '{' ? " or '}'" : " or ']'";
    const words = WORDS[expecting] + (expecting === 'comma' ? closing : '');
    const message = `Expecting ${words}, found ${found(text, where)}`;
    return expecting === 'end' ? { at: where, message, isBehind: true } : { at: where, message };
  };
  const afterValue = (): Expecting => (open.length === 0 ? 'end' : 'comma');

  for (;;) {
    while (isJsonBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) return expecting === 'end' ? null : fault(text.length);
    const char = text[at] ?? '';
    switch (expecting) {
      case 'end':
        return fault(at);
      case 'colon':
        //  {"a" : 1}
        //       ^
        if (char !== ':') return fault(at);
        at++;
        expecting = 'value';
        continue;
      case 'comma':
        //  {"a": 1, …      [1] …
        //         ^          ^
        if (char === ',') expecting = open.at(-1) === '{' ? 'name' : 'value';
        else if (char === (open.at(-1) === '{' ? '}' : ']')) {
          open.pop();
          expecting = afterValue();
        } else return fault(at);
        at++;
        continue;
      case 'name':
      case 'name or }': {
        //  {"a": …         {}
        //   ^               ^
        if (char === '}' && expecting === 'name or }') {
          open.pop();
          expecting = afterValue();
          at++;
          continue;
        }
        if (char !== '"') return fault(at);
        const end = stringEnd(text, at);
        if (typeof end !== 'number') return end;
        at = end;
        expecting = 'colon';
        continue;
      }
      case 'value':
      case 'value or ]': {
        if (char === ']' && expecting === 'value or ]') {
          open.pop();
          expecting = afterValue();
          at++;
          continue;
        }
        if (char === '{' || char === '[') {
          if (open.length === maxDepth) return { at, message: `Nested deeper than ${maxDepth} levels` };
          open.push(char);
          expecting = char === '{' ? 'name or }' : 'value or ]';
          at++;
          continue;
        }
        const end = char === '"' ? stringEnd(text, at) : scalarEnd(text, at, isLossless);
        if (end === null) return fault(at);
        if (typeof end !== 'number') return end;
        at = end;
        expecting = afterValue();
      }
    }
  }
}

/**
 *     "text \n \u00e9"
 *     ^ at            ^ returned
 */
function stringEnd(text: string, at: number): number | Fault {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 34) return next + 1;
    if (code < 32) return { at: next, message: `Control character in a string, found ${found(text, next)}` };
    if (code === 92) {
      ESCAPE.lastIndex = next;
      const escaped = ESCAPE.exec(text);
      if (!escaped) return { at: next, message: `Invalid escape in a string, found ${found(text, next + 1)}` };
      next += escaped[0].length - 1;
    }
  }
  return { at, message: 'Unterminated string' };
}

function scalarEnd(text: string, at: number, isLossless: boolean): number | Fault | null {
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number) {
    if (isLossless && losesDigits(number[0]))
      return { at, message: 'Integer with too many digits: write it as a string' };
    const end = at + number[0].length;
    return Number.isFinite(Number(number[0])) ? end : { at, message: 'Number out of range' };
  }
  const literal = LITERALS.find((word) => text.startsWith(word, at));
  return literal === undefined ? null : at + literal.length;
}

const losesDigits = (number: string): boolean =>
  INTEGER.test(number) && Number.isFinite(Number(number)) && BigInt(number) !== BigInt(Number(number));

function found(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return 'the end';
  // Control characters, and characters that would hide or reverse the rest of the sentence, are shown as code points.
  if (
    code < 33 ||
    (code >= 0x7f && code < 0xa1) ||
    (code >= 0x200b && code < 0x2070) ||
    (code >= 0xd800 && code < 0xe000)
  ) {
    return code === 32 ? "' '" : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return `'${String.fromCodePoint(code)}'`;
}

function isJsonBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/**
 * Writes a value as text such that equal values give equal texts: keys sorted, no blanks. Only for values of `readJson`
 * (limited depth).
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value); // as JSON writes it
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text === '' ? '' : ','}${canonical(entry)}`;
    return `[${text}]`;
  }
  const entries = value as Readonly<Record<string, unknown>>;
  for (const name of sorted(Object.keys(value))) {
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonical(entries[name])}`;
  }
  return `{${text}}`;
}

/** Sorts by UTF-16 units. Most lists are short and sorted already. */
function sorted(names: string[]): string[] {
  // Both indexes are within bounds.
  for (let at = 1; at < names.length; at++) if ((names[at - 1] as string) > (names[at] as string)) return names.sort();
  return names;
}

/** The characters that `JSON.stringify` would escape. */
const ESCAPED = /["\\\x00-\x1f\ud800-\udfff]/;

function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
