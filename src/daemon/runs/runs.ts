/**
 * Runs: carries out the decisions of `lifecycle/runs/run.ts`, one after the other for each run.
 *
 * In:   requests of clients; sessions that have ended; the clock.
 * Out:  decisions. Each is on disk before it is announced and before its effects are carried out. At most `parallel`
 *       runs have a program; the others wait in the order of their arrival.
 */
import {
  aggregateOnly,
  createRun,
  decideRun,
  type RunAggregate,
  type RunEffect,
  type RunInput,
  resumeRun,
  type Submission,
  takesCalls,
  timestamp,
  UNBEGUN,
} from '../../lifecycle/index.js';
import {
  DEFAULT_UMASK,
  type InputOf,
  type Item,
  isRunOver,
  OrchdError,
  type Paths,
  type Run,
} from '../../protocol/index.js';
import type { ResultChecker } from '../../results/index.js';
import type { Row } from '../../store/index.js';
import type { Typist } from '../answers/index.js';
import {
  Attempts,
  answersTo,
  type ConversationPorts,
  dropEnvironment,
  type Environment,
  type GivenAnswer,
  keepEnvironment,
  withdrawAsked,
  withdrawUnasked,
} from '../attempts/index.js';
import { Timers, Topic } from '../concurrency/index.js';
import { DecisionLoop } from '../decisions/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import { loginEnvironment } from '../program/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Sessions } from '../sessions/index.js';
import { Parents } from './parents.js';
import { type PlanPorts, planRun, type RunRequest } from './plan.js';
import type { RunCollection } from './run-collection.js';
import { RunTurns } from './run-turns.js';
import type { RunOrigin } from './spawning.js';

interface RunsPorts extends PlanPorts, Pick<ConversationPorts, 'host' | 'screenOf' | 'answers'> {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly checker: ResultChecker;
  readonly log: Log;
  readonly typist: Pick<Typist, 'type' | 'sees' | 'reserve' | 'whenReading'>;
  /** Maximum number of runs that have a program at the same time. */
  readonly parallel: number;
  readonly killGraceMs: number;
  readonly collection: RunCollection;
  readonly notices: RunNotices;
  readonly now: () => number;
}

/** Notifications about all runs. Each is published when the decision behind it is on disk. */
export class RunNotices {
  /** The run waits for answers, or continues. */
  readonly asking = new Topic<[run: Run]>();
  readonly over = new Topic<[run: Run]>();
  /** A run has left its place. Waiting runs were started before. */
  readonly left = new Topic<[]>();
}

const NEVER = new AbortController().signal;

const hasProgram = ({ run }: RunAggregate): boolean => run.state === 'running' && !run.asking;

/** Starts, retries and cancels runs, and limits how many of them have a program at the same time. */
export class Runs {
  readonly #ports: RunsPorts;
  readonly collection: RunCollection;
  readonly #attempts: Attempts;
  readonly #turns: RunTurns;
  /** Tells the sessions that have started agents. */
  readonly parents: Parents;
  readonly #timers = new Timers();
  readonly #loop: DecisionLoop<RunAggregate, RunInput, RunEffect>;

  constructor(ports: RunsPorts) {
    this.#ports = ports;
    this.collection = ports.collection;
    const loop = new DecisionLoop({
      ...ports,
      decide: decideRun,
      rowsOf: (id, aggregate) => ({ runs: [{ id, value: aggregate }] }),
      onStored: (id, aggregate, before) => this.#onStored(id, aggregate, before),
      carryOut: (id, effect) => this.#carryOut(id, effect),
      onDone: (id, aggregate) => this.#onDone(id, aggregate),
    });
    this.#loop = loop;
    this.#attempts = new Attempts({
      ...ports,
      aggregate: (id) => loop.aggregate(id),
      apply: (id, input) => loop.apply(id, input),
      onSession: (id) => loop.wake(id),
      cancelChildren: (sessionId) => this.cancelChildren(sessionId),
    });
    this.#turns = new RunTurns({ ...ports, loop });
    this.parents = new Parents({ ...ports, loop });
  }

  // ── requests of clients ───────────────────────────────────────────────────────────────────────────────────────────

  /** @param parent  The session that makes the request, if it is a session. */
  async start(request: RunRequest, parent: SessionEntry | null, origin?: RunOrigin): Promise<Run> {
    const { now } = this.#ports;
    this.#loop.needRoom();
    const login = loginEnvironment();
    const env = request.env ?? login;
    const { id = this.#loop.newId(), owes, spawned, step } = origin ?? {};
    const { fields, args, tools, isInteractive } = await planRun(this.#ports, request, { id, env, owes });
    return this.#create(env, {
      args,
      umask: request.umask ?? DEFAULT_UMASK,
      ending: null,
      blindWaits: 0,
      ...(tools.length > 0 && { tools }),
      ...(isInteractive && { interactive: { keep: request.keep ?? false } }),
      ...(spawned && { spawn: { call: spawned.spawn, callback: spawned.isWaiting ? 'waited' : 'wanted' } }),
      run: {
        id,
        state: 'queued',
        ...fields,
        cwd: request.cwd ?? login.HOME,
        retry_of: null,
        ...step,
        parent_session_id: parent?.id ?? null,
        created_at: timestamp(now()),
        ...UNBEGUN,
      },
    });
  }

  /**
   * Repeats a run with the blueprint's definition at the time of the first run.
   *
   * @param id  The id of the new run.
   * @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_RUN_ALIVE
   */
  async retry({ run: selector, env, umask }: InputOf<'run.retry'>, id = this.#loop.newId()): Promise<Run> {
    const { run, args, umask: before, tools, interactive } = this.collection.find(selector);
    if (!isRunOver(run)) throw new OrchdError('ORCHD_RUN_ALIVE', `run ${run.id} is ${run.state}`);
    if (run.task_id !== undefined) {
      const again = run.tool === 'planner-output' ? 'plan' : 'start';
      const message = `run ${run.id} belongs to a task: \`orchd task ${again} ${run.task_id}\` does it again`;
      throw new OrchdError('ORCHD_INVALID', message);
    }
    if (run.workflow_id !== undefined) {
      const message = `run ${run.id} belongs to a workflow: \`orchd workflow resume ${run.workflow_id}\` goes on with it`;
      throw new OrchdError('ORCHD_INVALID', message);
    }
    return this.#create(env ?? loginEnvironment(), {
      args,
      umask: umask ?? before,
      ending: null,
      blindWaits: 0,
      ...(tools && { tools }),
      ...(interactive && { interactive: { keep: interactive.keep } }),
      run: {
        ...run,
        ...UNBEGUN,
        id,
        state: 'queued',
        retry_of: run.id,
        created_at: timestamp(this.#ports.now()),
      },
    });
  }

  async #create(env: Environment, aggregate: RunAggregate): Promise<Run> {
    const { id } = aggregate.run;
    await keepEnvironment(this.#ports.paths, id, env);
    await this.#loop.take(id, createRun(aggregate));
    return this.collection.show(id);
  }

  /**
   * Handles the tool call that a run requires, once. A repetition of the same call succeeds without effect.
   *
   * @throws {OrchdError} ORCHD_NO_AGENT, ORCHD_SUBMITTED, ORCHD_CALL_REUSED
   */
  async submit(id: string, callId: string, data: Submission['data']): Promise<void> {
    const aggregate = this.collection.aggregate(id);
    if (!aggregate?.run.tool || !takesCalls(aggregate))
      throw new OrchdError('ORCHD_NO_AGENT', 'No agent currently active on this task');
    const { submission } = aggregate;
    if (!submission) return this.#loop.apply(id, { kind: 'submitted', callId, data, time: this.#ports.now() });
    await this.#ports.outbox.drain(); // the caller must not get a reply before the call is on disk
    const isSame = submission.callId === callId && JSON.stringify(submission.data) === JSON.stringify(data);
    if (isSame) return;
    const words = aggregate.run.tool === 'planner-output' ? 'Planner output' : 'Completion report';
    throw new OrchdError('ORCHD_SUBMITTED', `${words} already submitted`);
  }

  /** Resolves when the run has a session, or is over. */
  async begun(id: string): Promise<Run> {
    const hasSession = ({ session_id: session }: Run): boolean =>
      session !== null && this.#ports.registry.get(session) !== undefined;
    return this.#until(id, (run) => isRunOver(run) || hasSession(run), NEVER);
  }

  /** Cancels all runs that a session has started, and their children. */
  cancelChildren(sessionId: string): void {
    for (const { id } of this.collection.childrenOf(sessionId))
      void this.#loop.apply(id, { kind: 'cancelled', by: sessionId, time: this.#ports.now() });
  }

  /**
   * Resolves when its program has ended.
   * @param by  The client or the session that cancels it.
   * @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_RUN_ENDED
   */
  async cancel(selector: string, by: string): Promise<Run> {
    const { run } = this.collection.find(selector);
    if (isRunOver(run)) throw new OrchdError('ORCHD_RUN_ENDED', `run ${run.id} is ${run.state} already`);
    await this.#loop.apply(run.id, { kind: 'cancelled', by, time: this.#ports.now() });
    return this.wait(run.id, NEVER);
  }

  /**
   * Cancels the run if it exists and is not over.
   * @param by  As for `cancel`; undefined if orchd does.
   */
  cancelIfAlive(id: string, by?: string): void {
    if (this.collection.aggregate(id)) void this.#loop.apply(id, { kind: 'cancelled', by, time: this.#ports.now() });
  }

  /**
   * Resolves when it is over.
   * @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_TIMEOUT
   */
  async wait(selector: string, signal: AbortSignal): Promise<Run> {
    return this.#until(this.collection.find(selector).run.id, isRunOver, signal);
  }

  #until(id: string, isWanted: (run: Run) => boolean, signal: AbortSignal): Promise<Run> {
    const look = (): Run | null => {
      const run = this.collection.show(id);
      return isWanted(run) ? run : null;
    };
    return this.#loop.until(id, look, signal, () => `run ${id} is still ${this.collection.show(id).state}`);
  }

  /** True if a run that comes now starts at once. */
  get hasFreePlace(): boolean {
    return this.#turns.isFree;
  }

  /** Removes old runs. */
  forget(ids: readonly string[]): Promise<void> {
    return this.#loop.forget(ids, { runs: ids });
  }

  // ── start and end of the daemon ───────────────────────────────────────────────────────────────────────────────────

  /** Restores the runs of the previous daemon. Called after the sessions were recovered. */
  recover(rows: readonly Row[]): void {
    for (const { id, value } of rows) {
      const aggregate = value as RunAggregate; // only orchd writes rows
      this.collection.restore(id, aggregate);
      if (hasProgram(aggregate)) this.#turns.hold(id, aggregate);
    }
    withdrawUnasked(this.#ports, (id) => this.collection.aggregate(id));
    this.#loop.resume(resumeRun, (id, aggregate) => {
      this.parents.recover(id, aggregate);
      if (isRunOver(aggregate.run)) void this.#leaveSession(id, aggregate);
    });
  }

  close(): void {
    this.#loop.close();
    this.#timers.close();
  }

  /** Called when the end of a session is on disk. */
  onSessionEnd({ id: sessionId }: Pick<SessionEntry, 'id'>): void {
    for (const [id, { run }] of this.collection.aggregates()) {
      if (run.state === 'running' && run.session_id === sessionId) void this.#attempts.evaluate(id);
    }
  }

  /** Called when a changed item is on disk. */
  onItem({ id: itemId, run_id: id, answer, state }: Item): void {
    if (id !== undefined && state === 'answered' && answer)
      this.#hear(id, { itemId, answer: answer.declined ? null : answer.text });
  }

  #hear(id: string, answer: GivenAnswer): void {
    void this.#loop.apply(id, { kind: 'answered', ...answer, time: this.#ports.now() });
  }

  // ── decisions ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #onStored(id: string, aggregate: RunAggregate, before: RunAggregate | undefined): void {
    if ((before?.run.asking !== undefined) !== (aggregate.run.asking !== undefined))
      this.#ports.notices.asking.publish(aggregate.run);
    if (!hasProgram(aggregate)) this.#leave(id);
    if (!isRunOver(aggregate.run)) return;
    dropEnvironment(this.#ports.paths, id);
    this.parents.onOver(id, aggregate);
  }

  #onDone(id: string, aggregate: RunAggregate): void {
    if (!isRunOver(aggregate.run)) return;
    this.#ports.notices.over.publish(aggregate.run);
    void this.#leaveSession(id, aggregate);
    this.#turns.letSiblingGo(aggregate.run);
  }

  #carryOut(id: string, effect: RunEffect): void {
    switch (effect.kind) {
      case 'queue':
        this.#turns.queue(id);
        break;
      case 'begin':
        this.#begin(id, effect);
        break;
      case 'kill':
        void this.#attempts.kill(effect.sessionId, effect.by);
        break;
      case 'ask':
        for (const answer of answersTo(this.#ports.registry, effect.itemIds)) this.#hear(id, answer);
        break;
      case 'withdraw':
        withdrawAsked(this.#ports, effect.sessionId);
        break;
      case 'wait':
        this.#timers.set(id, effect.until - this.#ports.now(), () => this.#tell(id, 'limit_over'));
        break;
    }
  }

  #begin(id: string, effect: Extract<RunEffect, { kind: 'begin' }>): void {
    const attempt = this.collection.aggregate(id)?.run.attempts.at(-1);
    const { timeoutMs } = effect;
    if (attempt && timeoutMs !== null) {
      const spent = this.#ports.now() - Date.parse(attempt.started_at);
      this.#timers.set(id, Math.max(0, timeoutMs - spent), () => this.#tell(id, 'timed_out'));
    }
    void this.#attempts.begin(id, effect.resume);
  }

  #tell(id: string, kind: 'limit_over' | 'timed_out'): void {
    void this.#loop.apply(id, { kind, time: this.#ports.now() });
  }

  #leave(id: string): void {
    this.#timers.clear(id);
    if (this.#turns.leave(id)) this.#ports.notices.left.publish();
  }

  // ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Ends the session of an interactive run that is over, unless the person keeps it. */
  async #leaveSession(id: string, { run, interactive }: RunAggregate): Promise<void> {
    if (!interactive || interactive.isLeft) return;
    if (!interactive.keep && run.session_id !== null) await this.#endSession(run.session_id, run.state === 'completed');
    const aggregate = this.#loop.aggregate(id);
    if (!aggregate) return;
    await this.#loop.take(id, aggregateOnly({ ...aggregate, interactive: { ...interactive, isLeft: true } }));
  }

  /**
   * @param isConcluded  True if the run has its result. The session then counts as successful, whatever its program's
   *   exit code.
   */
  async #endSession(sessionId: string, isConcluded: boolean): Promise<void> {
    const { registry, now } = this.#ports;
    const entry = registry.get(sessionId);
    if (isConcluded && entry && !entry.hasEnded) await entry.apply({ kind: 'concluded', time: now() });
    await this.#attempts.kill(sessionId);
  }
}
