/**
 * The checked form of an Agentfile: a workflow as plain JSON (protocol/workflow.schema.json). Pure types.
 *
 * It contains what the file defines, and the line number of each part.
 */
import type { Operator, TypeWord } from './syntax/index.js';

export interface Workflow {
  /** The name; null to use the directory's name. */
  readonly name: string | null;
  readonly inputs: readonly Input[];
  readonly agents: readonly Agent[];
  /** GOALs and ASKs in the order of the file. */
  readonly goals: readonly (Goal | Ask)[];
  /** The RUNs; empty to run all goals in the order of the file. */
  readonly runs: readonly Run[];
}

export interface Input {
  readonly name: string;
  /** The default value; null if a value is required. */
  readonly default: string | null;
  readonly line: number;
}

export interface Prompt {
  /** The text before variables are filled in; null if its file was not read. */
  readonly text: string | null;
  /** The file that contains the prompt, as named by FROM. */
  readonly file: string | null;
}

export interface Output {
  readonly name: string;
  /** The type; `any` if the file names none. */
  readonly type: TypeWord | 'choice';
  readonly is_list: boolean;
  /** The options of a choice. */
  readonly choices: readonly string[];
}

/** The common parts of GOAL and AGENT: one or more runs of an agent program. */
export interface Agent {
  readonly name: string;
  readonly prompt: Prompt;
  /** Empty if the result is text. */
  readonly outputs: readonly Output[];
  readonly blueprint: string | null;
  readonly profile: string | null;
  /** How often a failed run is repeated. */
  readonly retry: number;
  readonly timeout_ms: number | null;
  /** Maximum cost in US dollars. */
  readonly budget: number | null;
  /** The machine where the agent runs; null for the machine of the workflow. */
  readonly place: MachineSelector | null;
  readonly line: number;
}

/** Another machine, or any machine with a label. */
export interface MachineSelector {
  readonly kind: 'machine' | 'label';
  /** The name of the machine, or the label. */
  readonly name: string;
  /** A directory there; null for the one with the name of the workflow's directory. */
  readonly directory: string | null;
}

export interface Goal extends Agent {
  readonly kind: 'goal';
  /** Agents that run in parallel. The goal then combines their results. */
  readonly agents: readonly string[];
  readonly when: Condition | null;
  readonly foreach: { readonly item: string; readonly list: string } | null;
}

/** A question to a person, whose answer becomes a variable. */
export interface Ask {
  readonly kind: 'ask';
  readonly name: string;
  readonly question: string;
  /** A text, or a choice with its options. */
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
