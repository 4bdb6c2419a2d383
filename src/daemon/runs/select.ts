/** Runs as they are named and listed. Pure. */
import { briefly, type RunBook } from '../../lifecycle/index.js';
import type { Run, RunSummary } from '../../protocol/index.js';
import { begins, pick } from '../pick.js';

/** @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_AMBIGUOUS */
export function findRun(books: ReadonlyMap<string, RunBook>, selector: string): RunBook {
  const exact = books.get(selector);
  if (exact) return exact;
  const found = [...books.values()].filter(({ run }) => begins(run.id, selector));
  return pick(found, selector, 'run', ({ run }) => run.id);
}

export function summaryOf(run: Run): RunSummary {
  const { id, state, blueprint, adapter, session_id, parent_session_id, error, created_at, started_at, ended_at } = run;
  return {
    ...{ id, state, blueprint, adapter, prompt: briefly(run.prompt), session_id, parent_session_id },
    ...{ attempts: run.attempts.length, error, created_at, started_at, ended_at },
  };
}
