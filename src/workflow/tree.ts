/**
 * The syntax tree: an Agentfile's instructions and clauses in the order of the text, each with where it stands. Pure
 * types.
 *
 * What could not be read is left out, so that the rest can still be checked.
 */
import type { Literal, Use } from './literal.js';
import type { Span } from './source.js';
import type { Operator, TypeWord } from './words.js';

export interface Tree {
  readonly instructions: readonly Instruction[];
  /** Text in three quotes is not closed: whatever stood behind it is not there. */
  readonly isCut: boolean;
}

export interface Word extends Span {
  readonly text: string;
}

/** Where an instruction begins. */
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
  /** Null: as its answer. */
  readonly name: Word | null;
  readonly question: Literal;
}

export interface Clauses {
  /** The first of each kind. */
  readonly clauses: ClausesByKind;
  /** Those that were there already, and prompts beside another one. */
  readonly repeated: readonly Clause[];
}

export type ClausesByKind = { readonly [K in Clause['kind']]: Extract<Clause, { kind: K }> | null };

/** `at`: where its word begins. */
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
  | { readonly kind: 'BUDGET'; readonly at: number; readonly number: NumberNode };

/** `score: number[]`, `verdict: "approve" | "reject"`. */
export interface OutputNode {
  readonly name: Word;
  readonly type:
    | { readonly word: TypeWord; readonly isList: boolean }
    | { readonly choices: readonly Literal[] }
    | null;
}

/** What a variable is compared with. */
export type Operand =
  | (Span & { readonly kind: 'value'; readonly value: string | number | boolean })
  | (Use & { readonly kind: 'variable' });

/** Of TIMEOUT in milliseconds. */
export interface NumberNode extends Span {
  readonly value: number;
}
