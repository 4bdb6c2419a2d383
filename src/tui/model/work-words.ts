/** Tasks, runs and blueprints in words. Pure; all returned texts are safe to display. */
import {
  type Blueprint,
  isTaskOver,
  RUN_BADGES,
  type Run,
  type RunSummary,
  type Style,
  TASK_BADGES,
  type Task,
  type TaskSummary,
} from '../../protocol/index.js';
import { plainLine } from '../paint/text.js';

interface StateWords {
  readonly text: string;
  readonly style: Style;
}

/** Returns, for example, `▸ running`. A task with an open question is shown as asking in every state. */
export function taskState({ state, asking }: Pick<Task, 'state' | 'asking'>): StateWords {
  if (asking !== undefined) return { text: '? asks', style: 'yellow' };
  const { mark, style } = TASK_BADGES[state];
  return { text: `${mark} ${state === 'awaiting_input' ? 'asks' : state}`, style };
}

export function runState({ state, asking }: Pick<Run, 'state' | 'asking'>): StateWords {
  if (asking !== undefined) return { text: '? asks', style: 'yellow' };
  const { mark, style } = RUN_BADGES[state];
  return { text: `${mark} ${state.replace('_', ' ')}`, style };
}

/**
 * Returns the goal of a task or a run and, if it failed, the reason behind it. A list cuts the end of long texts, and
 * the details show the whole reason.
 */
export const goalAndReason = ({ prompt, error, state }: TaskSummary | RunSummary): string =>
  [plainLine(prompt), state === 'failed' && error !== null ? plainLine(error.message) : ''].filter(Boolean).join(' · ');

/** Returns the task's current agent. If no agent works on it, returns the assigned one. */
export const taskAgent = ({ current_agent, assigned_agent }: Pick<Task, 'current_agent' | 'assigned_agent'>): string =>
  plainLine(current_agent ?? assigned_agent ?? '');

export const runAgent = ({ blueprint, adapter }: Pick<Run, 'blueprint' | 'adapter'>): string =>
  plainLine(blueprint ?? adapter);

export const blueprintPlace = ({ source, project }: Blueprint): string =>
  source === 'built-in' ? 'built in' : source === 'file' ? 'file' : project === null ? 'yours' : 'project';

/** Returns a short name for a task in questions and notices: the beginning of its prompt. */
export const briefTask = ({ prompt }: Pick<Task, 'prompt'>): string => `“${briefly(plainLine(prompt))}”`;

const BRIEF_CHARS = 24;
const briefly = (text: string): string =>
  [...text].length <= BRIEF_CHARS
    ? text
    : `${[...text]
        .slice(0, BRIEF_CHARS - 1)
        .join('')
        .trimEnd()}…`;

/** Returns what `retry` repeats in a failed task: its start if it has a plan, else the planning. */
export const retriesBy = ({ state, plan }: Pick<Task, 'state' | 'plan'>): 'plan' | 'start' | null =>
  state !== 'failed' ? null : plan === null ? 'plan' : 'start';

/** Returns what the user can do next with a task. */
export function nextStep(task: Pick<Task, 'state' | 'plan'>): string {
  switch (task.state) {
    case 'pending':
      return 'not planned yet';
    case 'planned':
      return 'waits for its start';
    case 'awaiting_input':
      return 'the planner waits for answers';
    default:
      return isTaskOver(task) ? '' : 'under way';
  }
}
