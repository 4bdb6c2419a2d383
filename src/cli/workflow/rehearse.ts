/** `orchd workflow run --dry-run`: what an Agentfile would do with these inputs. Nothing runs, and no daemon is needed. */
import { displayText, OrchdError } from '../../protocol/index.js';
import { rehearsalText, rehearse, takeInputs, type Workflow } from '../../workflow/index.js';
import { flag, list, type Options, text } from '../command.js';
import type { Context } from '../context.js';
import { parseWhole } from '../parse-values.js';
import { readInputs } from '../runs/input.js';
import { readWorkflow } from './read-workflow.js';

export async function rehearseFile(context: Context, files: readonly string[], options: Options): Promise<undefined> {
  if (files.includes('-') && list(options, 'input').includes('-')) {
    throw new OrchdError('ORCHD_USAGE', 'standard input is the Agentfile or the input, not both');
  }
  const jobs = jobsOf(options);
  const workflow = await readWorkflow(context, files, options);
  const rehearsal = rehearse(workflow, await inputsOf(workflow, options), jobs);
  await context.print(rehearsal, () =>
    context.isQuiet
      ? rehearsal.steps.map(({ id }) => `${id}\n`).join('')
      : displayText(rehearsalText(rehearsal, flag(options, 'full'))),
  );
  return undefined;
}

/** How many goals may run at the same time. @throws {OrchdError} ORCHD_USAGE */
export function jobsOf(options: Options): number {
  const jobs = parseWhole('--jobs', text(options, 'jobs') ?? '1');
  if (jobs < 1) throw new OrchdError('ORCHD_USAGE', '--jobs takes a number from 1');
  return jobs;
}

/** The values of the INPUTs. @throws {OrchdError} ORCHD_INVALID with every problem in `details.errors`, ORCHD_USAGE, ORCHD_FILE */
export async function inputsOf(workflow: Workflow, options: Options): Promise<ReadonlyMap<string, string>> {
  const { values, problems: errors } = takeInputs(workflow, await readInputs(list(options, 'input'), 'text'));
  if (errors.length === 0) return values;
  const summary = errors.map(({ message }) => message).join('; ');
  throw new OrchdError('ORCHD_INVALID', `the input does not fit: ${summary}`, { errors });
}
