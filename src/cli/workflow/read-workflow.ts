/**
 * One Agentfile as a workflow, for what goes on with it.
 *
 * In:   what the person named: one Agentfile; the options of `orchd workflow`.
 * Out:  the workflow, which is without errors and has a name; its directory's where the file says none.
 */
import { OrchdError } from '../../protocol/index.js';
import { parse, type Workflow } from '../../workflow/index.js';
import { flag, type Options } from '../command.js';
import type { Context } from '../context.js';
import { requireValid } from './check.js';
import { readAgentfile } from './read-agentfile.js';

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE, ORCHD_AGENTFILE */
export async function readWorkflow(
  context: Pick<Context, 'cwd'>,
  [given = '', ...more]: readonly string[],
  options: Options,
): Promise<Workflow> {
  if (more.length > 0) throw new OrchdError('ORCHD_USAGE', 'one Agentfile at a time');
  const allowOutside = flag(options, 'allowOutside');
  const agentfile = await readAgentfile(given, context.cwd, allowOutside);
  const { workflow, problems } = parse(agentfile.text, { readFile: agentfile.readFile, allowOutside });
  requireValid(agentfile, problems);
  return { ...workflow, name: workflow.name ?? agentfile.directoryName };
}
