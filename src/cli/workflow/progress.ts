/**
 * Formats the progress of a workflow run for standard error: a line for each change of a step.
 *
 *     analyze running (researcher, critic)
 *     analyze completed 12.0 s
 *     go waits for an answer:
 *       Release 1.2?
 *
 *       1 yes
 *       2 no
 *
 *       orchd answer itm_4f8a2c91bq --option 1   (or 2)
 *     release failed 3.1 s: agent critic: its program ended with exit code 1
 */
import {
  displayLine,
  type Event,
  type Item,
  STEP_BADGES,
  type WorkflowRun,
  type WorkflowStepState,
} from '../../protocol/index.js';
import { formatElapsed } from '../printing/counts.js';
import type { Paint } from '../printing/paint.js';
import { questionText } from '../runs/questions.js';

/** Maximum length of a step's error. The full error is printed at the end. */
const MAX_REASON = 60;

interface ProgressPorts {
  readonly paint: Paint;
  /** Returns null for an item that no longer exists. */
  readonly findItem: (id: string) => Promise<Item | null>;
}

/** Returns the lines for an event. Events must be passed in order, from the beginning of the run. */
type ProgressReporter = (event: Event) => Promise<readonly string[]>;

export function createProgressReporter(
  { id, steps }: WorkflowRun,
  { paint, findItem }: ProgressPorts,
): ProgressReporter {
  const agents = new Map(steps.map((step) => [step.id, step.agents]));
  const since = new Map<string, string>();
  /** The names of steps with an open question, by the id of the item or run. */
  const askers = new Map<string, string>();

  const stateOf = (step: string, state: WorkflowStepState, more = ''): string =>
    `${step} ${paint(STEP_BADGES[state].style, state)}${more}`;
  const changed = (event: Extract<Event, { event_type: 'workflow_step_changed' }>): string | null => {
    const { step, state, previous, timestamp, error } = event;
    if (state === previous) return null;
    const startedAt = since.get(step);
    // A step that has not begun has no duration.
    const elapsed = startedAt === undefined ? '' : ` ${formatElapsed({ started_at: startedAt, ended_at: timestamp })}`;
    switch (state) {
      case 'waiting':
        return null;
      case 'running': {
        since.set(step, timestamp);
        const named = agents.get(step) ?? [];
        return stateOf(step, state, named.length === 0 ? '' : ` (${named.join(', ')})`);
      }
      case 'asking':
        since.set(step, timestamp);
        return null; // printed when it can be answered
      case 'skipped':
        return stateOf(step, state, ': its WHEN does not hold');
      case 'failed':
        return stateOf(step, state, `${elapsed}: ${short(withoutGoal(error?.message ?? ''))}`);
      default:
        return stateOf(step, state, elapsed);
    }
  };
  const askedBy = async (step: string, items: readonly string[]): Promise<string[]> => {
    const found = await Promise.all(items.map(findItem));
    return found.flatMap((item) => (item?.state === 'open' ? [questionText(item, paint, step)] : []));
  };
  return async (event) => {
    if (event.event_type === 'workflow_step_changed') {
      if (event.workflow_id !== id) return [];
      const { step, run_ids, item_id } = event;
      for (const asker of item_id === null ? run_ids : [...run_ids, item_id]) askers.set(asker, step);
      const line = changed(event);
      return line === null ? [] : [line];
    }
    if (event.event_type !== 'item_opened' && event.event_type !== 'run_asking') return [];
    const [asker, items] =
      event.event_type === 'run_asking' ? [event.run_id, event.item_ids] : [event.item_id, [event.item_id]];
    const step = askers.get(asker);
    return step === undefined ? [] : askedBy(step, items);
  };
}

/** Removes the step's name from the message, because the line already shows it. */
export const withoutGoal = (message: string): string => message.replace(/^(?:goal|question) [^,:]*(?:, |: )/, '');

function short(text: string): string {
  const line = displayLine(text);
  const chars = [...line];
  return chars.length <= MAX_REASON ? line : `${chars.slice(0, MAX_REASON).join('').trimEnd()}…`;
}
