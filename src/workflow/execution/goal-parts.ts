/**
 * The runs of one goal: which ones start next, and whether the goal has failed or is completed. Pure.
 *
 * A goal without FOREACH has one entry, null. For each entry, the agents run first, in parallel, and then the goal
 * itself. A failed run is repeated as often as its RETRY says. After a final failure no further run begins, and the
 * running ones continue to their end.
 */
import type { WorkflowError } from '../../protocol/index.js';
import type { Goal, Workflow } from '../workflow.js';
import type { Part, PartResult, StepProgress } from './progress.js';
import { agentNamed } from './requests.js';

export type Entry = number | null;
/** The agent and the entry that a run belongs to. */
export type Slot = Pick<Part, 'agent' | 'entry'>;

export interface GoalStanding {
  /** Runs that can start, grouped by the entry of the list. Entries that have already begun come first. */
  readonly startable: readonly { readonly isNew: boolean; readonly slots: readonly Slot[] }[];
  readonly isRunning: boolean;
  /** Number of running entries. */
  readonly running: number;
  /** The final error; null if there is none. */
  readonly error: WorkflowError | null;
  readonly isComplete: boolean;
}

export function standingOf(
  workflow: Workflow,
  goal: Goal,
  { parts }: StepProgress,
  entries: readonly Entry[],
): GoalStanding {
  const byEntry = new Map<Entry, Part[]>(entries.map((entry) => [entry, []]));
  for (const part of parts) byEntry.get(part.entry)?.push(part);
  const all = [...byEntry].map(([entry, own]) => entryOf(workflow, goal, entry, own));
  const error = all.find((one) => one.error)?.error ?? null;
  const startable = all.filter(({ slots }) => slots.length > 0);
  return {
    startable: error
      ? []
      : [...startable.filter(({ isRunning }) => isRunning), ...startable.filter(({ isRunning }) => !isRunning)].map(
          ({ slots, isRunning }) => ({ isNew: !isRunning, slots }),
        ),
    isRunning: parts.some(({ state }) => state === 'running'),
    running: all.filter(({ isRunning }) => isRunning).length,
    error,
    isComplete: all.every(({ isComplete }) => isComplete),
  };
}

interface EntryStanding {
  readonly slots: readonly Slot[];
  readonly isRunning: boolean;
  readonly isComplete: boolean;
  readonly error: WorkflowError | null;
}

function entryOf(workflow: Workflow, goal: Goal, entry: Entry, parts: readonly Part[]): EntryStanding {
  const agents = goal.agents.map((name) => slotOf(parts, { agent: name, entry }, agentNamed(workflow, name).retry));
  const own = slotOf(parts, { agent: null, entry }, goal.retry);
  const isReady = agents.every(({ isComplete }) => isComplete);
  const wanted = isReady ? [own] : agents;
  return {
    slots: wanted.flatMap(({ slot, isStartable }) => (isStartable ? [slot] : [])),
    isRunning: parts.some(({ state }) => state === 'running'),
    isComplete: own.isComplete,
    error: [...agents, own].find((one) => one.error)?.error ?? null,
  };
}

function slotOf(parts: readonly Part[], slot: Slot, retry: number) {
  const own = parts.filter(({ agent }) => agent === slot.agent);
  const last = own.at(-1);
  const failed = own.filter(({ state }) => state === 'failed').length;
  const isFinal = last?.state === 'cancelled' || (last?.state === 'failed' && failed > retry);
  return {
    slot,
    isComplete: last?.state === 'completed',
    isStartable: last === undefined || (last.state === 'failed' && !isFinal),
    error: isFinal ? last.error : null,
  };
}

/** Returns the values or the text of a completed goal. */
export function yieldOf(
  goal: Goal,
  { parts }: StepProgress,
  entries: readonly Entry[],
): Pick<StepProgress, 'values' | 'result'> {
  const results = entries.map((entry) => resultOf(parts, entry));
  const isList = goal.foreach !== null;
  if (goal.outputs.length === 0) {
    const texts = results.map((result) => ('text' in result ? result.text : ''));
    return { values: null, result: isList ? texts : (texts[0] ?? '') };
  }
  const values = goal.outputs.map(({ name }): [string, unknown] => {
    const each = results.map((result) => ('values' in result ? result.values[name] : null));
    return [name, isList ? each : each[0]];
  });
  return { values: Object.fromEntries(values), result: null };
}

function resultOf(parts: readonly Part[], entry: Entry): PartResult {
  const own = parts.findLast((part) => part.agent === null && part.entry === entry && part.state === 'completed');
  if (!own?.result) throw new Error('an entry of a complete goal has a result');
  return own.result;
}
