/**
 * Where the parser stands in the tokens, and what it says when it does not find what it needs. Pure.
 *
 * Comments are passed over. A problem is said once for a stretch of text: whoever says one skips what it is about.
 */
import { createLexer, emptyToken, type Token } from './lexer.js';
import type { Literal } from './literal.js';
import { type Draft, type ProblemCode, quoted } from './problems.js';
import type { Span } from './source.js';
import type { Word } from './tree.js';

export interface Cursor {
  /** The one here, until `next`; past the last one it is `end`. */
  readonly token: Readonly<Token>;
  /** Passes over the token here, which is returned: it stays what it is until the next call. */
  next(): Readonly<Token>;
  /** The end of the token before this one. */
  end(): number;
  isWord(text: string): boolean;
  /** Passes over a symbol; false if it is not here. */
  take(symbol: string): boolean;
  /** A word of a form. Where none is, a problem: `what` was expected behind `after`. */
  word(form: RegExp, what: string, after: string): Word | null;
  literal(what: string, after: string): Literal | null;
  fail(code: ProblemCode, message: string, accepted?: string | (() => string | null), span?: Span): void;
  /** Whether text in three quotes was not closed, and has swallowed what stood behind it. */
  isCut(): boolean;
  /** What stands here, in words. */
  found(): string;
}

/** It is cut further where it is shown. */
const MAX_FOUND = 200;

export function createCursor(text: string, drafts: Draft[]): Cursor {
  const read = createLexer(text, false);
  let token = emptyToken();
  let passed = emptyToken();
  let end = 0;
  let isCut = false;
  read(token);

  const pass = (): Token => {
    const before = token;
    token = passed;
    passed = before;
    end = passed.to;
    read(token);
    cursor.token = token;
    return passed;
  };
  /** What is missing at the end of a line is shown there. */
  const here = (): Span => {
    return end > 0 && (token.isFirst || token.kind === 'end') ? { from: end, to: end } : token;
  };
  const cursor: { -readonly [K in keyof Cursor]: Cursor[K] } = {
    token,
    next: pass,
    end: () => end,
    isWord: (word) => token.kind === 'word' && token.text === word,
    take(symbol) {
      const isHere = token.kind === 'symbol' && token.text === symbol;
      if (isHere) pass();
      return isHere;
    },
    word(form, what, after) {
      if (token.kind === 'word' && form.test(token.text)) {
        const { text: found, from, to } = pass();
        return { text: found, from, to };
      }
      cursor.fail('syntax', `${after} needs ${what.replace(/ \(.*/, '')}, found ${cursor.found()}`, what);
      return null;
    },
    literal(what, after) {
      const { literal } = token;
      if (!literal) {
        cursor.fail('syntax', `${after} needs ${what} in quotes, found ${cursor.found()}`, `${what} in quotes`);
        return null;
      }
      pass();
      const { isClosed, faults } = literal;
      if (isClosed && faults.length === 0) return literal;
      for (const fault of faults) cursor.fail('syntax', fault.message, fault.accepted, fault);
      if (!isClosed && literal.isBlock) {
        isCut = true;
        const start = { from: literal.from, to: literal.from + 3 };
        cursor.fail('syntax', 'these three quotes are never closed', '""" behind the text', start);
      } else if (!isClosed) {
        cursor.fail(
          'syntax',
          'this quote is not closed on its line',
          '" before its end, or """ around several lines',
          literal,
        );
      }
      return literal;
    },
    fail(code, message, accepted, span = here()) {
      const { from, to } = span;
      if (drafts.at(-1)?.span.from === from) return; // said
      drafts.push({
        severity: 'error',
        code,
        message,
        span: { from, to },
        ...(accepted !== undefined && { accepted }),
      });
    },
    isCut: () => isCut,
    found() {
      const { kind, isFirst, from, to } = token;
      if (kind === 'end') return 'the end of the file';
      const word = text.slice(from, Math.min(to, from + MAX_FOUND));
      if (isFirst && end > 0) return `${quoted(word)} on the next line`;
      return kind === 'bad' ? named(word) : quoted(word);
    },
  };
  return cursor;
}

/** A character that may look like another one, or like none. */
function named(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return code < 0x80 && code > 0x20 && code !== 0x7f ? quoted(char) : `${quoted(char)} (${number})`;
}
