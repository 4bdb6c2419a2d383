/**
 * The runs that there are: as decided, and as they are on disk, which is what clients see.
 *
 * In:   decisions (`decided`), and when they are on disk (`committed`). Out: a run by its name, or by what it is to a session or a task.
 */
import { isOver, type RunBook, type Submission } from '../../lifecycle/index.js';
import type { InputOf, Run, RunSummary } from '../../protocol/index.js';
import { findRun, summaryOf } from './select.js';

const DEFAULT_LIST = 100;

export class RunShelf {
  readonly #books = new Map<string, RunBook>();
  readonly #views = new Map<string, Run>();
  readonly #submitted = new Map<string, Submission>();

  decided(id: string, book: RunBook): void {
    this.#books.set(id, book);
  }

  committed(id: string, { run, submission }: RunBook): void {
    this.#views.set(id, run);
    if (submission) this.#submitted.set(id, submission);
  }

  remove(id: string): void {
    this.#books.delete(id);
    this.#views.delete(id);
    this.#submitted.delete(id);
  }

  /** As decided. */
  book(id: string): RunBook | undefined {
    return this.#books.get(id);
  }

  books(): Iterable<readonly [id: string, book: RunBook]> {
    return this.#books;
  }

  /** @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_AMBIGUOUS */
  find(selector: string): RunBook {
    return findRun(this.#books, selector);
  }

  /** @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_AMBIGUOUS */
  show(selector: string): Run {
    const { run } = this.find(selector);
    return this.#views.get(run.id) ?? run;
  }

  list({ state, blueprint, limit = DEFAULT_LIST }: InputOf<'run.list'>): RunSummary[] {
    const wanted = [...this.#views.values()].filter(
      (run) => (state === undefined || run.state === state) && (blueprint === undefined || run.blueprint === blueprint),
    );
    return wanted.slice(-limit).map(summaryOf);
  }

  /** What the agent of a session may call; null: whatever there is. */
  toolsOf(sessionId: string): readonly string[] | null {
    for (const { run, tools } of this.#books.values()) if (run.session_id === sessionId) return tools ?? null;
    return null;
  }

  /** What an agent has started it with, as JSON; null for a run that is not there. */
  spawnOf(id: string): string | null {
    return this.#books.get(id)?.spawn?.call ?? null;
  }

  /** As far as it is on disk; null for one that is not there. */
  get(id: string): Run | null {
    return this.#views.get(id) ?? null;
  }

  /** The call that is its result, once it was made; on disk. */
  submissionOf(id: string): Submission | null {
    return this.#submitted.get(id) ?? null;
  }

  /** The run that a session is the last attempt of, if it owes a call. */
  owingIn(sessionId: string): Run | null {
    for (const { run } of this.#books.values()) if (run.session_id === sessionId && run.tool !== undefined) return run;
    return null;
  }

  /** Runs of a session that are not over. */
  childrenOf(sessionId: string): Run[] {
    return [...this.#books.values()]
      .map(({ run }) => run)
      .filter((run) => run.parent_session_id === sessionId && !isOver(run));
  }

  /** Those that were over before a time, by id. */
  endedBefore(time: string): string[] {
    return [...this.#views.values()].filter((run) => run.ended_at !== null && run.ended_at < time).map(({ id }) => id);
  }
}
