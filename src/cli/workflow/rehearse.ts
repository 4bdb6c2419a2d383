/**
 * `orchd workflow run --dry-run`: prints what an Agentfile would do with these inputs. It runs nothing and needs no
 * daemon.
 */
import { displayText } from '../../protocol/index.js';
import { rehearsalText, rehearse } from '../../workflow/index.js';
import { flag, type Options } from '../program/command.js';
import type { Context } from '../program/context.js';
import { inputsOf, jobsOf, requireOneReader } from './inputs.js';
import { printWarnings, readWhole, warningsOf, workflowOf } from './read-workflow.js';

export async function rehearseFile(context: Context, files: readonly string[], options: Options): Promise<undefined> {
  requireOneReader(files, options);
  const jobs = jobsOf(options);
  const reading = await readWhole(context, files, options);
  const workflow = workflowOf(reading);
  printWarnings(context, reading);
  const warnings = warningsOf(reading);
  const rehearsal = rehearse(workflow, await inputsOf(workflow, options), jobs);
  await context.print({ ...rehearsal, ...(warnings.length > 0 && { warnings }) }, () =>
    context.isQuiet
      ? rehearsal.steps.map(({ id }) => `${id}\n`).join('')
      : displayText(rehearsalText(rehearsal, flag(options, 'full'))),
  );
  return undefined;
}
