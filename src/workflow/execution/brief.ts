/**
 * Shortens a workflow run for a view of many steps. Pure.
 *
 * In:   the complete run.
 * Out:  the same run with every value as text, cut to the beginning. A value of megabytes is not serialized completely.
 */
import type { WorkflowError, WorkflowRun, WorkflowStep } from '../../protocol/index.js';

/** Maximum length of a value or a result. */
const VALUE_CHARS = 200;
/** Maximum length of a text that a person reads completely: a question, an error. */
const TEXT_CHARS = 2_000;

/** Returns the shortened run. */
export function briefOf(run: WorkflowRun): WorkflowRun {
  return {
    ...run,
    variables: run.variables.map((variable) => ({ ...variable, value: valueText(variable.value) })),
    steps: run.steps.map(briefStep),
    error: briefError(run.error),
  };
}

function briefStep(step: WorkflowStep): WorkflowStep {
  const { values, result, question } = step;
  return {
    ...step,
    runs: step.runs.map((run) => (run.error === null ? run : { ...run, error: briefError(run.error) })),
    question: question === null ? null : beginningOf(question, TEXT_CHARS),
    values:
      values === null ? null : Object.fromEntries(Object.entries(values).map(([name, one]) => [name, valueText(one)])),
    result: result === null ? null : valueText(result),
    error: briefError(step.error),
  };
}

const briefError = (error: WorkflowError | null): WorkflowError | null =>
  error && { ...error, message: beginningOf(error.message, TEXT_CHARS) };

/** Returns text unchanged and other values as compact JSON, cut to the maximum length. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonBeginning(value, VALUE_CHARS + 1);
  return beginningOf(text, VALUE_CHARS);
}

function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`; // removes half of a surrogate pair
}

/**
 * Returns at least the first `chars` characters of a value's JSON (all of it if it is shorter), without serializing
 * much more.
 */
function jsonBeginning(value: unknown, chars: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, chars));
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [name, entry] of isList ? value.entries() : Object.entries(value)) {
    if (text.length > chars) return text;
    const key = isList ? '' : `${JSON.stringify(String(name).slice(0, chars))}:`;
    text += `${text.length > 1 ? ',' : ''}${key}${jsonBeginning(entry, chars - text.length)}`;
  }
  return `${text}${isList ? ']' : '}'}`;
}
