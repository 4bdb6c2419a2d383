/**
 * Formatter: an Agentfile as everybody writes it. Pure.
 *
 * In:   the text. Out: the same tokens and comments in the same order and on the same lines, with blanks as they
 *       belong: one between words, two at the beginning of what goes on an instruction, four within a list, none at
 *       line ends; one empty line where there were more. Formatting twice is formatting once. Texts in quotes stay as
 *       they are.
 */
import { type Token, tokenize } from './lexer.js';
import { parseTree } from './parser.js';
import { locate, type Problem } from './problems.js';
import { INSTRUCTION_WORDS } from './words.js';

export type Formatting =
  | { readonly ok: true; readonly text: string }
  /** What cannot be read cannot be formatted. */
  | { readonly ok: false; readonly problems: readonly Problem[] };

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
    else if (!token.isFirst) formatted += (isJoined(before, token) ? '' : ' ') + pieceOf(text, token);
    else {
      const isEmptyLine = /\n[ \t\r]*\n/.test(text.slice(before.to, token.from));
      formatted += (isEmptyLine ? '\n\n' : '\n') + indent[index] + pieceOf(text, token);
    }
  }
  return { ok: true, text: formatted === '' ? '' : `${formatted}\n` };
}

const CONTINUED = '  ';
const LISTED = '    ';

/** Of each token: a comment stands as what follows it. */
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

/** `a, b`, `score: number[]`: what stands close to the token before it. */
const isJoined = (before: Token, token: Token): boolean =>
  token.kind === 'symbol' && [',', ':', '[]'].includes(token.text) && before.kind !== 'comment';

function pieceOf(text: string, { kind, from, to }: Token): string {
  const piece = text.slice(from, to);
  return kind === 'comment' ? piece.trimEnd() : piece.replaceAll('\r\n', '\n');
}
