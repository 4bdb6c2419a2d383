/**
 * The words of the language, and the clauses of each instruction. clauses.ts parses what follows a word. Pure.
 *
 * Words are written in capitals. The words of the first version are reserved. Words that were added later may also be
 * used as names, so that old files keep their meaning.
 */

export const INSTRUCTION_WORDS = ['NAME', 'INPUT', 'AGENT', 'GOAL', 'ASK', 'RUN'] as const;
export type InstructionWord = (typeof INSTRUCTION_WORDS)[number];

export const CLAUSE_WORDS = [
  'FROM',
  'USING',
  'WITH',
  'REQUIRES',
  'WHEN',
  'FOREACH',
  'RETRY',
  'TIMEOUT',
  'BUDGET',
  'ON',
] as const;
/** `prompt` is a text in quotes, which has no clause word. */
export type ClauseWord = (typeof CLAUSE_WORDS)[number] | 'prompt' | '->';

const OF_ALL_AGENTS = ['prompt', 'FROM', '->', 'WITH', 'REQUIRES', 'RETRY', 'TIMEOUT', 'BUDGET', 'ON'] as const;

export const CLAUSES_OF: Readonly<Record<'AGENT' | 'GOAL' | 'ASK', readonly ClauseWord[]>> = {
  AGENT: OF_ALL_AGENTS,
  GOAL: [...OF_ALL_AGENTS, 'USING', 'WHEN', 'FOREACH'],
  ASK: ['->', 'WHEN', 'TIMEOUT'],
};

export const RESERVED: ReadonlySet<string> = new Set([
  'NAME',
  'INPUT',
  'DEFAULT',
  'GOAL',
  'AGENT',
  'RUN',
  'FROM',
  'USING',
  'REQUIRES',
]);

/** The types of outputs. `[]` after a type makes a list of it. */
export const TYPES = ['any', 'string', 'number', 'integer', 'boolean', 'object'] as const;
export type TypeWord = (typeof TYPES)[number];

export const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/** Names of goals, agents and runs. */
export const NAME = /^[A-Za-z_]\w*(?:-+\w+)*$/;
/** Names of machines, and labels of machines. */
export const MACHINE = /^[A-Za-z0-9]\w*(?:-+\w+)*$/;
/** The word before a label. */
export const LABEL = 'label';
/** Names of inputs and outputs, as used after `$`. */
export const VARIABLE = /^[A-Za-z_]\w*$/;
