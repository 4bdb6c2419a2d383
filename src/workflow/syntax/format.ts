/**
 * Formats an Agentfile in the standard style. Pure.
 *
 * In:   the text.
 * Out:  the same tokens and comments, in the same order and on the same lines, with standard blanks: one between words,
 *       an indent of two for continued instructions and of four within lists, none at line ends, and at most one empty
 *       line in a row. Formatting a formatted text changes nothing. Texts in quotes are not changed.
 */
import { type Token, tokenize } from './lexer.js';
import { parseTree } from './parser.js';
import { locate, type Problem } from './problems.js';
import { INSTRUCTION_WORDS, LABEL } from './words.js';

type Formatting =
  | { readonly ok: true; readonly text: string }
  /** The text has syntax errors and cannot be formatted. */
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Returns the formatted Agentfile, or the problems if the text cannot be parsed. */
export function format(text: string): Formatting {
  const { drafts } = parseTree(text);
  if (drafts.length > 0) return { ok: false, problems: locate(text, drafts) };
  const tokens = tokenize(text);
  let formatted = '';
  const indent = indents(tokens);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'end') break;
    const before = tokens[index - 1];
    if (before === undefined) formatted += pieceOf(text, token);
    else if (!token.isFirst)
      formatted += (isJoined(before, token) || isLabel(tokens, index) ? '' : ' ') + pieceOf(text, token);
    else {
      const isEmptyLine = /\n[ \t\r]*\n/.test(text.slice(before.to, token.from));
      formatted += (isEmptyLine ? '\n\n' : '\n') + indent[index] + pieceOf(text, token);
    }
  }
  return { ok: true, text: formatted === '' ? '' : `${formatted}\n` };
}

const CONTINUED = '  ';
const LISTED = '    ';

/** Returns the indent of each token. A comment is indented like the token after it. */
function indents(tokens: readonly Token[]): string[] {
  const found: string[] = [];
  const before: (Token | undefined)[] = [];
  let last: Token | undefined;
  for (const [index, token] of tokens.entries()) {
    before[index] = last;
    if (token.kind !== 'comment') last = token;
  }
  let after: Token | undefined;
  for (const [index, token] of [...tokens.entries()].reverse()) {
    if (token.kind !== 'comment') after = token;
    const isOfFile = !after || after.kind === 'end' || startsInstruction(after);
    const isListed = isSymbol(after, ',') || isSymbol(before[index], ',');
    found[index] = isOfFile ? '' : isListed ? LISTED : CONTINUED;
  }
  return found;
}

const startsInstruction = ({ kind, text, isFirst }: Token): boolean =>
  isFirst && kind === 'word' && INSTRUCTION_WORDS.some((word) => word === text);

const isSymbol = (token: Token | undefined, text: string): boolean => token?.kind === 'symbol' && token.text === text;

/** True for a token without a blank before it, as in `a, b` and `score: number[]`. */
const isJoined = (before: Token, token: Token): boolean =>
  token.kind === 'symbol' && [',', ':', '[]'].includes(token.text) && before.kind !== 'comment';

/** True for the name of a label, as in `ON label:gpu`. */
const isLabel = (tokens: readonly Token[], index: number): boolean =>
  isSymbol(tokens[index - 1], ':') && tokens[index - 2]?.text === LABEL && tokens[index - 3]?.clause === 'ON';

function pieceOf(text: string, { kind, from, to }: Token): string {
  const piece = text.slice(from, to);
  return kind === 'comment' ? piece.trimEnd() : piece.replaceAll('\r\n', '\n');
}
