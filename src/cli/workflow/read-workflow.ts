/**
 * Reads one Agentfile as a workflow.
 *
 * In:   the path from the person, which must be one Agentfile, and the options of `orchd workflow`.
 * Out:  `readWhole` returns the parsed file with all problems and the texts of the files named by FROM. `readWorkflow`
 *       returns a workflow without errors; its name is the directory's if the file sets none.
 */
import { OrchdError } from '../../protocol/index.js';
import { type Parsing, type Problem, parse, type Workflow } from '../../workflow/index.js';
import { errorPaint } from '../printing/paint.js';
import { flag, type Options } from '../program/command.js';
import type { Context } from '../program/context.js';
import { problemsText, requireValid } from './check.js';
import { type AgentfileText, readAgentfile } from './read-agentfile.js';

interface Reading {
  readonly agentfile: AgentfileText;
  readonly parsing: Parsing;
  /** The contents of the prompt files, by their path as written after FROM. */
  readonly files: Readonly<Record<string, string>>;
}

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE */
export async function readWhole(
  { cwd }: Pick<Context, 'cwd'>,
  [given = '', ...more]: readonly string[],
  options: Options,
): Promise<Reading> {
  if (more.length > 0) throw new OrchdError('ORCHD_USAGE', 'one Agentfile at a time');
  const allowOutside = flag(options, 'allowOutside');
  const agentfile = await readAgentfile(given, cwd, allowOutside);
  const files = new Map<string, string>();
  const readFile = (path: string) => {
    const reading = agentfile.readFile(path);
    if ('text' in reading) files.set(path, reading.text);
    return reading;
  };
  const parsing = parse(agentfile.text, { readFile, allowOutside });
  return { agentfile, parsing, files: Object.fromEntries(files) };
}

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE, ORCHD_AGENTFILE */
export async function readWorkflow(
  context: Pick<Context, 'cwd'>,
  given: readonly string[],
  options: Options,
): Promise<Workflow> {
  return workflowOf(await readWhole(context, given, options));
}

/** @throws {OrchdError} ORCHD_AGENTFILE */
export function workflowOf({ agentfile, parsing }: Reading): Workflow {
  requireValid(agentfile, parsing.problems);
  return { ...parsing.workflow, name: parsing.workflow.name ?? agentfile.directoryName };
}

export const warningsOf = ({ parsing }: Reading): Problem[] =>
  parsing.problems.filter(({ severity }) => severity === 'warning');

/** Prints the warnings of `orchd workflow check` on standard error. With --json, they are part of the result. */
export function printWarnings(context: Context, reading: Reading): void {
  const problems = warningsOf(reading);
  if (problems.length === 0 || context.isJson || context.isQuiet) return;
  const how = { paint: errorPaint(context), isQuiet: true };
  process.stderr.write(problemsText(how, reading.agentfile.file, { ...reading.parsing, problems }));
}
