/** Reads the limits of a run from the command line. */
import { type InputOf, OrchdError } from '../../protocol/index.js';
import { type Options, text } from '../program/command.js';
import { parseDuration, parseWhole } from './parse-values.js';

export function limitsOf(options: Options): NonNullable<InputOf<'run.start'>['limits']> {
  const [timeout, turns, cost] = [text(options, 'timeout'), text(options, 'maxTurns'), text(options, 'maxCost')];
  return {
    ...(timeout !== undefined && { timeout: parseDuration('--timeout', timeout) / 1000 }),
    ...(turns !== undefined && { max_turns: parseWhole('--max-turns', turns) }),
    ...(cost !== undefined && { max_cost: parseDollars(cost) }),
  };
}

function parseDollars(value: string): number {
  if (/^\d{1,6}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
  throw new OrchdError('ORCHD_USAGE', `--max-cost takes US dollars such as 2.50, not '${value}'`);
}
