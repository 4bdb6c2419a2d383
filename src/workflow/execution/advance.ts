/**
 * Decides what begins and what ends after something has happened to a workflow run. Pure; step.ts handles what
 * happened.
 *
 * A step begins when its phase has started, all steps it needs are completed or skipped, and fewer than `jobs` goals
 * run. Steps begin in order. Further entries of a FOREACH begin before further steps. An open question does not count
 * as a job.
 */
import { isWorkflowOver, type WorkflowError } from '../../protocol/index.js';
import { judge } from '../condition.js';
import type { Values } from '../interpolate.js';
import type { Step } from '../plan.js';
import type { Ask, Goal } from '../workflow.js';
import type { RunDraft } from './draft.js';
import { type Entry, type GoalStanding, type Slot, standingOf, yieldOf } from './goal-parts.js';
import { isStepDone, type Means, type Part, type StepProgress } from './progress.js';
import { askEffect, listOf, questionOf, runEffect } from './requests.js';
import { valuesFor } from './values.js';

/** Maximum number of entries of one FOREACH. */
const MAX_ENTRIES = 1000;

export function advance(draft: RunDraft, means: Means): void {
  if (isWorkflowOver(draft.head)) return;
  const { steps: planned } = draft.progress.plan;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    let phase = Number.POSITIVE_INFINITY;
    let free = freeJobs(draft);
    for (const [index, step] of planned.entries()) {
      const before = draft.step(index);
      if (isStepDone(before)) continue;
      if (step.phase > phase) break;
      phase = step.phase;
      if (before.state === 'running') continueGoal(draft, index, means);
      else if (before.state === 'waiting' && free > 0 && mayBegin(draft, step)) begin(draft, index, step, means);
      const after = draft.step(index);
      if (after === before) continue;
      free = freeJobs(draft);
      if (isStepDone(after)) hasChanged = true; // other steps can now begin
    }
  }
  settle(draft);
}

const mayBegin = (draft: RunDraft, { needs }: Step): boolean =>
  draft.head.error === null && needs.every((need) => isStepDone(draft.step(need)));

function begin(draft: RunDraft, index: number, step: Step, means: Means): void {
  const { goal } = step;
  const values = valuesFor(step, index, draft.progress);
  const verdict = goal.when === null ? { ok: true as const, holds: true } : judge(goal.when, values);
  const problem = verdict.ok ? verdict.holds && listProblem(goal, values) : conditionProblem(verdict.problem);
  if (problem) failBegin(draft, index, step, problem);
  else if (verdict.ok && !verdict.holds) draft.end(index, 'skipped');
  else if (goal.kind === 'ask') ask(draft, index, step, goal, means);
  else {
    draft.begin(index, 'running');
    continueGoal(draft, index, means);
  }
}

const conditionProblem = (message: string): WorkflowError => ({ error: 'ConditionError', message });

/** Returns a problem if the value for FOREACH is not a list, or is too long. */
function listProblem(goal: Goal | Ask, values: Values): WorkflowError | null {
  if (goal.kind === 'ask' || goal.foreach === null) return null;
  const list = listOf(goal, values);
  if (list !== null && list.length <= MAX_ENTRIES) return null;
  const what =
    list === null ? 'is not a list' : `has ${list.length} entries, and at most ${MAX_ENTRIES} are gone through`;
  return { error: 'ListError', message: `$${goal.foreach.list} ${what}` };
}

function ask(draft: RunDraft, index: number, step: Step, goal: Ask, { newItemId, time }: Means): void {
  const until = goal.timeout_ms === null ? null : time + goal.timeout_ms;
  draft.begin(index, 'asking', { itemId: newItemId(), question: questionOf(step, index, goal, draft.progress), until });
  draft.effects.push(askEffect(step, draft.step(index)));
}

/** Starts the runs that can start. Ends the step when none runs and none can start. */
function continueGoal(draft: RunDraft, index: number, means: Means): void {
  const { plan, head } = draft.progress;
  const step = plan.steps[index];
  if (step?.goal.kind !== 'goal') return;
  const { goal } = step;
  const entries = entriesOf(draft, step, index);
  const standing = standingOf(head.workflow, goal, draft.step(index), entries);
  if (standing.isComplete) draft.end(index, 'completed', yieldOf(goal, draft.step(index), entries));
  else if (head.error === null && standing.error === null) startSome(draft, index, standing, means);
  else if (standing.isRunning)
    return; // waits for the running ones
  else if (standing.error) fail(draft, index, standing.error);
  else draft.end(index, 'cancelled'); // another goal has failed
}

function startSome(draft: RunDraft, index: number, { startable }: GoalStanding, means: Means): void {
  let free = freeJobs(draft);
  for (const { isNew, slots } of startable) {
    if (isNew && free <= 0) break;
    if (isNew) free--;
    for (const slot of slots) start(draft, index, slot, means);
  }
}

function start(draft: RunDraft, index: number, slot: Slot, { newRunId }: Means): void {
  const part: Part = { ...slot, runId: newRunId(), state: 'running', result: null, error: null, asks: false };
  draft.change(index, { parts: [...draft.step(index).parts, part] });
  draft.effects.push(runEffect(draft.progress, index, part));
}

function entriesOf(draft: RunDraft, step: Step, index: number): Entry[] {
  const { goal } = step;
  if (goal.kind === 'ask' || goal.foreach === null) return [null];
  return (listOf(goal, valuesFor(step, index, draft.progress)) ?? []).map((_, at) => at + 1);
}

/** Returns the number of free jobs. Each entry of a FOREACH counts as a job. */
function freeJobs(draft: RunDraft): number {
  let free = draft.head.jobs;
  for (const index of draft.running) {
    const { parts } = draft.step(index);
    free -= new Set(parts.flatMap((part) => (part.state === 'running' ? [part.entry] : []))).size;
  }
  return free;
}

// ── ends ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Records a failure. The first failure becomes the error of the whole run, and open questions are withdrawn. */
export function fail(draft: RunDraft, index: number, error: WorkflowError): void {
  draft.end(index, 'failed', { error });
  if (draft.head.error === null) draft.changeHead({ error });
  draft.progress.steps.forEach(({ state, itemId }, other) => {
    if (state !== 'asking' || itemId === null) return;
    draft.end(other, 'cancelled');
    draft.effects.push({ kind: 'withdraw', itemId });
  });
}

function failBegin(draft: RunDraft, index: number, { id, goal }: Step, { error, message }: WorkflowError): void {
  const kind = goal.kind === 'ask' ? 'question' : 'goal';
  fail(draft, index, { error, message: `${kind} ${goal.name}: ${message}`, step: id });
}

function settle(draft: RunDraft): void {
  const { head, steps } = draft.progress;
  const isUnderWay = draft.running.size > 0;
  const waits = [...draft.running].every((index) => isWaiting(draft.step(index)));
  const isAsking = waits && (isUnderWay || steps.some(({ state }) => state === 'asking'));
  if (head.error !== null && !isUnderWay) draft.finish('failed', head.error);
  else if (steps.every(isStepDone)) draft.finish('completed', null);
  else draft.setState(isAsking ? 'awaiting_input' : 'running');
}

/** True if every running part waits for an answer. */
const isWaiting = ({ parts }: StepProgress): boolean => parts.every(({ state, asks }) => state !== 'running' || asks);
