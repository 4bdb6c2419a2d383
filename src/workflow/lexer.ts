/**
 * Lexer: an Agentfile's text as tokens. Pure.
 *
 * In:   the text.
 * Out:  all tokens, comments too, in order, the last one being `end`; what is no token is `bad`. Never fails.
 *
 *     GOAL assess-it "Assess $path" -> score: number  # why
 *     word word      string         symbol word symbol word  comment
 *
 * Every token but one means the same wherever it stands: a word behind FROM is a path.
 */
import { type Literal, type Reading, readLiteral } from './literal.js';
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
  readonly reading?: Reading;
}

export interface StringToken extends Token {
  readonly reading: Reading & { readonly literal: Literal };
}

const BLANKS = /[ \t\r]+/y;
const COMMENT = /#[^\n]*/y;
const PATH = /(?:-*[^\x00-\x20\x7f"#,>-])+/uy;
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['symbol', /->|==|!=|<=|>=|\[\]|[,:|<>]/y],
  // Numbers, durations and names alike: what a word must be depends on where it stands.
  ['word', /(?:-(?=\d))?\w+(?:[.-]+\w+)*/y],
  ['variable', /\$[A-Za-z_]\w*/y],
];
const BYTE_ORDER_MARK = 0xfeff;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let isFirst = true;
  let isApart = false;
  let isPath = false;

  const add = (kind: TokenKind, to: number, reading?: Reading): void => {
    const token = { kind, from: at, to, text: text.slice(at, to), isFirst, isApart };
    tokens.push(reading ? { ...token, reading } : token);
    isPath = kind === 'comment' ? isPath : kind === 'word' && token.text === 'FROM';
    isFirst = false;
    isApart = kind === 'comment';
    at = to;
  };

  while (at < text.length) {
    const blanks = endOf(BLANKS, text, at);
    if (blanks !== null || text[at] === '\n') {
      if (blanks === null) isFirst = true;
      at = blanks ?? at + 1;
      isApart = true;
      continue;
    }
    if (text[at] === '#') {
      add('comment', endOf(COMMENT, text, at) ?? at);
      continue;
    }
    if (text[at] === '"') {
      const reading = readLiteral(text, at);
      add('string', reading.literal.to, reading);
      continue;
    }
    const path = isPath ? endOf(PATH, text, at) : null;
    if (path !== null) {
      add('path', path);
      continue;
    }
    let isKnown = false;
    for (const [kind, pattern] of PATTERNS) {
      const to = endOf(pattern, text, at);
      if (to === null) continue;
      add(kind, to);
      isKnown = true;
      break;
    }
    if (!isKnown) add('bad', at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
  }
  add('end', at);
  return tokens;
}

/** Where a match at this place ends; null for none. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
