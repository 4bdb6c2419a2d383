/** The collection of runs, with lookups by id, by session and by task. */
import { briefly, type RunAggregate, type Submission } from '../../lifecycle/index.js';
import {
  DEFAULT_LIST,
  type InputOf,
  isRunOver,
  type Run,
  type RunSummary,
  type TaskTool,
} from '../../protocol/index.js';
import { Collection } from '../decisions/index.js';

/** Holds all runs. */
export class RunCollection extends Collection<RunAggregate> {
  constructor() {
    super('run', ({ run }) => run.ended_at);
  }

  /** @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_AMBIGUOUS */
  show(selector: string): Run {
    const { run } = this.find(selector);
    return this.get(run.id) ?? run;
  }

  list({ state, blueprint, limit = DEFAULT_LIST }: InputOf<'run.list'>): RunSummary[] {
    const wanted = this.views()
      .map(({ run }) => run)
      .filter(
        (run) =>
          (state === undefined || run.state === state) && (blueprint === undefined || run.blueprint === blueprint),
      );
    return wanted.slice(-limit).map(summaryOf);
  }

  /** Returns the names of the tools that a session's agent may call; null for all. */
  toolsOf(sessionId: string): readonly string[] | null {
    return this.#lastIn(sessionId)?.tools ?? null;
  }

  /** Returns the run whose last attempt is this session, if it requires a call. */
  owingIn(sessionId: string): Run | null {
    const run = this.#lastIn(sessionId)?.run;
    return run?.tool === undefined ? null : run;
  }

  /** Returns the call that the agent in this session must still make; null if it has made it, or owes none. */
  dueIn(sessionId: string): TaskTool | null {
    const aggregate = this.#lastIn(sessionId);
    return aggregate?.submission ? null : (aggregate?.run.tool ?? null);
  }

  /** Returns the run whose last attempt is this session. */
  #lastIn(sessionId: string): RunAggregate | undefined {
    for (const aggregate of this.aggregates().values()) if (aggregate.run.session_id === sessionId) return aggregate;
    return undefined;
  }

  /** Returns the spawn_agent call that started the run, as JSON; null if there is no such run. */
  spawnOf(id: string): string | null {
    return this.aggregate(id)?.spawn?.call ?? null;
  }

  /** Returns the stored run; null if there is none. */
  get(id: string): Run | null {
    return this.view(id)?.run ?? null;
  }

  /** Returns the stored call that is the run's result; null if it was not made. */
  submissionOf(id: string): Submission | null {
    return this.view(id)?.submission ?? null;
  }

  /** Returns the unfinished runs that a session has started. */
  childrenOf(sessionId: string): Run[] {
    return [...this.aggregates().values()]
      .map(({ run }) => run)
      .filter((run) => run.parent_session_id === sessionId && !isRunOver(run));
  }
}

function summaryOf(run: Run): RunSummary {
  const { id, state, blueprint, adapter, session_id, parent_session_id, error, created_at, started_at, ended_at } = run;
  return {
    id,
    state,
    blueprint,
    adapter,
    prompt: briefly(run.prompt),
    session_id,
    parent_session_id,
    attempts: run.attempts.length,
    error,
    created_at,
    started_at,
    ended_at,
    ...(run.asking && { asking: run.asking }),
  };
}
