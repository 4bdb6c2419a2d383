/**
 * Workflow runs: carries out the decisions of `workflow/execution/step.ts`, one after the other for each run.
 *
 * In:   Agentfiles from clients; ended runs; answered questions; the clock.
 * Out:  decisions. Each is on disk before it is announced and before its effects are carried out. The next daemon may
 *       repeat the effects: runs and items get their ids from the decision and are created once.
 */
import { randomBytes } from 'node:crypto';
import { timestamp } from '../../lifecycle/index.js';
import {
  DEFAULT_LIST,
  DEFAULT_UMASK,
  errorMessage,
  ID_BYTES,
  type InputOf,
  type Item,
  isWorkflowOver,
  makeId,
  OrchdError,
  type OutputOf,
  type Paths,
  type Run,
  type WorkflowProfile,
  type WorkflowRun,
  type WorkflowRunSummary,
} from '../../protocol/index.js';
import type { Row } from '../../store/index.js';
import {
  briefOf,
  createProgress,
  type Head,
  type Means,
  type PartRequest,
  type Progress,
  pendingEffects,
  type RunEnd,
  recordOf,
  step,
  summaryOf,
  type WorkflowEffect,
  type WorkflowInput,
} from '../../workflow/index.js';
import { dropEnvironment, environmentOf, keepEnvironment, startError } from '../attempts/index.js';
import { Timers } from '../concurrency/index.js';
import { Collection, DecisionLoop } from '../decisions/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import { loginEnvironment } from '../program/index.js';
import {
  openQuestion,
  type QuestionPorts,
  questionItem,
  type SessionEntry,
  withdrawQuestions,
} from '../registry/index.js';
import { type DepthPorts, mayStartOthers, type Runs } from '../runs/index.js';
import { type QuestionSessionPorts, QuestionSessions } from './question-session.js';
import type { RemoteRuns } from './remote-runs.js';
import { checkPrograms, type ProgramPorts, requestOf } from './request.js';
import { restoreProgress, rowIdsOf, rowsOf } from './rows.js';
import { readWorkflow } from './source.js';

interface WorkflowsPorts extends QuestionPorts, QuestionSessionPorts, ProgramPorts, DepthPorts {
  readonly paths: Paths;
  readonly runs: Runs;
  /** The profiles in the configuration. */
  readonly profiles: Readonly<Record<string, WorkflowProfile>>;
  readonly remoteRuns: RemoteRuns;
  readonly outbox: Outbox;
  readonly bus: EventBus;
}

/** Runs, resumes and cancels workflows. */
export class Workflows {
  readonly #ports: WorkflowsPorts;
  readonly collection = new Collection<Progress>('workflow', ({ head }) => head.endedAt);
  readonly #loop: DecisionLoop<Progress, WorkflowInput, WorkflowEffect>;
  readonly #questionSessions: QuestionSessions;
  readonly #timers = new Timers();
  /** Runs that are being created, by id. */
  readonly #starting = new Map<string, Promise<void>>();

  constructor(ports: WorkflowsPorts) {
    this.#ports = ports;
    this.#questionSessions = new QuestionSessions(ports);
    this.#loop = new DecisionLoop({
      ...ports,
      collection: this.collection,
      decide: (aggregate, input) => step(aggregate, input, this.#means()),
      rowsOf: (_id, aggregate, before) => rowsOf(before, aggregate),
      onStored: (id, { head }) => {
        if (head.state === 'completed') dropEnvironment(ports.paths, id); // a failed run may be resumed
      },
      carryOut: (id, effect) => this.#carryOut(id, effect),
    });
  }

  // ── requests of clients ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * @param id  Default: a new id.
   * @throws {OrchdError} ORCHD_AGENTFILE with all problems, ORCHD_INVALID with all other problems, ORCHD_STORE_FULL
   */
  async run(
    input: InputOf<'workflow.run'>,
    parent: SessionEntry | null,
    id: string = this.#loop.newId(),
  ): Promise<WorkflowRun> {
    const { paths, profiles, now } = this.#ports;
    this.#loop.needRoom();
    if (parent) mayStartOthers(this.#ports, parent);
    const { workflow, name, inputs, warnings } = readWorkflow(input);
    const { jobs = 1, adapter = null, model = null, project = null, umask = DEFAULT_UMASK } = input;
    const given = { adapter, model, project, profiles: { ...profiles, ...input.profiles } };
    const login = loginEnvironment();
    const place = { cwd: input.cwd ?? login.HOME, env: input.env ?? login };
    await checkPrograms(this.#ports, workflow, { ...given, ...place, isWanted: () => true });
    await keepEnvironment(paths, id, place.env);
    const head: Head = {
      id,
      name,
      agentfile: input.agentfile,
      workflow,
      inputs,
      jobs,
      ...given,
      cwd: place.cwd,
      umask,
      parentSessionId: parent?.id ?? null,
      state: 'running',
      error: null,
      createdAt: timestamp(now()),
      endedAt: null,
    };
    await this.#loop.take(id, createProgress(head, this.#means()));
    const listed = warnings.map(({ code, message, file, line, column }) => ({ code, message, file, line, column }));
    return { ...this.show(id), ...(listed.length > 0 && { warnings: listed }) };
  }

  /**
   * @param requestKey  Marks repetitions of a request of another machine. A repetition resumes nothing.
   * @throws {OrchdError} ORCHD_WORKFLOW_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_WORKFLOW_STATE, ORCHD_INVALID, ORCHD_STORE_FULL
   */
  async resume(
    { workflow: selector, from, jobs, env, umask }: InputOf<'workflow.resume'>,
    requestKey: string | null = null,
  ): Promise<WorkflowRun> {
    const { head, steps } = this.collection.find(selector);
    if (requestKey !== null && head.resumedBy === requestKey) return this.show(head.id);
    const mayResume = head.state === 'failed' || head.state === 'cancelled' || (head.state === 'completed' && from);
    if (!mayResume) {
      const hint = head.state === 'completed' ? ': `--from GOAL` runs it again from there' : '';
      throw new OrchdError('ORCHD_WORKFLOW_STATE', `workflow run ${head.id} is ${head.state}${hint}`);
    }
    const ids = steps.map(({ id }) => id);
    if (from !== undefined && !ids.includes(from)) {
      throw new OrchdError('ORCHD_INVALID', `there is no step '${from}' among ${ids.join(', ')}`);
    }
    this.#loop.needRoom();
    const first = from === undefined ? steps.length : ids.indexOf(from);
    const toDo = steps.filter(({ state }, index) => index >= first || (state !== 'completed' && state !== 'skipped'));
    const isWanted = (stepId: string): boolean => toDo.some(({ id }) => id === stepId);
    await checkPrograms(this.#ports, head.workflow, {
      ...head,
      env: env ?? (await environmentOf(this.#ports.paths, head.id)),
      isWanted,
    });
    if (env) await keepEnvironment(this.#ports.paths, head.id, env);
    const aggregate = this.collection.find(head.id);
    if (!isWorkflowOver(aggregate.head))
      throw new OrchdError('ORCHD_WORKFLOW_STATE', `workflow run ${head.id} goes on already`);
    const changes = { ...(umask !== undefined && { umask }), ...(requestKey !== null && { resumedBy: requestKey }) };
    const renewed = { ...aggregate, head: { ...aggregate.head, ...changes } };
    const input = { kind: 'resumed', from: from ?? null, jobs: jobs ?? aggregate.head.jobs } as const;
    await this.#loop.take(head.id, step(renewed, input, this.#means()));
    return this.show(head.id);
  }

  /**
   * Resolves when its programs have ended.
   * @throws {OrchdError} ORCHD_WORKFLOW_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_WORKFLOW_STATE
   */
  async cancel(selector: string, by: string): Promise<WorkflowRun> {
    const { head, steps } = this.collection.find(selector);
    if (isWorkflowOver(head))
      throw new OrchdError('ORCHD_WORKFLOW_STATE', `workflow run ${head.id} is ${head.state} already`);
    const running = steps.flatMap(({ parts }) => parts.filter(({ state }) => state === 'running'));
    await this.#loop.apply(head.id, { kind: 'cancelled', by });
    const { runs } = this.#ports;
    const never = new AbortController().signal;
    for (const { runId } of running) {
      await this.#starting.get(runId);
      if (runs.collection.get(runId)) await runs.wait(runId, never);
    }
    return this.show(head.id);
  }

  /** @throws {OrchdError} ORCHD_WORKFLOW_UNKNOWN, ORCHD_AMBIGUOUS */
  show(selector: string, isBrief = false): WorkflowRun {
    const aggregate = this.collection.find(selector);
    const { runs, remoteRuns } = this.#ports;
    const record = recordOf(
      this.collection.view(aggregate.head.id) ?? aggregate,
      (runId) => remoteRuns.whereabouts(runId) ?? { session_id: runs.collection.get(runId)?.session_id ?? null },
    );
    return isBrief ? briefOf(record) : record;
  }

  /** @throws {OrchdError} ORCHD_WORKFLOW_UNKNOWN, ORCHD_AMBIGUOUS */
  source(selector: string): OutputOf<'workflow.source'> {
    const { agentfile = null, workflow } = this.collection.find(selector).head;
    return { agentfile, workflow: { ...workflow } };
  }

  list({ state, limit = DEFAULT_LIST }: InputOf<'workflow.list'>): WorkflowRunSummary[] {
    const wanted = this.collection.views().filter(({ head }) => state === undefined || head.state === state);
    return wanted.slice(-limit).map(summaryOf);
  }

  /**
   * Resolves when it is over.
   * @throws {OrchdError} ORCHD_WORKFLOW_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TIMEOUT
   */
  async wait(selector: string, signal: AbortSignal): Promise<WorkflowRun> {
    const { id } = this.collection.find(selector).head;
    const head = (): Head => (this.collection.view(id) ?? this.collection.find(id)).head;
    // A run that a decision continues is not over, although that decision is not stored yet.
    const isOver = (): boolean => isWorkflowOver(head()) && isWorkflowOver(this.collection.find(id).head);
    const look = (): WorkflowRun | null => (isOver() ? this.show(id) : null);
    return this.#loop.until(id, look, signal, () => `workflow run ${id} is still ${head().state}`);
  }

  /** Removes old workflow runs. */
  async forget(ids: readonly string[]): Promise<void> {
    const steps = ids.flatMap((id) => {
      const aggregate = this.collection.aggregate(id);
      return aggregate ? rowIdsOf(aggregate) : [];
    });
    for (const id of ids) dropEnvironment(this.#ports.paths, id);
    await this.#loop.forget(ids, { workflows: ids, workflowSteps: steps });
  }

  // ── inputs ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Restores the workflow runs of the previous daemon. Called after the runs were recovered. */
  recover(heads: readonly Row[], steps: readonly Row[]): void {
    for (const aggregate of restoreProgress(heads, steps)) {
      this.collection.restore(aggregate.head.id, aggregate);
    }
    this.#loop.resume(pendingEffects);
  }

  close(): void {
    this.#loop.close();
    this.#timers.close();
  }

  onRunOver(run: Run): void {
    if (run.workflow_id !== undefined) void this.#loop.apply(run.workflow_id, { kind: 'run_over', run });
  }

  onAsking({ id: runId, workflow_id, asking }: Run): void {
    if (workflow_id !== undefined)
      void this.#loop.apply(workflow_id, { kind: 'run_asks', runId, asks: asking !== undefined });
  }

  /** Called when a run on another machine is over. */
  onPlacedOver(id: string, run: RunEnd): void {
    void this.#loop.apply(id, { kind: 'run_over', run });
  }

  /** Called when a changed item of a workflow is on disk. */
  onItem({ id: itemId, workflow_id, state, answer }: Item): void {
    if (workflow_id === undefined || state === 'open') return;
    this.#timers.clear(itemId);
    if (state !== 'answered' || !answer) return;
    const text = answer.declined ? null : answer.text;
    void this.#loop.apply(workflow_id, { kind: 'answered', itemId, answer: text, by: answer.by });
  }

  // ── effects ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #carryOut(id: string, effect: WorkflowEffect): void {
    switch (effect.kind) {
      case 'run':
        this.#run(id, effect.request);
        break;
      case 'ask':
        void this.#ask(id, effect);
        break;
      case 'cancel_run':
        this.#ports.runs.cancelIfAlive(effect.runId, effect.by);
        void this.#ports.remoteRuns.withdraw(effect.runId);
        break;
      case 'withdraw':
        void withdrawQuestions(this.#ports, [effect.itemId], 'workflow_ended');
        break;
    }
  }

  /** Starts the run if it was not started yet, or handles its end. */
  #run(id: string, request: PartRequest): void {
    const { runId } = request;
    const known = this.#ports.runs.collection.get(runId);
    if (known?.ended_at) this.onRunOver(known);
    else if (known) this.onAsking(known);
    const aggregate = this.collection.aggregate(id);
    if (known || !aggregate) return;
    const starting = this.#start(id, aggregate.head, request).finally(() => this.#starting.delete(runId));
    this.#starting.set(runId, starting);
  }

  async #start(id: string, head: Head, request: PartRequest): Promise<void> {
    const { runs, registry, remoteRuns } = this.#ports;
    const { runId, stepId, agent } = request;
    const parent = head.parentSessionId === null ? null : (registry.get(head.parentSessionId) ?? null);
    try {
      if (await remoteRuns.place(head, request)) return; // its end is reported to `onPlacedOver`
      const env = await environmentOf(this.#ports.paths, id);
      const step = { workflow_id: id, step_id: stepId, ...(agent !== null && { step_agent: agent }) };
      await runs.start(await requestOf(this.#ports, { head, request, env }), parent, { id: runId, step });
      // The workflow was cancelled before its run existed.
      if (!this.#isWanted(id, runId)) runs.cancelIfAlive(runId, this.collection.aggregate(id)?.head.cancelledBy);
    } catch (error) {
      await this.#loop.apply(id, { kind: 'not_started', runId, error: startError(error) });
    }
  }

  #isWanted(id: string, runId: string): boolean {
    const parts = this.collection.aggregate(id)?.steps.flatMap((kept) => kept.parts) ?? [];
    return parts.some((part) => part.runId === runId && part.state === 'running');
  }

  /** Opens a question, or handles its answer if it was already given. */
  async #ask(
    id: string,
    { itemId, question, choices, until }: Extract<WorkflowEffect, { kind: 'ask' }>,
  ): Promise<void> {
    const { registry, now, log } = this.#ports;
    const head = this.collection.aggregate(id)?.head;
    const known = questionItem(registry, itemId);
    if (known) this.onItem(known);
    else if (head) {
      try {
        const session = await this.#questionSessions.of(head);
        await openQuestion(this.#ports, session, { itemId, by: { workflow_id: id }, question, options: choices });
        // The workflow was cancelled before the item existed.
        if (!this.#isAsking(id, itemId)) await withdrawQuestions(this.#ports, [itemId], 'workflow_ended');
      } catch (error) {
        log.error('a question of a workflow could not be asked', error, { workflow: id });
        const message = errorMessage(error);
        return this.#loop.apply(id, { kind: 'not_asked', itemId, message });
      }
    }
    if (until === null || !this.#isAsking(id, itemId)) return;
    this.#timers.set(itemId, until - now(), () => void this.#timeOut(id, itemId));
  }

  /** Handles a timeout, unless the question was answered just before. */
  async #timeOut(id: string, itemId: string): Promise<void> {
    await withdrawQuestions(this.#ports, [itemId], 'workflow_ended');
    if (questionItem(this.#ports.registry, itemId)?.state !== 'answered')
      await this.#loop.apply(id, { kind: 'timed_out', itemId });
  }

  #isAsking(id: string, itemId: string): boolean {
    return (
      this.collection.aggregate(id)?.steps.some((kept) => kept.itemId === itemId && kept.state === 'asking') ?? false
    );
  }

  // ── helpers ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #means(): Means {
    const time = this.#ports.now();
    return {
      time,
      at: timestamp(time),
      newRunId: () => makeId('run', randomBytes(ID_BYTES)),
      newItemId: () => makeId('item', randomBytes(ID_BYTES)),
    };
  }
}
