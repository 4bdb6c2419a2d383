/**
 * The parser's position in the tokens, and its problem reports. Pure.
 *
 * Comments are skipped. One problem is reported for each stretch of text: the reporting function skips the text it
 * reports.
 */
import { createLexer, emptyToken, type Token } from './lexer.js';
import type { Literal } from './literal.js';
import { type ProblemCode, type ProblemDraft, quoted } from './problems.js';
import type { Span } from './source.js';
import type { Word } from './tree.js';

export interface TokenCursor {
  /** The current token; valid until `next` is called. After the last token it is `end`. */
  readonly token: Readonly<Token>;
  /** Moves to the next token. Returns the token that was current, which is valid until the next call. */
  next(): Readonly<Token>;
  /** Offset of the end of the previous token. */
  end(): number;
  isWord(text: string): boolean;
  /** Skips the given symbol. Returns false if it is not the current token. */
  take(symbol: string): boolean;
  /** Reads a word that matches `form`. Otherwise reports that `what` was expected after `after`. */
  word(form: RegExp, what: string, after: string): Word | null;
  literal(what: string, after: string): Literal | null;
  fail(code: ProblemCode, message: string, accepted?: string | (() => string | null), span?: Span): void;
  /** True if a text in three quotes was not closed, so that the text after it was read as a part of it. */
  isCut(): boolean;
  /** Describes the current token in words. */
  found(): string;
}

/** Maximum length of a found text. Messages cut it further. */
const MAX_FOUND = 200;

export function createCursor(text: string, drafts: ProblemDraft[]): TokenCursor {
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
  /** If the missing token should be at the end of a line, the problem is reported there. */
  const here = (): Span => {
    return end > 0 && (token.isFirst || token.kind === 'end') ? { from: end, to: end } : token;
  };
  const cursor: { -readonly [K in keyof TokenCursor]: TokenCursor[K] } = {
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
      if (drafts.at(-1)?.span.from === from) return; // already reported
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

/** Formats a character with its code point, because it may be invisible or look like another one. */
function named(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return code < 0x80 && code > 0x20 && code !== 0x7f ? quoted(char) : `${quoted(char)} (${number})`;
}
