/** Reads the values of a workflow's INPUTs and the number of parallel jobs from the command line. */
import { OrchdError } from '../../protocol/index.js';
import { takeInputs, type Workflow } from '../../workflow/index.js';
import { parseWhole } from '../input/parse-values.js';
import { list, type Options, text } from '../program/command.js';
import { readInputs } from '../runs/input.js';

/**
 * Standard input can be read only once.
 * @throws {OrchdError} ORCHD_USAGE
 */
export function requireOneReader(files: readonly string[], options: Options): void {
  if (files.includes('-') && list(options, 'input').includes('-')) {
    throw new OrchdError('ORCHD_USAGE', 'standard input is the Agentfile or the input, not both');
  }
}

/** The maximum that `workflow.run` accepts. */
const MAX_JOBS = 1000;

/**
 * Returns how many goals may run at the same time.
 * @throws {OrchdError} ORCHD_USAGE
 */
export function jobsOf(options: Options): number {
  return parseWhole('--jobs', text(options, 'jobs') ?? '1', { least: 1, most: MAX_JOBS });
}

/**
 * Returns the values of the INPUTs.
 * @throws {OrchdError} ORCHD_INVALID with every problem in `details.errors`, ORCHD_USAGE, ORCHD_FILE
 */
export async function inputsOf(workflow: Workflow, options: Options): Promise<ReadonlyMap<string, string>> {
  const { values, problems: errors } = takeInputs(workflow, await readInputs(list(options, 'input'), 'text'));
  if (errors.length === 0) return values;
  const summary = errors.map(({ message }) => message).join('; ');
  throw new OrchdError('ORCHD_INVALID', `the input does not fit: ${summary}`, { errors });
}
