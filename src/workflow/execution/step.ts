/**
 * The state machine of a workflow run: a pure function of its state and an input.
 *
 *     waiting ─its turn→ running ─every run returned→ completed
 *                │         └─a run failed for good→ failed (running ones continue; no further step begins)
 *                ├─WHEN does not hold→ skipped
 *                └─an ASK→ asking ─answered→ completed,  ─declined, or not in time→ failed
 *
 * advance.ts decides when it is a step's turn. A run gets its id before it is started, and the id is then already in
 * the log. If the daemon dies in between, the run is therefore started exactly once.
 */
import { isWorkflowOver, type WorkflowError } from '../../protocol/index.js';
import { planOf } from '../plan.js';
import type { Ask } from '../workflow.js';
import { advance, fail } from './advance.js';
import { RunDraft } from './draft.js';
import { outcomeOf } from './part-result.js';
import {
  type Head,
  type Means,
  type Part,
  type Progress,
  type RunEnd,
  unbegun,
  type WorkflowDecision,
  type WorkflowEffect,
  type WorkflowInput,
} from './progress.js';
import { agentNamed, askEffect, runEffect } from './requests.js';

/** Creates a new workflow run and begins its first steps. */
export function createProgress(head: Head, means: Means): WorkflowDecision {
  const plan = planOf(head.workflow);
  const draft = new RunDraft({ head, plan, steps: plan.steps.map(({ id }) => unbegun(id)) }, means);
  advance(draft, means);
  const decision = draft.done();
  const created = { event_type: 'workflow_created', timestamp: head.createdAt, workflow_id: head.id } as const;
  const { name, parentSessionId: parent_session_id } = head;
  return {
    ...decision,
    events: [{ ...created, name, steps: plan.steps.length, parent_session_id }, ...decision.events],
  };
}

/** Returns the effects that must be carried out (again) for a workflow run of a previous daemon. */
export function pendingEffects(progress: Progress): WorkflowEffect[] {
  return progress.steps.flatMap((kept, index) => {
    const step = progress.plan.steps[index];
    if (step && kept.state === 'asking') return [askEffect(step, kept)];
    const effects = kept.parts.flatMap((part): WorkflowEffect[] => {
      if (part.state === 'running') return [runEffect(progress, index, part)];
      return part.state === 'cancelled' ? [cancelEffect(progress.head, part.runId)] : [];
    });
    const isAskedInVain = kept.itemId !== null && kept.state !== 'completed';
    return isAskedInVain && kept.itemId !== null ? [...effects, { kind: 'withdraw', itemId: kept.itemId }] : effects;
  });
}

const cancelEffect = ({ cancelledBy: by }: Pick<Head, 'cancelledBy'>, runId: string): WorkflowEffect => ({
  kind: 'cancel_run',
  runId,
  ...(by !== undefined && { by }),
});

type InputRule<K extends WorkflowInput['kind']> = (draft: RunDraft, input: Extract<WorkflowInput, { kind: K }>) => void;
/** One rule for each kind of input. If one is missing, the compiler reports it. */
const ON_INPUT: { readonly [K in WorkflowInput['kind']]: InputRule<K> } = {
  run_over: (draft, { run }) => takeRunEnd(draft, run),
  run_asks: takeAsking,
  not_started: (draft, { runId, error }) =>
    takeRunEnd(draft, { id: runId, state: 'failed', result_text: null, result_data: null, error }),
  answered: takeAnswer,
  not_asked: takeUnasked,
  timed_out: (draft, { itemId }) => takeTimeout(draft, itemId),
  cancelled: (draft, { by }) => cancel(draft, by),
  resumed: resume,
};

/**
 * Decides the consequences of one input for a workflow run.
 *
 * @returns The new state, the events to append, and the effects to carry out after that.
 */
export function step(progress: Progress, input: WorkflowInput, means: Means): WorkflowDecision {
  const draft = new RunDraft(progress, means);
  const rule = ON_INPUT[input.kind] as (draft: RunDraft, input: WorkflowInput) => void; // the kind selects the rule
  rule(draft, input);
  advance(draft, means);
  return draft.done();
}

// ── inputs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function takeAsking(draft: RunDraft, { runId, asks }: Extract<WorkflowInput, { kind: 'run_asks' }>): void {
  const found = runningPart(draft, runId);
  if (found && found.part.asks !== asks) draft.changePart(found.index, runId, { asks });
}

function takeRunEnd(draft: RunDraft, run: RunEnd): void {
  const found = runningPart(draft, run.id);
  if (!found) return;
  const { index, part } = found;
  const { plan, head } = draft.progress;
  const { goal, id } = plan.steps[index] ?? {};
  if (goal?.kind !== 'goal' || id === undefined) return;
  const { agent, entry, runId } = part;
  const { outputs } = agent === null ? goal : agentNamed(head.workflow, agent);
  const outcome = outcomeOf({ step: id, goal: goal.name, agent, entry, runId, outputs }, run);
  if (outcome.ok) draft.changePart(index, runId, { state: 'completed', result: outcome.result });
  else
    draft.changePart(index, runId, { state: run.state === 'cancelled' ? 'cancelled' : 'failed', error: outcome.error });
}

function runningPart(draft: RunDraft, runId: string): { readonly index: number; readonly part: Part } | null {
  for (const index of draft.running) {
    const part = draft.step(index).parts.find((one) => one.runId === runId && one.state === 'running');
    if (part) return { index, part };
  }
  return null;
}

function takeAnswer(draft: RunDraft, { itemId, answer, by }: Extract<WorkflowInput, { kind: 'answered' }>): void {
  const asking = askingBy(draft, itemId);
  if (!asking) return;
  if (answer === null) fail(draft, asking.index, askError(asking, 'AskDeclined', `${by} has declined to answer`));
  else draft.end(asking.index, 'completed', { values: { [asking.ask.output.name]: answer } });
}

function takeUnasked(draft: RunDraft, { itemId, message }: Extract<WorkflowInput, { kind: 'not_asked' }>): void {
  const asking = askingBy(draft, itemId);
  if (asking) fail(draft, asking.index, askError(asking, 'AskError', `it could not be asked: ${message}`));
}

function takeTimeout(draft: RunDraft, itemId: string): void {
  const asking = askingBy(draft, itemId);
  if (!asking) return;
  const seconds = (asking.ask.timeout_ms ?? 0) / 1000;
  fail(draft, asking.index, askError(asking, 'AskTimeoutError', `no answer within ${seconds} s`));
  draft.effects.push({ kind: 'withdraw', itemId });
}

function cancel(draft: RunDraft, by: string | undefined): void {
  if (isWorkflowOver(draft.head)) return;
  draft.finish('cancelled', { error: 'WorkflowCancelled', message: 'it was cancelled' });
  if (by !== undefined) draft.changeHead({ cancelledBy: by });
  draft.progress.steps.forEach(({ state, parts, itemId }, index) => {
    if (state !== 'running' && state !== 'asking') return;
    draft.end(index, 'cancelled');
    for (const { runId } of parts.filter((part) => part.state === 'running')) {
      draft.changePart(index, runId, { state: 'cancelled' });
      draft.effects.push(cancelEffect({ cancelledBy: by }, runId));
    }
    if (itemId !== null) draft.effects.push({ kind: 'withdraw', itemId });
  });
}

/** Resumes the run. A goal keeps the results that it already has, unless it begins again. */
function resume(draft: RunDraft, { from, jobs }: Extract<WorkflowInput, { kind: 'resumed' }>): void {
  if (!isWorkflowOver(draft.head)) return;
  const first = from === null ? Number.POSITIVE_INFINITY : draft.progress.steps.findIndex(({ id }) => id === from);
  if (first === -1) return;
  draft.changeHead({ state: 'running', error: null, endedAt: null, jobs, cancelledBy: undefined });
  draft.progress.steps.forEach((kept, index) => {
    if (index >= first && kept.state !== 'waiting') draft.change(index, unbegun(kept.id));
    else if (kept.state === 'failed' || kept.state === 'cancelled') {
      const parts = kept.parts.filter(({ state }) => state === 'completed');
      draft.change(index, { ...unbegun(kept.id), parts });
    }
  });
}

// ── questions ───────────────────────────────────────────────────────────────────────────────────────────────────────

interface Asking {
  readonly index: number;
  readonly id: string;
  readonly ask: Ask;
}

function askingBy(draft: RunDraft, itemId: string): Asking | null {
  const { steps, plan } = draft.progress;
  const index = steps.findIndex((kept) => kept.state === 'asking' && kept.itemId === itemId);
  const { goal, id } = plan.steps[index] ?? {};
  return goal?.kind === 'ask' && id !== undefined ? { index, id, ask: goal } : null;
}

const askError = ({ id, ask }: Asking, error: string, message: string): WorkflowError => ({
  error,
  message: `question ${ask.name}: ${message}`,
  step: id,
});
