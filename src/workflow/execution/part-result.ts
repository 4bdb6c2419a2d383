/**
 * Interprets the end of a run for its step: the declared outputs, the text, or the reason why there is neither. Pure.
 *
 * A run whose schema was generated from the outputs either has them or has failed. A blueprint's own schema may differ
 * from the outputs.
 */
import type { RunError, WorkflowError } from '../../protocol/index.js';
import { textOf } from '../interpolate.js';
import type { TypeWord } from '../syntax/index.js';
import type { Output } from '../workflow.js';
import type { PartResult, RunEnd } from './progress.js';

const MAX_DETAILS = 3;

interface PartAbout {
  readonly step: string;
  readonly goal: string;
  readonly agent: string | null;
  /** Number of the FOREACH entry, from 1. */
  readonly entry: number | null;
  readonly runId: string;
  readonly outputs: readonly Output[];
}

type PartOutcome =
  | { readonly ok: true; readonly result: PartResult }
  | { readonly ok: false; readonly error: WorkflowError };

export function outcomeOf(about: PartAbout, run: RunEnd): PartOutcome {
  if (run.state !== 'completed') {
    const error = run.error ?? { error: 'AgentError', message: `it ${run.state}` };
    return { ok: false, error: failureOf(about, error) };
  }
  const { outputs } = about;
  if (outputs.length === 0) return { ok: true, result: { text: run.result_text ?? textOf(run.result_data) } };
  const values: Record<string, unknown> = {};
  for (const output of outputs) {
    const value = fieldOf(run.result_data, output.name);
    const problem = value === undefined ? 'it did not return it' : problemOf(output, value);
    if (problem !== null) return { ok: false, error: failureOf(about, missing(output, problem), output.name) };
    values[output.name] = value;
  }
  return { ok: true, result: { values } };
}

/** Builds an error that names the goal, the agent, the field, and the run that holds the text. */
function failureOf(about: Omit<PartAbout, 'outputs'>, error: RunError, field = fieldIn(error)): WorkflowError {
  const { step, goal, agent, entry, runId } = about;
  const which = [
    `goal ${goal}`,
    ...(entry === null ? [] : [`entry ${entry}`]),
    ...(agent === null ? [] : [`agent ${agent}`]),
  ];
  return {
    error: error.error,
    message: `${which.join(', ')}: ${error.message}${detailsOf(error)}`,
    step,
    ...(agent !== null && { agent }),
    ...(field !== undefined && { field }),
    run_id: runId,
  };
}

/** Formats the first schema errors of a result. */
function detailsOf({ errors = [] }: RunError): string {
  const shown = errors.slice(0, MAX_DETAILS).map(({ path, message }) => `${path}: ${message}`);
  const more = errors.length > MAX_DETAILS ? [`and ${errors.length - MAX_DETAILS} more`] : [];
  return errors.length === 0 ? '' : ` (${[...shown, ...more].join('; ')})`;
}

const missing = ({ name }: Output, problem: string): RunError => ({
  error: 'MissingOutputError',
  message: `the output ${name} is declared, and ${problem}`,
});

/** Returns the declared output named by a path such as `$.score` or `$.issues[0].text`. */
const fieldIn = ({ errors = [] }: RunError): string | undefined => /^\$\.(\w+)/.exec(errors[0]?.path ?? '')?.[1];

/** Reads an own property, never an inherited one. */
function fieldOf(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || !Object.hasOwn(data, name)) return undefined;
  return (data as Readonly<Record<string, unknown>>)[name];
}

const IS: Readonly<Record<TypeWord, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function problemOf({ type, is_list, choices }: Output, value: unknown): string | null {
  if (type === 'choice') {
    const words = choices.map((choice) => JSON.stringify(choice)).join(', ');
    return choices.some((choice) => choice === value) ? null : `it is none of ${words}`;
  }
  const fits = is_list ? Array.isArray(value) && value.every(IS[type]) : IS[type](value);
  return fits ? null : `it is not ${is_list ? `a list of ${type}` : `of type ${type}`}`;
}
