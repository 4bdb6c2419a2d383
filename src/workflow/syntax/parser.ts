/**
 * Parser: turns an Agentfile's text into a syntax tree. Pure.
 *
 * In:   the text.
 * Out:  the tree, and all syntax problems (protocol/agentfile.ebnf defines the syntax). Never throws: text that cannot
 *       be read is reported, skipped up to the next clause or instruction, and left out of the tree.
 */
import { nearest } from '../../protocol/index.js';
import { FREE_NAME, FREE_VARIABLE, list, readClause } from './clauses.js';
import { createCursor, type TokenCursor } from './cursor.js';
import type { Token } from './lexer.js';
import { type ProblemDraft, quoted } from './problems.js';
import type { Clause, Clauses, ClausesByKind, Instruction, Mark, Tree, Word } from './tree.js';
import { CLAUSES_OF, INSTRUCTION_WORDS, type InstructionWord } from './words.js';

interface Parsed {
  readonly tree: Tree;
  readonly drafts: readonly ProblemDraft[];
}

type Rule = (cursor: TokenCursor, at: Mark) => Instruction | null;

const RULES: Readonly<Record<InstructionWord, Rule>> = {
  NAME(cursor, at) {
    const { kind, from, to, isFirst } = cursor.token;
    if (kind === 'string' && !isFirst) {
      const literal = cursor.literal('a name', 'NAME');
      return literal && { kind: 'NAME', at, name: { text: literal.value, from, to } };
    }
    const name = nameOf(cursor, 'NAME');
    return name && { kind: 'NAME', at, name };
  },
  INPUT(cursor, at) {
    const name = nameOf(cursor, 'INPUT', FREE_VARIABLE);
    if (!cursor.isWord('DEFAULT')) return name && { kind: 'INPUT', at, name, default: null };
    cursor.next();
    const value = cursor.literal('a text', 'DEFAULT');
    return name && { kind: 'INPUT', at, name, default: value };
  },
  AGENT(cursor, at) {
    const name = nameOf(cursor, 'AGENT');
    const { clauses, repeated } = readClauses(cursor, 'AGENT');
    return name && { kind: 'AGENT', at, name, clauses, repeated };
  },
  GOAL(cursor, at) {
    const name = nameOf(cursor, 'GOAL');
    const { clauses, repeated } = readClauses(cursor, 'GOAL');
    return name && { kind: 'GOAL', at, name, clauses, repeated };
  },
  ASK(cursor, at) {
    const { kind, isFirst } = cursor.token;
    const name = kind === 'word' && !isFirst ? cursor.word(FREE_NAME, 'a question in quotes', 'ASK') : null;
    const question = cursor.literal('a question', 'ASK');
    const { clauses, repeated } = readClauses(cursor, 'ASK');
    return question && { kind: 'ASK', at, name, question, clauses, repeated };
  },
  RUN(cursor, at) {
    const name = nameOf(cursor, 'RUN');
    if (!cursor.isWord('USING')) {
      cursor.fail('syntax', `RUN needs USING and its goals, found ${cursor.found()}`, 'RUN name USING goal, goal');
      return null;
    }
    cursor.next();
    const goals = list(cursor, readGoalName);
    return name && goals && { kind: 'RUN', at, name, goals };
  },
};

const readGoalName = (cursor: TokenCursor): Word | null => cursor.word(FREE_NAME, 'the name of a GOAL', 'USING');

export function parseTree(text: string): Parsed {
  const drafts: ProblemDraft[] = [];
  const cursor = createCursor(text, drafts);
  const instructions: Instruction[] = [];
  while (cursor.token.kind !== 'end') {
    const word = instructionWord(cursor);
    if (word === null) {
      cursor.next();
      skip(cursor, ({ isFirst, clause }) => isFirst && clause === null);
      continue;
    }
    const { from, to, line, isFirst } = cursor.next();
    const at = { from, to, line };
    if (!isFirst) cursor.fail('syntax', `${word} begins an instruction`, 'a line of its own', at);
    const instruction = RULES[word](cursor, at);
    if (instruction) instructions.push(instruction);
    endInstruction(cursor, word);
  }
  return { tree: { instructions, isCut: cursor.isCut() }, drafts };
}

/**
 * Returns the instruction that begins here, or the one that was probably meant. If there is none, reports a problem and
 * returns null.
 */
function instructionWord(cursor: TokenCursor): InstructionWord | null {
  const { token } = cursor;
  const { kind, text, instruction } = token;
  if (instruction !== null) return instruction;
  const all = INSTRUCTION_WORDS.join(', ');
  if (kind !== 'word') {
    cursor.fail('syntax', `an instruction is needed, found ${cursor.found()}`, all, token);
    return null;
  }
  const meant = nearest(text, INSTRUCTION_WORDS);
  cursor.fail('unknown_instruction', `${quoted(text)} is not an instruction`, hintOf(text, meant, all), token);
  return INSTRUCTION_WORDS.find((one) => one === meant) ?? null;
}

/**
 * Returns the hint for an unknown word.
 * @param meant  The word that was probably meant; null if none is similar.
 * @param all  All known words.
 */
function hintOf(text: string, meant: string | null, all: string): string {
  if (meant === null) return all;
  return meant === text.toUpperCase() ? `${meant}, in capitals` : `${meant}?`;
}

/** Reads the name, which must be on the same line as its instruction. */
function nameOf(cursor: TokenCursor, word: InstructionWord, form = FREE_NAME): Word | null {
  const { isFirst, kind } = cursor.token;
  if (!isFirst) {
    const name = cursor.word(
      form,
      form === FREE_NAME ? 'a name (letters, digits, _ and -)' : 'a name (letters, digits, _)',
      word,
    );
    if (name === null && kind === 'word') cursor.next();
    return name;
  }
  const behind = { from: cursor.end(), to: cursor.end() };
  cursor.fail('syntax', `${word} needs a name on its line`, `${word} name`, behind);
  return null;
}

const NONE: readonly never[] = [];

function readClauses(cursor: TokenCursor, of: 'AGENT' | 'GOAL' | 'ASK'): Clauses {
  const clauses = noClauses();
  let repeated: Clause[] | undefined;
  for (;;) {
    const { kind, isFirst, from, to, clause: word, instruction } = cursor.token;
    if (word !== null) {
      const isTaken = CLAUSES_OF[of].includes(word);
      if (!isTaken) {
        const what = word === 'prompt' ? 'second text' : word;
        cursor.fail('syntax', `${of} takes no ${what}`, CLAUSES_OF[of].map(shown).join(', '), { from, to });
      }
      const clause = readClause(cursor, word);
      if (clause && isTaken && !put(clauses, clause)) {
        repeated ??= [];
        repeated.push(clause);
      }
      if (clause === null) skip(cursor, beginsClause);
      continue;
    }
    // An instruction word cannot be a name, so it begins an instruction in every position.
    if (kind === 'end' || isFirst || instruction !== null) return { clauses, repeated: repeated ?? NONE };
    cursor.fail('syntax', `${cursor.found()} is not a clause of ${of}`, clauseHint(cursor, of));
    skip(cursor, beginsClause);
  }
}

/** Lists all clauses, so that all instructions have objects of the same shape, which V8 accesses faster. */
const noClauses = (): ClausesByKind => ({
  prompt: null,
  FROM: null,
  '->': null,
  USING: null,
  WITH: null,
  REQUIRES: null,
  WHEN: null,
  FOREACH: null,
  RETRY: null,
  TIMEOUT: null,
  BUDGET: null,
  ON: null,
});

/** @returns False if there is already one. An instruction has one prompt, either in quotes or from a file. */
function put(clauses: { [K in Clause['kind']]: Clause | null }, clause: Clause): boolean {
  const { kind } = clause;
  if (kind === 'prompt' || kind === 'FROM' ? (clauses.prompt ?? clauses.FROM) : clauses[kind]) return false;
  clauses[kind] = clause;
  return true;
}

const shown = (word: string): string => (word === 'prompt' ? '"prompt"' : word);

function clauseHint(cursor: TokenCursor, of: 'AGENT' | 'GOAL' | 'ASK'): () => string {
  const { kind, text } = cursor.token;
  return () => {
    const clauses = CLAUSES_OF[of];
    const words = clauses.filter((word) => word !== 'prompt');
    const meant = kind === 'word' ? nearest(text, words) : null;
    return hintOf(text, meant, clauses.map(shown).join(', '));
  };
}

/** NAME, INPUT and RUN must be alone on their line. */
function endInstruction(cursor: TokenCursor, word: InstructionWord): void {
  const { kind, isFirst, clause, instruction } = cursor.token;
  if (kind === 'end' || (isFirst && clause === null) || instruction !== null) return;
  if (isFirst && word !== 'NAME' && word !== 'INPUT' && word !== 'RUN') return;
  cursor.fail('syntax', `${cursor.found()} does not belong to ${word}`, 'the end of the instruction', cursor.token);
  skip(cursor, ({ isFirst: first, clause: next }) => first && next === null);
}

const beginsClause = ({ isFirst, clause }: Readonly<Token>): boolean => isFirst || clause !== null;

/** Skips to the next instruction, or to a token that the caller accepts. */
function skip(cursor: TokenCursor, isThere: (token: Readonly<Token>) => boolean): void {
  while (cursor.token.kind !== 'end' && !isThere(cursor.token) && cursor.token.instruction === null) cursor.next();
}
