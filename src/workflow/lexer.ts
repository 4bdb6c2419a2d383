/**
 * Lexer: an Agentfile's text as tokens. Pure.
 *
 * In:   the text.
 * Out:  its tokens one by one, comments too, in order, the last one being `end`; what is no token is `bad`. Never fails.
 *
 *     GOAL assess-it "Assess $path" -> score: number  # why
 *     word word      string         symbol word symbol word  comment
 *
 * Every token but one means the same wherever it stands: a word behind FROM is a path.
 */
import { type Literal, readLiteral } from './literal.js';
import type { Span } from './source.js';

export type TokenKind = 'word' | 'variable' | 'string' | 'path' | 'symbol' | 'comment' | 'bad' | 'end';

export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
  /** Nothing stands before it on its line. */
  readonly isFirst: boolean;
  /** Something stands between it and the token before: blanks, a line end, a comment. */
  readonly isApart: boolean;
  /** Of a string. */
  readonly literal: Literal | null;
}

const COMMENT = /#[^\n]*/y;
const PATH = /(?:-*[^\x00-\x20\x7f"#,>-])+/uy;
const SYMBOL = /->|==|!=|<=|>=|\[\]|[,:|<>]/y;
/** Numbers, durations and names alike: what a word must be depends on where it stands. */
const WORD = /(?:-(?=\d))?\w+(?:[.-]+\w+)*/y;
const VARIABLE = /\$[A-Za-z_]\w*/y;
const BYTE_ORDER_MARK = 0xfeff;
const [TAB, NEWLINE, RETURN, BLANK, QUOTE, HASH, DOLLAR] = [9, 10, 13, 32, 34, 35, 36];

/** @returns The next token at each call; `end` again and again at the end. */
export function createLexer(text: string): () => Token {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let isFirst = true;
  let isApart = false;
  let isPath = false;

  const make = (kind: TokenKind, to: number, literal: Literal | null): Token => {
    const word = kind === 'string' ? '' : text.slice(at, to);
    const token = { kind, from: at, to, text: word, isFirst, isApart, literal };
    if (kind !== 'comment') isPath = kind === 'word' && word === 'FROM';
    isFirst = false;
    isApart = kind === 'comment';
    at = to;
    return token;
  };

  return () => {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) isFirst = true;
      else if (code !== BLANK && code !== TAB && code !== RETURN) break;
      isApart = true;
    }
    if (at >= text.length) return make('end', at, null);
    const code = text.charCodeAt(at);
    if (code === HASH) return make('comment', endOf(COMMENT, text, at), null);
    if (code === QUOTE) {
      const literal = readLiteral(text, at);
      return make('string', literal.to, literal);
    }
    if (isPath) {
      const path = endOf(PATH, text, at);
      if (path > at) return make('path', path, null);
    }
    const word = endOf(WORD, text, at);
    if (word > at) return make('word', word, null);
    const symbol = endOf(SYMBOL, text, at);
    if (symbol > at) return make('symbol', symbol, null);
    const variable = code === DOLLAR ? endOf(VARIABLE, text, at) : at;
    if (variable > at) return make('variable', variable, null);
    return make('bad', at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1), null);
  };
}

/** All of them. */
export function tokenize(text: string): Token[] {
  const next = createLexer(text);
  const tokens: Token[] = [];
  for (;;) {
    const token = next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** Where a match at this place ends; the place itself for none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
