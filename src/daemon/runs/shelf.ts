/** The runs that there are: by their names, and by what they are to a session or a task. */
import { briefly, isOver, type RunBook, type Submission } from '../../lifecycle/index.js';
import type { InputOf, Run, RunSummary } from '../../protocol/index.js';
import { Shelf } from '../shelf.js';

const DEFAULT_LIST = 100;

export class RunShelf extends Shelf<RunBook> {
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

  /** What the agent of a session may call; null: whatever there is. */
  toolsOf(sessionId: string): readonly string[] | null {
    return this.#lastIn(sessionId)?.tools ?? null;
  }

  /** The run that a session is the last attempt of, if it owes a call. */
  owingIn(sessionId: string): Run | null {
    const run = this.#lastIn(sessionId)?.run;
    return run?.tool === undefined ? null : run;
  }

  /** The run that a session is the last attempt of. */
  #lastIn(sessionId: string): RunBook | undefined {
    for (const book of this.books().values()) if (book.run.session_id === sessionId) return book;
    return undefined;
  }

  /** What an agent has started it with, as JSON; null for a run that is not there. */
  spawnOf(id: string): string | null {
    return this.book(id)?.spawn?.call ?? null;
  }

  /** As far as it is on disk; null for one that is not there. */
  get(id: string): Run | null {
    return this.view(id)?.run ?? null;
  }

  /** The call that is its result, once it was made; on disk. */
  submissionOf(id: string): Submission | null {
    return this.view(id)?.submission ?? null;
  }

  /** Runs of a session that are not over. */
  childrenOf(sessionId: string): Run[] {
    return [...this.books().values()]
      .map(({ run }) => run)
      .filter((run) => run.parent_session_id === sessionId && !isOver(run));
  }
}

function summaryOf(run: Run): RunSummary {
  const { id, state, blueprint, adapter, session_id, parent_session_id, error, created_at, started_at, ended_at } = run;
  return {
    ...{ id, state, blueprint, adapter, prompt: briefly(run.prompt), session_id, parent_session_id },
    ...{ attempts: run.attempts.length, error, created_at, started_at, ended_at },
    ...(run.asking && { asking: run.asking }),
  };
}
