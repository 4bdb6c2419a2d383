/**
 * A workflow run for a view of many steps. Pure.
 *
 * In:   the run as it is shown.
 * Out:  the same run; every value as text, and of long texts the beginning. A value of megabytes is not written out to
 *       be cut.
 */
import type { WorkflowError, WorkflowRun, WorkflowStep } from '../../protocol/index.js';

/** Of a value, or a result. */
const VALUE_CHARS = 200;
/** Of what a person reads whole: a question, an error. */
const TEXT_CHARS = 2_000;

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

/** Text as it is, anything else as compact JSON; as far as it goes. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonBeginning(value, VALUE_CHARS + 1);
  return beginningOf(text, VALUE_CHARS);
}

function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`; // no half of a character
}

/**
 * At least so many characters of a value's JSON, and little more than what is needed for them; all of it where it has
 * fewer.
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
