/** Runs as they are named and listed. Pure. */
import { briefly, type RunBook } from '../../lifecycle/index.js';
import { OrchdError, type Run, type RunSummary } from '../../protocol/index.js';

const MAX_CANDIDATES = 10;

/** By its id, or the beginning of one: `run_7k3` or `7k3`. @throws {OrchdError} ORCHD_RUN_UNKNOWN, ORCHD_AMBIGUOUS */
export function findRun(books: ReadonlyMap<string, RunBook>, selector: string): RunBook {
  const exact = books.get(selector);
  if (exact) return exact;
  const found = [...books.keys()].filter(
    (id) => id.startsWith(selector) || id.slice('run_'.length).startsWith(selector),
  );
  const [only] = found;
  const book = only === undefined ? undefined : books.get(only);
  if (!book) throw new OrchdError('ORCHD_RUN_UNKNOWN', `no run '${selector}'`);
  if (found.length === 1) return book;
  const candidates = found.slice(0, MAX_CANDIDATES);
  throw new OrchdError('ORCHD_AMBIGUOUS', `'${selector}' fits ${found.length} runs: ${candidates.join(', ')}`, {
    candidates,
  });
}

export function summaryOf(run: Run): RunSummary {
  const { id, state, blueprint, adapter, session_id, parent_session_id, error, created_at, started_at, ended_at } = run;
  return {
    ...{ id, state, blueprint, adapter, prompt: briefly(run.prompt), session_id, parent_session_id },
    ...{ attempts: run.attempts.length, error, created_at, started_at, ended_at },
  };
}
