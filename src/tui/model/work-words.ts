/** Tasks, runs and blueprints in words. Pure; all returned texts are safe to display. */
import {
  type Blueprint,
  isTaskOver,
  type Run,
  type RunSummary,
  type ShownState,
  type Style,
  type Task,
  type TaskSummary,
} from '../../protocol/index.js';
import { plainLine } from '../paint/text.js';

export interface StateWords {
  readonly text: string;
  readonly style: Style;
}

/** Returns, for example, `▸ running`. */
export const markedState = ({ badge: { mark, style }, word }: ShownState): StateWords => ({
  text: `${mark} ${word}`,
  style,
});

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
