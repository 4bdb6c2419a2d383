/**
 * The words of an Agentfile with their kinds, and its problems as ranges, for the editor. Pure.
 *
 * The lexer and the checks are those of `orchd workflow check`, so the editor never disagrees with them.
 */
import { createLexer, emptyToken, type Problem, type Token } from '../../workflow/index.js';
import type { TextProblem } from './json-text.js';

type AgentfileKind = 'keyword' | 'name' | 'type' | 'variable' | 'string' | 'number' | 'comment' | 'operator' | 'bad';

interface AgentfileToken {
  readonly from: number;
  readonly to: number;
  readonly kind: AgentfileKind;
}

const TYPES: ReadonlySet<string> = new Set(['any', 'string', 'number', 'integer', 'boolean', 'object']);
const NUMBER = /^-?\d+(\.\d+)?(ms|s|m|h|d)?$/;
const VARIABLE = /\$\$|\$[A-Za-z_]\w*/g;

/** @returns In the order of the text, without overlaps. */
export function agentfileTokens(text: string): readonly AgentfileToken[] {
  const read = createLexer(text, true);
  const token = emptyToken();
  const found: AgentfileToken[] = [];
  let isNamed = false;
  let isTyped = false;
  for (read(token); token.kind !== 'end'; read(token)) {
    const { from, to, kind, text: words } = token;
    if (kind === 'string') found.push(...stringParts(text, from, to));
    else if (from < to) found.push({ from, to, kind: isNamed && kind === 'word' ? 'name' : kindOf(token, isTyped) });
    isNamed = token.instruction !== null;
    isTyped = kind === 'symbol' && words === ':';
  }
  return found;
}

function kindOf({ kind, text, instruction, clause }: Token, isTyped: boolean): AgentfileKind {
  switch (kind) {
    case 'variable':
      return 'variable';
    case 'path':
      return 'string';
    case 'comment':
      return 'comment';
    case 'symbol':
      return 'operator';
    case 'word':
      if (instruction !== null || clause !== null || text === 'IN' || text === 'DEFAULT') return 'keyword';
      if (isTyped && TYPES.has(text)) return 'type';
      return NUMBER.test(text) || text === 'true' || text === 'false' ? 'number' : 'operator';
    default:
      return 'bad';
  }
}

/** A string, with the variables in it apart. */
function stringParts(text: string, from: number, to: number): readonly AgentfileToken[] {
  const parts: AgentfileToken[] = [];
  let at = from;
  for (const { 0: name, index } of text.slice(from, to).matchAll(VARIABLE)) {
    if (name === '$$') continue; // a dollar sign
    if (from + index > at) parts.push({ from: at, to: from + index, kind: 'string' });
    at = from + index + name.length;
    parts.push({ from: from + index, to: at, kind: 'variable' });
  }
  if (to > at) parts.push({ from: at, to, kind: 'string' });
  return parts;
}

/** Each problem of the Agentfile itself, from its place to the end of the word there. */
export function problemRanges(text: string, problems: readonly Problem[]): readonly TextProblem[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return problems
    .filter(({ file }) => file === null)
    .map(({ line, column, severity, message, accepted }) => {
      const start = starts[Math.min(line, starts.length) - 1] ?? 0;
      const end = starts[line] === undefined ? text.length : starts[line] - 1;
      const before = [...text.slice(start, end)].slice(0, column - 1).join('');
      const from = Math.min(start + before.length, end);
      const to = Math.min(end, from + Math.max(1, /^[^\s"]*/.exec(text.slice(from, end))?.[0].length ?? 1));
      return { from, to, severity, message: accepted === null ? message : `${message} (${accepted})` };
    });
}
