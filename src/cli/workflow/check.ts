/**
 * `orchd workflow check`: prints every problem of Agentfiles as `FILE:LINE:COLUMN: error: …`, which editors understand.
 */
import { counted, displayLine, EXIT, OrchdError } from '../../protocol/index.js';
import { type Check, check, type Parsing, type Problem, parse, type Workflow } from '../../workflow/index.js';
import type { Context } from '../program/context.js';
import { type AgentfileText, readAgentfile } from './read-agentfile.js';

interface CheckOptions {
  readonly allowOutside: boolean;
  readonly isStrict: boolean;
}

export async function checkFiles(
  context: Context,
  given: readonly string[],
  { allowOutside, isStrict }: CheckOptions,
): Promise<number | undefined> {
  // Only --json prints the workflow. Checking a file of 10,000 lines is much faster without building it.
  const load = context.isJson ? parse : check;
  const files: ({ readonly file: string; readonly valid: boolean } & (Parsing | Check))[] = [];
  const unread: OrchdError[] = [];
  for (const one of given) {
    const agentfile = await readAgentfile(one, context.cwd, allowOutside).catch((error: unknown) => {
      if (!(error instanceof OrchdError)) throw error;
      unread.push(error);
    });
    if (!agentfile) continue;
    const { file, text, readFile } = agentfile;
    const found = load(text, { readFile, allowOutside });
    const isWrong = ({ severity }: Problem): boolean => isStrict || severity === 'error';
    files.push({ file, valid: !found.problems.some(isWrong), ...found });
  }
  // One unreadable file must not hide the problems of the other files.
  if (unread.length > 0 && files.length === 0) throw allOf(unread);
  const valid = unread.length === 0 && files.every((one) => one.valid);
  await context.print({ valid, files }, () =>
    files.map(({ file, ...found }) => problemsText(context, file, found)).join(''),
  );
  if (unread.length > 0) throw allOf(unread);
  return valid ? undefined : EXIT.schema;
}

const allOf = (errors: readonly OrchdError[]): OrchdError =>
  new OrchdError('ORCHD_FILE', errors.map(({ message }) => message).join('\n'));

/** Formats all problems of an Agentfile, and their number. */
export function problemsText(how: Pick<Context, 'paint' | 'isQuiet'>, file: string, found: Parsing | Check): string {
  const problems = found.problems.map((problem) => describe(how, file, problem)).join('');
  return problems + (how.isQuiet ? '' : summary(file, found));
}

/** @throws {OrchdError} ORCHD_AGENTFILE if the Agentfile has errors. */
export function requireValid({ file }: Pick<AgentfileText, 'file'>, problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new OrchdError('ORCHD_AGENTFILE', `${targetOf(file, first)}: ${displayLine(first.message)}${more}`, {
    problems: errors,
  });
}

function describe({ paint, isQuiet }: Pick<Context, 'paint' | 'isQuiet'>, agentfile: string, problem: Problem): string {
  const severity = paint(problem.severity === 'error' ? 'red' : 'yellow', problem.severity);
  const lines = [`${targetOf(agentfile, problem)}: ${severity}: ${displayLine(problem.message)}`];
  if (!isQuiet) lines.push(...problem.excerpt.split('\n').map((line) => `  ${line}`));
  if (!isQuiet && problem.accepted !== null) lines.push(paint('dim', `  accepted: ${displayLine(problem.accepted)}`));
  return `${lines.join('\n')}\n`;
}

const targetOf = (agentfile: string, { file, line, column }: Problem): string =>
  `${displayLine(file ?? agentfile)}:${line}:${column}`;

function summary(file: string, found: Parsing | Check): string {
  const { problems } = found;
  const { goals, agents } = 'workflow' in found ? sizeOf(found.workflow) : found;
  const of = (severity: string): number => problems.filter((problem) => problem.severity === severity).length;
  const counts = [count(of('error'), 'error'), count(of('warning'), 'warning')].filter((text) => text !== '');
  const what = [count(goals, 'goal'), count(agents, 'agent')].filter((text) => text !== '');
  const verdict = of('error') > 0 ? '' : `valid (${what.join(', ')})`;
  return `${displayLine(file)}: ${[verdict, ...counts].filter((text) => text !== '').join(', ')}\n`;
}

const sizeOf = ({ goals, agents }: Workflow): Pick<Check, 'goals' | 'agents'> => ({
  goals: goals.length,
  agents: agents.length,
});

const count = (number: number, what: string): string => (number === 0 ? '' : counted(number, what));
