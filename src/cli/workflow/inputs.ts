/** What a workflow is given on the command line: values of its INPUTs, and how much of it may run at the same time. */
import { OrchdError } from '../../protocol/index.js';
import { takeInputs, type Workflow } from '../../workflow/index.js';
import { list, type Options, text } from '../command.js';
import { parseWhole } from '../parse-values.js';
import { readInputs } from '../runs/input.js';

/** Standard input is read once. @throws {OrchdError} ORCHD_USAGE */
export function requireOneReader(files: readonly string[], options: Options): void {
  if (files.includes('-') && list(options, 'input').includes('-')) {
    throw new OrchdError('ORCHD_USAGE', 'standard input is the Agentfile or the input, not both');
  }
}

/** As many as `workflow.run` takes. */
const MAX_JOBS = 1000;

/** How many goals may run at the same time. @throws {OrchdError} ORCHD_USAGE */
export function jobsOf(options: Options): number {
  return parseWhole('--jobs', text(options, 'jobs') ?? '1', { least: 1, most: MAX_JOBS });
}

/**
 * The values of the INPUTs.
 * @throws {OrchdError} ORCHD_INVALID with every problem in `details.errors`, ORCHD_USAGE, ORCHD_FILE
 */
export async function inputsOf(workflow: Workflow, options: Options): Promise<ReadonlyMap<string, string>> {
  const { values, problems: errors } = takeInputs(workflow, await readInputs(list(options, 'input'), 'text'));
  if (errors.length === 0) return values;
  const summary = errors.map(({ message }) => message).join('; ');
  throw new OrchdError('ORCHD_INVALID', `the input does not fit: ${summary}`, { errors });
}
