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

/** `failing`: a goal has failed, its error is that of the whole run, and other goals still run. */
type WorkflowPhase = 'going' | 'failing' | 'over';

const phaseOf = ({ head }: Progress): WorkflowPhase =>
  isWorkflowOver(head) ? 'over' : head.error === null ? 'going' : 'failing';

type InputOf<K extends WorkflowInput['kind']> = Extract<WorkflowInput, { kind: K }>;
type Rules = { readonly [K in WorkflowInput['kind']]?: (draft: RunDraft, input: InputOf<K>) => void };

const WHILE_GOALS_RUN: Rules = {
  run_over: (draft, { run }) => takeRunEnd(draft, run),
  run_asks: takeAsking,
  not_started: (draft, { runId, error }) =>
    takeRunEnd(draft, { id: runId, state: 'failed', result_text: null, result_data: null, error }),
  cancelled: (draft, { by }) => cancel(draft, by),
};

/** The inputs that change a workflow run, by its phase. Every other input changes nothing. */
const RULES: Readonly<Record<WorkflowPhase, Rules>> = {
  going: { ...WHILE_GOALS_RUN, answered: takeAnswer, not_asked: takeUnasked, timed_out: takeTimeout },
  failing: WHILE_GOALS_RUN,
  over: { resumed: resume },
};

/**
 * Decides the consequences of one input for a workflow run.
 *
 * @returns The new state, the events to append, and the effects to carry out after that; or why nothing changes.
 */
export function step(progress: Progress, input: WorkflowInput, means: Means): WorkflowDecision {
  const draft = new RunDraft(progress, means);
  const phase = phaseOf(progress);
  // A rule is called with its own kind of input only.
  const rule = RULES[phase][input.kind] as ((draft: RunDraft, input: WorkflowInput) => void) | undefined;
  if (rule) rule(draft, input);
  else draft.because(`a workflow that is ${phase} takes no '${input.kind}'`);
  advance(draft, means);
  return draft.done();
}

// ── inputs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function takeAsking(draft: RunDraft, { runId, asks }: InputOf<'run_asks'>): void {
  const found = runningPart(draft, runId);
  if (found?.part.asks === asks) draft.because(`its run ${runId} ${asks ? 'already waits' : 'does not wait'}`);
  else if (found) draft.changePart(found.index, runId, { asks });
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

/** Returns the part that runs; null if there is none, and the input is then ignored. */
function runningPart(draft: RunDraft, runId: string): { readonly index: number; readonly part: Part } | null {
  for (const index of draft.running) {
    const part = draft.step(index).parts.find((one) => one.runId === runId && one.state === 'running');
    if (part) return { index, part };
  }
  draft.because(`its run ${runId} is not under way`);
  return null;
}

function takeAnswer(draft: RunDraft, { itemId, answer, by }: InputOf<'answered'>): void {
  const asking = askingBy(draft, itemId);
  if (!asking) return;
  if (answer === null) fail(draft, asking.index, askError(asking, 'AskDeclined', `${by} has declined to answer`));
  else draft.end(asking.index, 'completed', { values: { [asking.ask.output.name]: answer } });
}

function takeUnasked(draft: RunDraft, { itemId, message }: InputOf<'not_asked'>): void {
  const asking = askingBy(draft, itemId);
  if (asking) fail(draft, asking.index, askError(asking, 'AskError', `it could not be asked: ${message}`));
}

function takeTimeout(draft: RunDraft, { itemId }: InputOf<'timed_out'>): void {
  const asking = askingBy(draft, itemId);
  if (!asking) return;
  const seconds = (asking.ask.timeout_ms ?? 0) / 1000;
  fail(draft, asking.index, askError(asking, 'AskTimeoutError', `no answer within ${seconds} s`));
  draft.effects.push({ kind: 'withdraw', itemId });
}

function cancel(draft: RunDraft, by: string | undefined): void {
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
function resume(draft: RunDraft, { from, jobs }: InputOf<'resumed'>): void {
  const first = from === null ? Number.POSITIVE_INFINITY : draft.progress.steps.findIndex(({ id }) => id === from);
  if (first === -1) {
    draft.because(`it has no step ${from}`);
    return;
  }
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

/** Returns the step that asks this question; null if there is none, and the input is then ignored. */
function askingBy(draft: RunDraft, itemId: string): Asking | null {
  const { steps, plan } = draft.progress;
  const index = steps.findIndex((kept) => kept.state === 'asking' && kept.itemId === itemId);
  const { goal, id } = plan.steps[index] ?? {};
  if (goal?.kind === 'ask' && id !== undefined) return { index, id, ask: goal };
  draft.because(`it does not wait for an answer to ${itemId}`);
  return null;
}

const askError = ({ id, ask }: Asking, error: string, message: string): WorkflowError => ({
  error,
  message: `question ${ask.name}: ${message}`,
  step: id,
});
