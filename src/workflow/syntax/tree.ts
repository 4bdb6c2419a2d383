/**
 * The syntax tree: an Agentfile's instructions and clauses in the order of the text, with their positions. Pure types.
 *
 * Parts that could not be read are left out, so that the rest can still be checked.
 */
import type { Literal, Use } from './literal.js';
import type { Span } from './source.js';
import type { Operator, TypeWord } from './words.js';

export interface Tree {
  readonly instructions: readonly Instruction[];
  /** True if a text in three quotes is not closed, so that the instructions after it are missing. */
  readonly isCut: boolean;
}

export interface Word extends Span {
  readonly text: string;
}

/** The position where an instruction begins. */
export interface Mark extends Span {
  readonly line: number;
}

export type Instruction =
  | { readonly kind: 'NAME'; readonly at: Mark; readonly name: Word }
  | { readonly kind: 'INPUT'; readonly at: Mark; readonly name: Word; readonly default: Literal | null }
  | WorkNode
  | AskNode
  | { readonly kind: 'RUN'; readonly at: Mark; readonly name: Word; readonly goals: readonly Word[] };

export interface WorkNode extends Clauses {
  readonly kind: 'AGENT' | 'GOAL';
  readonly at: Mark;
  readonly name: Word;
}

export interface AskNode extends Clauses {
  readonly kind: 'ASK';
  readonly at: Mark;
  /** The name of the instruction; null to use the name of its answer. */
  readonly name: Word | null;
  readonly question: Literal;
}

export interface Clauses {
  /** The first clause of each kind. */
  readonly clauses: ClausesByKind;
  /** Clauses that are repeated, and further prompts. */
  readonly repeated: readonly Clause[];
}

export type ClausesByKind = { readonly [K in Clause['kind']]: Extract<Clause, { kind: K }> | null };

/** `at`: offset of the clause's word. */
export type Clause =
  | { readonly kind: 'prompt'; readonly at: number; readonly text: Literal }
  | { readonly kind: 'FROM'; readonly at: number; readonly path: Word }
  | { readonly kind: '->'; readonly at: number; readonly outputs: readonly OutputNode[] }
  | { readonly kind: 'USING'; readonly at: number; readonly agents: readonly Word[] }
  | { readonly kind: 'WITH'; readonly at: number; readonly blueprint: Word }
  | { readonly kind: 'REQUIRES'; readonly at: number; readonly profile: Literal }
  | {
      readonly kind: 'WHEN';
      readonly at: number;
      readonly left: Use;
      readonly operator: Operator;
      readonly right: Operand;
    }
  | { readonly kind: 'FOREACH'; readonly at: number; readonly item: Use; readonly list: Use }
  | { readonly kind: 'RETRY'; readonly at: number; readonly number: NumberNode }
  | { readonly kind: 'TIMEOUT'; readonly at: number; readonly number: NumberNode }
  | { readonly kind: 'BUDGET'; readonly at: number; readonly number: NumberNode }
  | {
      readonly kind: 'ON';
      readonly at: number;
      /** A machine, or a label of machines. */
      readonly target: Word;
      readonly isLabel: boolean;
      readonly directory: Literal | null;
    };

/** `score: number[]`, `verdict: "approve" | "reject"`. */
export interface OutputNode {
  readonly name: Word;
  readonly type:
    | { readonly word: TypeWord; readonly isList: boolean }
    | { readonly choices: readonly Literal[] }
    | null;
}

/** The right-hand side of a comparison. */
export type Operand =
  | (Span & { readonly kind: 'value'; readonly value: string | number | boolean })
  | (Use & { readonly kind: 'variable' });

/** A number; for TIMEOUT in milliseconds. */
export interface NumberNode extends Span {
  readonly value: number;
}
