/** `orchd workflow check`: every problem of Agentfiles, as `FILE:LINE:COLUMN: error: …`, which editors understand. */
import { displayLine, EXIT, OrchdError } from '../../protocol/index.js';
import { type Parsing, type Problem, parse } from '../../workflow/index.js';
import type { Context } from '../context.js';
import { type AgentfileText, readAgentfile } from './read-agentfile.js';

export interface CheckOptions {
  readonly allowOutside: boolean;
  readonly isStrict: boolean;
}

export async function checkFiles(
  context: Context,
  given: readonly string[],
  { allowOutside, isStrict }: CheckOptions,
): Promise<number | undefined> {
  const checked: { readonly file: string; readonly valid: boolean; readonly parsing: Parsing }[] = [];
  for (const one of given) {
    const agentfile = await readAgentfile(one, context.cwd, allowOutside);
    const parsing = parse(agentfile.text, { readFile: agentfile.readFile, allowOutside });
    const isWrong = ({ severity }: Problem): boolean => isStrict || severity === 'error';
    checked.push({ file: agentfile.file, valid: !parsing.problems.some(isWrong), parsing });
  }
  const valid = checked.every((one) => one.valid);
  const files = checked.map(({ file, valid: ok, parsing }) => ({ file, valid: ok, ...parsing }));
  await context.print({ valid, files }, () =>
    checked.map(({ file, parsing }) => problemsText(context, file, parsing)).join(''),
  );
  return valid ? undefined : EXIT.schema;
}

/** Every problem of one Agentfile, and how many there are. */
export function problemsText(how: Pick<Context, 'paint' | 'isQuiet'>, file: string, parsing: Parsing): string {
  const problems = parsing.problems.map((problem) => describe(how, file, problem)).join('');
  return problems + (how.isQuiet ? '' : summary(file, parsing));
}

/** @throws {OrchdError} ORCHD_AGENTFILE when it cannot be used. */
export function requireValid({ file }: Pick<AgentfileText, 'file'>, problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new OrchdError('ORCHD_AGENTFILE', `${placeOf(file, first)}: ${displayLine(first.message)}${more}`, {
    problems: errors,
  });
}

function describe({ paint, isQuiet }: Pick<Context, 'paint' | 'isQuiet'>, agentfile: string, problem: Problem): string {
  const severity = paint(problem.severity === 'error' ? 'red' : 'yellow', problem.severity);
  const lines = [`${placeOf(agentfile, problem)}: ${severity}: ${displayLine(problem.message)}`];
  if (!isQuiet) lines.push(...problem.excerpt.split('\n').map((line) => `  ${line}`));
  if (!isQuiet && problem.accepted !== null) lines.push(paint('dim', `  accepted: ${displayLine(problem.accepted)}`));
  return `${lines.join('\n')}\n`;
}

const placeOf = (agentfile: string, { file, line, column }: Problem): string =>
  `${displayLine(file ?? agentfile)}:${line}:${column}`;

function summary(file: string, { workflow, problems }: Parsing): string {
  const of = (severity: string): number => problems.filter((problem) => problem.severity === severity).length;
  const counts = [count(of('error'), 'error'), count(of('warning'), 'warning')].filter((text) => text !== '');
  const what = [count(workflow.goals.length, 'goal'), count(workflow.agents.length, 'agent')].filter(
    (text) => text !== '',
  );
  const verdict = of('error') > 0 ? '' : `valid (${what.join(', ')})`;
  return `${displayLine(file)}: ${[verdict, ...counts].filter((text) => text !== '').join(', ')}\n`;
}

const count = (number: number, what: string): string =>
  number === 0 ? '' : `${number} ${what}${number === 1 ? '' : 's'}`;
