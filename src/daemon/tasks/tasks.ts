/**
 * Tasks: carries out the decisions of `lifecycle/tasks/task.ts`, one after the other for each task.
 *
 * In:   requests of clients; ended runs; answered items; tool calls that end an attempt.
 * Out:  decisions. Each is on disk before it is announced and before its effects are carried out. The next daemon may
 *       repeat the effects: runs and items get their ids from the decision and are created once.
 */
import { randomBytes } from 'node:crypto';
import {
  createTask,
  decideTask,
  openQuestions,
  PLANNER,
  resumeTask,
  type TaskAggregate,
  type TaskEffect,
  type TaskInput,
  timestamp,
  UNPLANNED,
  waitsForPerson,
} from '../../lifecycle/index.js';
import {
  DEFAULT_LIST,
  DEFAULT_UMASK,
  ID_BYTES,
  type InputOf,
  type Item,
  isTaskBusy,
  isTaskOver,
  makeId,
  mayPlan,
  mayStart,
  OrchdError,
  type Paths,
  type Run,
  type Task,
  type TaskAttempt,
  type TaskHistoryEntry,
  type TaskQuestion,
  type TaskSummary,
} from '../../protocol/index.js';
import type { Row } from '../../store/index.js';
import type { Answers } from '../answers/index.js';
import {
  dropEnvironment,
  type Environment,
  environmentOf,
  keepEnvironment,
  mayGoOn,
  requireProgram,
  startError,
} from '../attempts/index.js';
import type { Blueprints } from '../blueprints/index.js';
import { Collection, DecisionLoop } from '../decisions/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import { loginEnvironment } from '../program/index.js';
import { type Registry, type SessionEntry, withdrawQuestions } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import { openQuestionItems } from './questions.js';
import { type RequestPorts, startTaskRun } from './request.js';
import { summaryOf } from './summary.js';
import { wrongState } from './wrong-state.js';

interface TasksPorts extends RequestPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly runs: Runs;
  readonly blueprints: Blueprints;
  readonly answers: Answers;
  /** The adapter for tasks that name none; '' for none. */
  readonly defaultAdapter: string;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly log: Log;
  readonly now: () => number;
}

/** Creates, plans, starts and cancels tasks. */
export class Tasks {
  readonly #ports: TasksPorts;
  readonly collection = new Collection<TaskAggregate>('task', ({ task }) => task.ended_at);
  readonly #loop: DecisionLoop<TaskAggregate, TaskInput, TaskEffect>;
  /** Promises by run id. Each resolves when the run exists or cannot be created. */
  readonly #making = new Map<string, Promise<void>>();
  /** Promises by task id, which resolve when the task's questions are in the inbox. */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(ports: TasksPorts) {
    this.#ports = ports;
    this.#loop = new DecisionLoop({
      ...ports,
      collection: this.collection,
      decide: decideTask,
      rowsOf: (id, aggregate) => ({ tasks: [{ id, value: aggregate }] }),
      onStored: (id, { task }) => {
        if (!mayGoOn(task)) dropEnvironment(ports.paths, id);
      },
      carryOut: (id, effect) => this.#carryOut(id, effect),
    });
  }

  // ── requests of clients ───────────────────────────────────────────────────────────────────────────────────────────

  /** @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_ADAPTER_UNKNOWN, ORCHD_STORE_FULL */
  async create(input: InputOf<'task.create'>, parent: SessionEntry | null): Promise<Task> {
    const { paths, now } = this.#ports;
    this.#loop.needRoom();
    const { prompt, agent = null, project = null, adapter = null, model = null, limits = {} } = input;
    if (agent !== null) await this.#ports.blueprints.show(agent, project ?? undefined);
    if (input.plan || input.start) await this.#mustHaveProgram({ adapter, project }, PLANNER);
    else if (adapter !== null) await requireProgram(adapter);
    const login = loginEnvironment();
    const id = this.#loop.newId();
    const task: Task = {
      id,
      state: 'pending',
      prompt,
      assigned_agent: agent,
      starts_itself: input.start ?? false,
      project,
      adapter,
      model,
      limits,
      cwd: input.cwd ?? login.HOME ?? '/',
      ...UNPLANNED,
      parent_session_id: parent?.id ?? null,
      created_at: timestamp(now()),
    };
    await keepEnvironment(paths, id, input.env ?? login);
    await this.#loop.take(id, createTask({ task, chosen: agent, umask: input.umask ?? DEFAULT_UMASK, history: [] }));
    if (input.plan || input.start) return this.plan({ task: id });
    return this.show(id);
  }

  /** @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TASK_STATE, ORCHD_STORE_FULL */
  async plan({ task: selector, start, env, umask }: InputOf<'task.plan'>): Promise<Task> {
    const { task } = this.collection.find(selector);
    if (!mayPlan(task)) throw wrongState(task, 'planned');
    await this.#mustHaveProgram(task, PLANNER);
    // Another request has started the planning in the meantime.
    if (!mayPlan(this.collection.find(task.id).task)) throw wrongState(this.collection.find(task.id).task, 'planned');
    await Promise.all([
      this.#renew(task.id, env, umask),
      this.#loop.apply(task.id, { kind: 'plan', startsItself: start ?? null, ...this.#next() }),
    ]);
    return this.show(task.id);
  }

  /**
   * @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TASK_STATE, ORCHD_BLUEPRINT_UNKNOWN,
   *   ORCHD_STORE_FULL
   */
  async start({ task: selector, agent, env, umask }: InputOf<'task.start'>): Promise<Task> {
    const { task } = this.collection.find(selector);
    if (!mayStart(task)) throw wrongState(task, 'started');
    const whom = agent ?? task.assigned_agent;
    await this.#mustHaveProgram(task, whom);
    // Another request has started the task in the meantime.
    if (!mayStart(this.collection.find(task.id).task)) throw wrongState(this.collection.find(task.id).task, 'started');
    await Promise.all([
      this.#renew(task.id, env, umask),
      this.#loop.apply(task.id, { kind: 'start', agent: agent ?? null, ...this.#next() }),
    ]);
    return this.show(task.id);
  }

  /**
   * Answers one of its items.
   * @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TASK_STATE; as `Answers.answer`.
   */
  async answer({ task: selector, item, ...request }: InputOf<'task.answer'>, by: string): Promise<Task> {
    await this.#opening.get(this.collection.find(selector).task.id);
    const { task } = this.collection.find(selector);
    const open = openQuestions(task);
    const asking = this.#askingOf(task);
    const itemId =
      item === undefined
        ? (open[0]?.item_id ?? asking[0])
        : [...task.questions.map(({ item_id }) => item_id), ...asking].find((id) => id === item);
    if (itemId === undefined) {
      const what = item === undefined ? 'asks nothing' : `has not asked ${item}`;
      throw new OrchdError('ORCHD_TASK_STATE', `task ${task.id} is ${task.state}, and ${what}`);
    }
    await this.#ports.answers.answer(itemId, request, by);
    await this.#ports.outbox.drain(); // by then the effects of the answer are decided
    return this.show(task.id);
  }

  /** Resolves when its program has ended. @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TASK_STATE */
  async cancel(selector: string, by: string): Promise<Task> {
    const { task } = this.collection.find(selector);
    if (isTaskOver(task)) throw wrongState(task, 'cancelled');
    const run = isTaskBusy(task) ? task.attempts.at(-1)?.run_id : undefined;
    await this.#loop.apply(task.id, { kind: 'cancelled', by, time: this.#ports.now() });
    if (run === undefined) return this.show(task.id);
    await this.#making.get(run);
    if (this.#ports.runs.collection.get(run)) await this.#ports.runs.wait(run, new AbortController().signal);
    return this.show(task.id);
  }

  /** @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS */
  show(selector: string): Task {
    const { task } = this.#view(selector);
    return { ...task, ...this.#withAsking(task) };
  }

  history(selector: string): TaskHistoryEntry[] {
    return [...this.#view(selector).history];
  }

  list({ state, limit = DEFAULT_LIST }: InputOf<'task.list'>): TaskSummary[] {
    const tasks = this.collection.views().map(({ task }) => task);
    return tasks
      .filter((task) => state === undefined || task.state === state)
      .slice(-limit)
      .map((task) => ({ ...summaryOf(task), ...this.#withAsking(task) }));
  }

  /**
   * Resolves when the task is over or needs a person.
   * @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_TIMEOUT
   */
  async wait(selector: string, signal: AbortSignal): Promise<Task> {
    const { id } = this.collection.find(selector).task;
    const look = (): Task | null => {
      const task = this.show(id);
      // Decisions that are not on disk yet and questions that are not in the inbox yet also count.
      const isBusy = isTaskBusy(task) || isTaskBusy(this.collection.find(id).task) || this.#opening.has(id);
      return isBusy ? null : task;
    };
    return this.#loop.until(id, look, signal, () => `task ${id} is still ${this.show(id).state}`);
  }

  /** Returns the session that works on it. @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS, ORCHD_NO_AGENT */
  sessionOf(selector: string): SessionEntry {
    const { task } = this.collection.find(selector);
    const { runs, registry } = this.#ports;
    const run = isTaskBusy(task) ? runs.collection.get(task.attempts.at(-1)?.run_id ?? '') : null;
    const entry =
      run?.state === 'running' && !run.asking && run.session_id !== null ? registry.get(run.session_id) : undefined;
    if (!entry) throw new OrchdError('ORCHD_NO_AGENT', 'No agent currently active on this task');
    return entry;
  }

  /** Removes old tasks. */
  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) dropEnvironment(this.#ports.paths, id);
    await this.#loop.forget(ids, { tasks: ids });
  }

  // ── inputs ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Restores the tasks of the previous daemon. Called after the runs were recovered. */
  recover(rows: readonly Row[]): void {
    for (const { id, value } of rows) {
      const aggregate = value as TaskAggregate; // only orchd writes rows
      this.collection.restore(id, aggregate);
    }
    this.#loop.resume(resumeTask);
  }

  close(): void {
    this.#loop.close();
  }

  /** Called when the tool call that the task's agent must make is on disk. */
  onSubmitted({ id: runId, task_id }: Run): void {
    const submission = this.#ports.runs.collection.submissionOf(runId);
    if (task_id && submission) void this.#loop.apply(task_id, { kind: 'submitted', runId, at: submission.at });
  }

  onRunOver(run: Run): void {
    const { task_id, result_data } = run;
    if (!task_id || !this.collection.aggregate(task_id)) return;
    this.onSubmitted(run);
    const asked = (result_data as { readonly questions?: unknown } | null)?.questions;
    const itemIds = (Array.isArray(asked) ? asked : []).map(() => makeId('item', randomBytes(ID_BYTES)));
    void this.#loop.apply(task_id, { kind: 'run_over', run, itemIds, ...this.#next() });
  }

  /** Called when a changed item of a task is on disk. */
  onItem({ id: itemId, task_id, state, answer }: Item): void {
    if (task_id === undefined || state !== 'answered' || !answer) return;
    const text = answer.declined ? null : answer.text;
    void this.#loop.apply(task_id, { kind: 'answered', itemId, answer: text, by: answer.by, ...this.#next() });
  }

  // ── effects ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #carryOut(id: string, effect: TaskEffect): void {
    switch (effect.kind) {
      case 'run':
        this.#make(id, effect.attempt);
        break;
      case 'ask':
        this.#openQuestions(id, effect.questions);
        break;
      case 'cancel_run':
        this.#ports.runs.cancelIfAlive(effect.runId, effect.by);
        break;
      case 'withdraw':
        void withdrawQuestions(this.#ports, effect.itemIds, 'task_cancelled');
        break;
    }
  }

  #make(id: string, attempt: TaskAttempt): void {
    const made = this.#run(id, attempt).finally(() => this.#making.delete(attempt.run_id));
    this.#making.set(attempt.run_id, made);
  }

  /** Starts the run if it was not started yet, or handles its end. */
  async #run(id: string, attempt: TaskAttempt): Promise<void> {
    const { runs, paths, registry, now } = this.#ports;
    const known = runs.collection.get(attempt.run_id);
    if (known?.ended_at) return this.onRunOver(known);
    if (known) return this.onSubmitted(known);
    const aggregate = this.collection.aggregate(id);
    if (!aggregate) return;
    const { parent_session_id } = aggregate.task;
    const parent = parent_session_id === null ? null : (registry.get(parent_session_id) ?? null);
    try {
      const env = await environmentOf(paths, id);
      // The task may be cancelled before its run exists.
      if (this.#isCancelled(id)) return;
      await startTaskRun(this.#ports, { aggregate, attempt, env, parent });
      if (this.#isCancelled(id)) runs.cancelIfAlive(attempt.run_id, this.collection.aggregate(id)?.cancelledBy);
    } catch (error) {
      const failure = { runId: attempt.run_id, error: startError(error) };
      await this.#loop.apply(id, { kind: 'not_started', ...failure, time: now() });
    }
  }

  #isCancelled(id: string): boolean {
    return this.collection.aggregate(id)?.task.state === 'cancelled';
  }

  #openQuestions(id: string, questions: readonly TaskQuestion[]): void {
    const opened = this.#ask(id, questions).finally(() => {
      if (this.#opening.get(id) === opened) this.#opening.delete(id);
      this.#loop.wake(id);
    });
    this.#opening.set(id, opened);
  }

  /** Opens questions, and handles answers that were already given. */
  async #ask(id: string, questions: readonly TaskQuestion[]): Promise<void> {
    const planning = this.collection.aggregate(id)?.task.attempts.at(-1);
    const sessionId = this.#ports.runs.collection.get(planning?.run_id ?? '')?.session_id ?? null;
    const asked = await openQuestionItems(this.#ports, { taskId: id, sessionId, questions });
    if (asked === null) void this.#loop.apply(id, { kind: 'unasked', time: this.#ports.now() });
    else for (const item of asked) this.onItem(item);
  }

  // ── helpers ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Returns the items that its agent has opened, during its work or at its end. */
  #askingOf(task: Task): readonly string[] {
    const { runs, registry } = this.#ports;
    const run = isTaskBusy(task) ? runs.collection.get(task.attempts.at(-1)?.run_id ?? '') : null;
    if (!run || run.ended_at !== null) return [];
    if (run.asking) return run.asking;
    const session = run.session_id === null ? undefined : registry.get(run.session_id);
    if (!session) return [];
    return registry.itemsOf(session).flatMap((item) => (waitsForPerson(item) ? [item.id] : []));
  }

  #withAsking(task: Task): Pick<Task, 'asking'> {
    const asking = this.#askingOf(task);
    return asking.length > 0 ? { asking: [...asking] } : {};
  }

  #view(selector: string): TaskAggregate {
    const aggregate = this.collection.find(selector);
    return this.collection.view(aggregate.task.id) ?? aggregate;
  }

  /** Stores the environment of the request for the next attempt. Its run reads it after that. */
  #renew(id: string, env: Environment | undefined, umask: number | undefined): Promise<void> {
    this.#loop.needRoom();
    const kept = env ? keepEnvironment(this.#ports.paths, id, env) : Promise.resolve();
    const aggregate = this.collection.aggregate(id);
    if (aggregate && umask !== undefined) this.collection.decided(id, { ...aggregate, umask });
    return kept;
  }

  /** @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_NO_BATCH, ORCHD_ADAPTER_UNKNOWN */
  async #mustHaveProgram({ adapter, project }: Pick<Task, 'adapter' | 'project'>, agent: string | null): Promise<void> {
    const { blueprints, defaultAdapter } = this.#ports;
    const blueprint = agent === null ? null : await blueprints.show(agent, project ?? undefined);
    await requireProgram(blueprint?.adapter ?? adapter ?? defaultAdapter);
  }

  #next(): { readonly runId: string; readonly time: number } {
    return { runId: makeId('run', randomBytes(ID_BYTES)), time: this.#ports.now() };
  }
}
