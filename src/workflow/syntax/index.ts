/** The syntax of Agentfiles: text in; a tree with positions, or problems, out. */
export { type Literal, type Use, usesIn } from './literal.js';
export { parseTree } from './parser.js';
export {
  fail,
  locate,
  MAX_PROBLEMS,
  type Problem,
  type ProblemDraft,
  type PromptFile,
  quoted,
  warn,
} from './problems.js';
export type { Span } from './source.js';
export type {
  AskNode,
  Clause,
  ClausesByKind,
  Instruction,
  Mark,
  Operand,
  OutputNode,
  Tree,
  Word,
  WorkNode,
} from './tree.js';
export { LABEL, type Operator, type TypeWord } from './words.js';
