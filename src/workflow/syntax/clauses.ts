/**
 * Parses the clauses of AGENT, GOAL and ASK: the part after each clause word. Pure.
 *
 * In:   a cursor after the word (for the prompt: before its quote).
 * Out:  the clause, or null after a problem was reported.
 */
import { nearest } from '../../protocol/index.js';
import type { TokenCursor } from './cursor.js';

import type { Clause, NumberNode, Operand, OutputNode, Word } from './tree.js';
import { type ClauseWord, LABEL, MACHINE, NAME, OPERATORS, RESERVED, TYPES, VARIABLE } from './words.js';

type Rule = (cursor: TokenCursor, at: number) => Clause | null;

/** Matches names of a form, except reserved words. */
const free = (form: RegExp): RegExp => new RegExp(`^(?!(?:${[...RESERVED].join('|')})$)${form.source.slice(1)}`);
export const FREE_NAME = free(NAME);
export const FREE_VARIABLE = free(VARIABLE);
const FREE_MACHINE = free(MACHINE);

const RULES: Readonly<Record<ClauseWord, Rule>> = {
  prompt(cursor, at) {
    const text = cursor.literal('a prompt', 'the instruction');
    return text && { kind: 'prompt', at, text };
  },
  FROM(cursor, at) {
    const path = readPath(cursor);
    return path && { kind: 'FROM', at, path };
  },
  '->'(cursor, at) {
    const outputs = list(cursor, readOutput);
    return outputs && { kind: '->', at, outputs };
  },
  USING(cursor, at) {
    const agents = list(cursor, readAgentName);
    return agents && { kind: 'USING', at, agents };
  },
  WITH(cursor, at) {
    const blueprint = cursor.word(/^[A-Za-z0-9]/, 'the name of a blueprint', 'WITH');
    return blueprint && { kind: 'WITH', at, blueprint };
  },
  REQUIRES(cursor, at) {
    const profile = cursor.literal('the name of a profile', 'REQUIRES');
    return profile && { kind: 'REQUIRES', at, profile };
  },
  WHEN(cursor, at) {
    const left = readVariable(cursor, 'WHEN');
    if (!left) return null;
    const { kind, text } = cursor.token;
    const operator = OPERATORS.find((one) => kind === 'symbol' && one === text);
    if (!operator) {
      cursor.fail('syntax', `WHEN compares; found ${cursor.found()} behind $${left.name}`, OPERATORS.join(' '));
      // A single = is skipped together with its right-hand side.
      if (kind === 'bad') readOperand(cursor, cursor.next().text);
      return null;
    }
    cursor.next();
    const right = readOperand(cursor, operator);
    return right && { kind: 'WHEN', at, left, operator, right };
  },
  FOREACH(cursor, at) {
    const item = readVariable(cursor, 'FOREACH');
    if (!item) return null;
    if (!cursor.isWord('IN')) {
      cursor.fail(
        'syntax',
        `FOREACH $${item.name} needs IN, found ${cursor.found()}`,
        `FOREACH $${item.name} IN $list`,
      );
      return null;
    }
    cursor.next();
    const all = readVariable(cursor, 'IN');
    return all && { kind: 'FOREACH', at, item, list: all };
  },
  RETRY: (cursor, at) => number(cursor, at, 'RETRY', /^\d+$/, 'a number of times, such as 2'),
  TIMEOUT: (cursor, at) =>
    number(cursor, at, 'TIMEOUT', /^\d+(?:\.\d+)?(?:ms|s|m|h|d)?$/, 'a time, such as 90s, 5m or 1h'),
  BUDGET: (cursor, at) => number(cursor, at, 'BUDGET', /^\d+(?:\.\d+)?$/, 'US dollars, such as 2.50'),
  ON(cursor, at) {
    const named = cursor.word(FREE_MACHINE, 'a machine, or label:name', 'ON');
    if (!named) return null;
    const isLabel = named.text === LABEL && cursor.take(':');
    const target = isLabel ? cursor.word(FREE_MACHINE, 'the name of a label', 'label:') : named;
    if (!target) return null;
    if (!cursor.isWord('IN')) return { kind: 'ON', at, target, isLabel, directory: null };
    cursor.next();
    const directory = cursor.literal('a directory', 'IN');
    return directory && { kind: 'ON', at, target, isLabel, directory };
  },
};

/** Parses the clause of the word at the cursor. */
export function readClause(cursor: TokenCursor, word: ClauseWord): Clause | null {
  const { from, isApart } = cursor.token;
  if (!isApart && word !== '->') cursor.fail('syntax', `a blank is missing before ${cursor.found()}`, 'a blank');
  if (word !== 'prompt') cursor.next();
  return RULES[word](cursor, from);
}

/** Parses one or more entries separated by commas. Returns null if one of them cannot be read. */
export function list<T>(cursor: TokenCursor, read: (cursor: TokenCursor) => T | null): T[] | null {
  const first = read(cursor);
  if (first === null) return null;
  if (!cursor.take(',')) return [first];
  const second = read(cursor);
  if (second === null) return null;
  const all = [first, second];
  while (cursor.take(',')) {
    const one = read(cursor);
    if (one === null) return null;
    all.push(one);
  }
  return all;
}

const readAgentName = (cursor: TokenCursor): Word | null => cursor.word(FREE_NAME, 'the name of an AGENT', 'USING');

/** Parses `prompts/assess.md`, or a path in quotes if it contains blanks. */
function readPath(cursor: TokenCursor): Word | null {
  const { kind, text, from, to, isApart } = cursor.token;
  if (kind === 'string') {
    const path = cursor.literal('a path', 'FROM');
    return path && { text: path.value, from, to };
  }
  if (kind !== 'path') {
    cursor.fail(
      'syntax',
      `FROM needs a path, found ${cursor.found()}`,
      'a path, in quotes if it holds blanks or any of # , > "',
    );
    return null;
  }
  if (!isApart) cursor.fail('syntax', `a blank is missing before ${cursor.found()}`, 'a blank');
  cursor.next();
  return { text, from, to };
}

/**
 *     -> score: number[], verdict: "approve" | "reject"
 *        ^                ^
 */
function readOutput(cursor: TokenCursor): OutputNode | null {
  const name = cursor.word(FREE_VARIABLE, 'the name of an output (letters, digits, _)', '->');
  if (!name) return null;
  if (!cursor.take(':')) return { name, type: null };
  if (cursor.token.kind === 'string') {
    const choices: NonNullable<ReturnType<TokenCursor['literal']>>[] = [];
    do {
      const choice = cursor.literal('a choice', `${name.text}:`);
      if (!choice) return null;
      choices.push(choice);
    } while (cursor.take('|'));
    return { name, type: { choices } };
  }
  const { kind, text } = cursor.token;
  const word = TYPES.find((type) => kind === 'word' && type === text);
  if (!word) {
    const types = `${TYPES.join(', ')}, each also as a list (${TYPES[1]}[]), or choices: "yes" | "no"`;
    cursor.fail(
      'syntax',
      `${cursor.found()} is not a type`,
      () => (kind === 'word' ? nearest(text, TYPES) : null) ?? types,
    );
    return null;
  }
  cursor.next();
  return { name, type: { word, isList: cursor.take('[]') } };
}

function readVariable(cursor: TokenCursor, after: string): { name: string; from: number; to: number } | null {
  const { kind, text, from, to } = cursor.token;
  if (kind === 'variable') {
    cursor.next();
    return { name: text.slice(1), from, to };
  }
  cursor.fail(
    'syntax',
    `${after} needs a $variable, found ${cursor.found()}`,
    kind === 'word' ? `$${text}` : 'a $variable',
  );
  return null;
}

function readOperand(cursor: TokenCursor, operator: string): Operand | null {
  const { kind, text, from, to } = cursor.token;
  if (kind === 'string') {
    const literal = cursor.literal('a text', operator);
    return literal && { kind: 'value', value: literal.value, from, to };
  }
  if (kind === 'variable') {
    cursor.next();
    return { kind: 'variable', name: text.slice(1), from, to };
  }
  const isNumber = kind === 'word' && /^-?\d+(?:\.\d+)?$/.test(text);
  if (isNumber || (kind === 'word' && (text === 'true' || text === 'false'))) {
    cursor.next();
    return { kind: 'value', value: isNumber ? Number(text) : text === 'true', from, to };
  }
  const accepted = kind === 'word' ? `"${text}" in quotes` : 'a text in quotes, a number, true, false or a $variable';
  cursor.fail('syntax', `${operator} needs something to compare with, found ${cursor.found()}`, accepted);
  return null;
}

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function number(
  cursor: TokenCursor,
  at: number,
  kind: 'RETRY' | 'TIMEOUT' | 'BUDGET',
  form: RegExp,
  what: string,
): Clause | null {
  const word = cursor.word(form, what, kind);
  if (!word) return null;
  const [, digits = '', unit = ''] = /^([\d.]+)(\D*)$/.exec(word.text) ?? [];
  const value = Number(digits) * (kind === 'TIMEOUT' ? (MS[unit || 's'] ?? 1) : 1);
  const node: NumberNode = { value, from: word.from, to: word.to };
  return { kind, at, number: node };
}
