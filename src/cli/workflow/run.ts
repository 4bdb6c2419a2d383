/**
 * `orchd workflow run | resume`: starts a workflow in the daemon and follows it until its end, unless it is detached.
 *
 * The daemon does not read the person's files. The command sends the Agentfile, the files named by FROM, and the
 * profiles of the configuration.
 */
import { resolve } from 'node:path';
import { type Client, callerOf } from '../../client/index.js';
import { EXIT, type InputOf, OrchdError, type WorkflowRun } from '../../protocol/index.js';
import { projectInput } from '../commands/agent.js';
import { callStarting } from '../daemon/daemon-process.js';
import { refuseEnv, remoteDirectory } from '../hub/remote-directory.js';
import { clientOn, machineOf, onMachine, targetOf } from '../hub/remote-target.js';
import { errorPaint } from '../printing/paint.js';
import { flag, list, type Options, text } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';
import { problemsText, requireValid } from './check.js';
import { follow } from './follow.js';
import { inputsOf, jobsOf, requireOneReader } from './inputs.js';
import { printWarnings, readWhole } from './read-workflow.js';
import { warnOfLabels } from './warn-labels.js';

export async function runFile(
  context: Context,
  given: readonly string[],
  options: Options,
): Promise<number | undefined> {
  requireOneReader(given, options);
  const jobs = jobsOf(options);
  const reading = await readWhole(context, given, options);
  const { agentfile, parsing, files } = reading;
  const { workflow, problems } = parsing;
  if (context.isJson) requireValid(agentfile, problems);
  else if (problems.some(({ severity }) => severity === 'error')) {
    process.stderr.write(
      problemsText({ paint: errorPaint(context), isQuiet: context.isQuiet }, agentfile.file, parsing),
    );
    return EXIT.schema;
  }
  printWarnings(context, reading);
  const [adapter, model, machine] = [text(options, 'adapter'), text(options, 'model'), machineOf(options)];
  if (machine === undefined) await warnOfLabels(context, workflow);
  const input: InputOf<'workflow.run'> = {
    agentfile: agentfile.text,
    files,
    name: agentfile.directoryName.trim() || 'workflow',
    jobs,
    input: Object.fromEntries(await inputsOf(workflow, options)),
    ...(adapter !== undefined && { adapter }),
    ...(model !== undefined && { model }),
    ...(machine === undefined
      ? {
          profiles: (await readConfig(context)).profiles,
          ...projectInput(context, {}),
          cwd: resolve(context.cwd, text(options, 'cwd') ?? '.'),
          ...callerOf(context.env, list(options, 'env')),
        }
      : await remoteDirectory(clientOn(context, machine), options)),
  };
  return begin(context, options, (client) => client.call('workflow.run', input).catch(throwAllProblems), machine);
}

export function resumeRun(context: Context, selector: string, options: Options): Promise<number | undefined> {
  const { machine, selector: workflow } = targetOf(selector, options);
  if (machine !== undefined) refuseEnv(options);
  const from = text(options, 'from');
  const input: InputOf<'workflow.resume'> = {
    workflow,
    ...(from !== undefined && { from }),
    ...(text(options, 'jobs') !== undefined && { jobs: jobsOf(options) }),
    ...(machine === undefined && callerOf(context.env, list(options, 'env'))),
  };
  const resume = (client: Pick<Client, 'call'>): Promise<WorkflowRun> =>
    client.call('workflow.resume', input).catch(throwAllProblems);
  return begin(context, options, resume, machine);
}

async function begin(
  context: Context,
  options: Options,
  make: (client: Pick<Client, 'call'>) => Promise<WorkflowRun>,
  machine?: string,
): Promise<number | undefined> {
  if (!flag(options, 'detach')) return follow(context, make, machine);
  const started = await callStarting(context, () => make(clientOn(context, machine)));
  await context.print(onMachine(started, machine), () => `${started.id}\n`);
  return undefined;
}

/** Reports every problem that the daemon finds with blueprints, profiles and programs, one per line. */
function throwAllProblems(error: unknown): never {
  const errors =
    // details of ORCHD_INVALID
    error instanceof OrchdError ? (error.details?.['errors'] as { message: string }[] | undefined) : undefined;
  if (!(error instanceof OrchdError) || errors === undefined || errors.length < 2) throw error;
  const lines = errors.map(({ message }) => `\n  ${message}`);
  throw new OrchdError(error.code, `the workflow cannot run:${lines.join('')}`, error.details);
}
