/**
 * Lexer: splits an Agentfile's text into tokens. Pure.
 *
 * In:   the text.
 * Out:  its tokens in order, including comments; the last one is `end`. Invalid text gives a `bad` token. Never fails.
 *
 *     GOAL assess-it "Assess $path" -> score: number  # why
 *     word word      string         symbol word symbol word  comment
 *
 * The kind of a token does not depend on the context, except that the word after FROM is a path. Files have many tokens
 * and each is used once, so tokens are read into an object that the caller provides.
 */
import { lineEnd } from '../../protocol/index.js';
import { type Literal, readLiteral } from './literal.js';
import { CLAUSE_WORDS, type ClauseWord, INSTRUCTION_WORDS, type InstructionWord } from './words.js';

type TokenKind = 'word' | 'variable' | 'string' | 'path' | 'symbol' | 'comment' | 'bad' | 'end';

/** A token. Its fields have the values of the last read. */
export interface Token {
  kind: TokenKind;
  from: number;
  to: number;
  /** The text of a word, a variable, a path or a symbol. */
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** True if it is the first token on its line. */
  isFirst: boolean;
  /** True if blanks, a line end or a comment separate it from the previous token. */
  isApart: boolean;
  /** The value of a string. */
  literal: Literal | null;
  /** Set for a word (and `->`) that begins an instruction or a clause, if one may begin at this place. */
  instruction: InstructionWord | null;
  clause: ClauseWord | null;
}

/** Returns a new token, into which the lexer then reads. */
export const emptyToken = (): Token => ({
  kind: 'end',
  from: 0,
  to: 0,
  text: '',
  line: 1,
  isFirst: true,
  isApart: false,
  literal: null,
  instruction: null,
  clause: null,
});

const byText = <T extends string>(words: readonly T[]): ReadonlyMap<string, T> =>
  new Map(words.map((one) => [one, one]));
const INSTRUCTIONS = byText(INSTRUCTION_WORDS);
const CLAUSES = byText(CLAUSE_WORDS);
const PATH = /(?:-{0,255}[^\x00-\x20\x7f"#,>-])+/uy;
/** All symbols except `,` and `->`. */
const SYMBOL = /==|!=|<=|>=|\[\]|[:|<>]/y;
/** Matches numbers, durations and names alike, because the parser knows which one is expected. */
const WORD = /(?:-(?=\d))?\w+(?:[.-]+\w+)*/y;
const VARIABLE = /\$[A-Za-z_]\w*/y;
const BYTE_ORDER_MARK = 0xfeff;
const [TAB, NEWLINE, RETURN, BLANK, QUOTE, HASH, COMMA, DASH, GREATER, A, Z] = [
  9, 10, 13, 32, 34, 35, 44, 45, 62, 65, 90,
];

/**
 * Creates a lexer. It is one large function, because it runs for every token, usually before the code is optimized.
 *
 * @param withComments False to skip comments like blanks.
 * @returns A function that reads the next token. At the end it returns `end` repeatedly.
 */
export function createLexer(text: string, withComments: boolean): (into: Token) => void {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let line = 1;
  let isStart = true;
  let isPath = false;

  return (token) => {
    let isFirst = isStart;
    let isApart = false;
    let code = 0;
    for (; at < text.length; at++) {
      code = text.charCodeAt(at);
      if (code === NEWLINE) {
        isFirst = true;
        line++;
      } else if (code === HASH && !withComments) at = lineEnd(text, at) - 1;
      else if (code !== BLANK && code !== TAB && code !== RETURN) break;
      isApart = true;
    }
    let kind: TokenKind = 'end';
    let to = at;
    let word = '';
    let literal: Literal | null = null;
    let instruction: InstructionWord | null = null;
    let clause: ClauseWord | null = null;
    const begun = line;
    if (at === text.length) kind = 'end';
    else if (code === QUOTE) {
      kind = 'string';
      literal = readLiteral(text, at);
      to = literal.to;
      clause = 'prompt';
      if (literal.isBlock) line += linesIn(text, at, to);
    } else if (code === HASH) {
      kind = 'comment';
      to = lineEnd(text, at);
      word = text.slice(at, to);
    } else if (code === COMMA) {
      kind = 'symbol';
      to = at + 1;
      word = ',';
    } else if (code === DASH && text.charCodeAt(at + 1) === GREATER) {
      kind = 'symbol';
      to = at + 2;
      word = '->';
      clause = '->';
    } else {
      kind = 'path';
      if (isPath) to = endOf(PATH, text, at);
      if (to === at) {
        kind = 'word';
        to = endOf(WORD, text, at);
      }
      if (to === at) {
        kind = 'symbol';
        to = endOf(SYMBOL, text, at);
      }
      if (to === at) {
        kind = 'variable';
        to = endOf(VARIABLE, text, at);
      }
      if (to === at) {
        kind = 'bad';
        to += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      }
      word = text.slice(at, to);
      if (kind === 'word' && code >= A && code <= Z) {
        instruction = INSTRUCTIONS.get(word) ?? null;
        if (instruction === null) clause = CLAUSES.get(word) ?? null;
      }
    }
    token.kind = kind;
    token.from = at;
    token.to = to;
    token.line = begun;
    token.text = word;
    token.isFirst = isFirst;
    token.isApart = isApart;
    token.literal = literal;
    token.instruction = instruction;
    token.clause = clause;
    if (kind !== 'comment') isPath = clause === 'FROM';
    isStart = false;
    at = to;
  };
}

/** Returns all tokens. */
export function tokenize(text: string): Token[] {
  const read = createLexer(text, true);
  const tokens: Token[] = [];
  for (;;) {
    const token = emptyToken();
    read(token);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** Returns the end of a match at this position; the position itself if there is no match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Counts the line ends between two positions. */
function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
