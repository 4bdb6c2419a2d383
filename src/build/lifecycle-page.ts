/** Generates the tables in protocol/lifecycle.md: every state with every input, by calling the decisions. */
import {
  decideRun,
  decideTask,
  type RunAggregate,
  type RunInput,
  type TaskAggregate,
  type TaskInput,
} from '../lifecycle/index.js';
import { isPossible, RUN_INPUTS, RUN_STATES, TASK_INPUTS, TASK_STATES } from './lifecycle-samples.js';

/** @returns The page with both tables renewed. */
export function renewLifecyclePage(page: string): string {
  const runs = table<RunAggregate, RunInput>(RUN_STATES, RUN_INPUTS, (aggregate, input) => {
    const { aggregate: after, effects } = decideRun(aggregate, input);
    return cell(aggregate === after, after.run.state, effects);
  });
  const tasks = table<TaskAggregate, TaskInput>(TASK_STATES, TASK_INPUTS, (aggregate, input, name) => {
    if (!isPossible(aggregate.task.state, name as keyof typeof TASK_INPUTS)) return '—';
    const { aggregate: after, effects } = decideTask(aggregate, input);
    return cell(aggregate === after, after.task.state, effects);
  });
  return [
    ['runs', runs],
    ['tasks', tasks],
  ].reduce((text, [name = '', rows = '']) => {
    const place = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
    if (!place.test(text)) throw new Error(`protocol/lifecycle.md has no place for ${name}`);
    return text.replace(place, () => `<!-- ${name} -->\n${rows}\n<!-- /${name} -->`);
  }, page);
}

/** Renders a table with inputs as rows and states as columns. */
function table<S, I>(
  states: Readonly<Record<string, S>>,
  inputs: Readonly<Record<string, I>>,
  show: (state: S, input: I, name: string) => string,
): string {
  const names = Object.keys(states);
  const rows = Object.entries(inputs).map(
    ([name, input]) =>
      `| ${name} | ${Object.values(states)
        .map((state) => show(state, input, name))
        .join(' | ')} |`,
  );
  return [`| | ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length + 1)}`, ...rows].join('\n');
}

function cell(isUnchanged: boolean, state: string, effects: readonly { readonly kind: string }[]): string {
  if (isUnchanged) return '·';
  return effects.length === 0 ? state : `${state} (${effects.map(({ kind }) => kind).join(', ')})`;
}
