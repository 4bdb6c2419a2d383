/**
 * The checked form of an Agentfile: a workflow, as plain JSON (protocol/workflow.schema.json). Pure types.
 *
 * It holds what the file says and nothing about where it stands, but the line of each part.
 */
import type { Operator, TypeWord } from './words.js';

export interface Workflow {
  /** Null: the name of the directory. */
  readonly name: string | null;
  readonly inputs: readonly Input[];
  readonly agents: readonly Agent[];
  /** What is to be done, in the order of the file. */
  readonly goals: readonly (Goal | Ask)[];
  /** None: all goals, in the order of the file. */
  readonly runs: readonly Run[];
}

export interface Input {
  readonly name: string;
  /** Null: whoever starts it must give one. */
  readonly default: string | null;
  readonly line: number;
}

export interface Prompt {
  /** Before variables are put in; null while its file was not read. */
  readonly text: string | null;
  /** The file that it is from, as FROM names it. */
  readonly file: string | null;
}

export interface Output {
  readonly name: string;
  /** Without a type in the file: any. */
  readonly type: TypeWord | 'choice';
  readonly is_list: boolean;
  /** Of a choice. */
  readonly choices: readonly string[];
}

/** What GOAL and AGENT have in common: one or more runs of an agent program. */
export interface Agent {
  readonly name: string;
  readonly prompt: Prompt;
  /** None: the result is text. */
  readonly outputs: readonly Output[];
  readonly blueprint: string | null;
  readonly profile: string | null;
  /** How often it is tried again when it has failed. */
  readonly retry: number;
  readonly timeout_ms: number | null;
  /** US dollars. */
  readonly budget: number | null;
  readonly line: number;
}

export interface Goal extends Agent {
  readonly kind: 'goal';
  /** They run side by side, and the goal puts together what they return. */
  readonly agents: readonly string[];
  readonly when: Condition | null;
  readonly foreach: { readonly item: string; readonly list: string } | null;
}

/** A question to a person, whose answer is a variable. */
export interface Ask {
  readonly kind: 'ask';
  readonly name: string;
  readonly question: string;
  /** Text, or a choice: the options. */
  readonly output: Output;
  readonly when: Condition | null;
  readonly timeout_ms: number | null;
  readonly line: number;
}

export interface Condition {
  readonly variable: string;
  readonly operator: Operator;
  readonly right: { readonly value: string | number | boolean } | { readonly variable: string };
}

export interface Run {
  readonly name: string;
  readonly goals: readonly string[];
  readonly line: number;
}
