/** Finds objects by id or by the beginning of an id. Pure. */
import { type ErrorCode, OrchdError } from '../../protocol/index.js';

const UNKNOWN = {
  session: 'ORCHD_SESSION_UNKNOWN',
  item: 'ORCHD_ITEM_UNKNOWN',
  run: 'ORCHD_RUN_UNKNOWN',
  task: 'ORCHD_TASK_UNKNOWN',
  workflow: 'ORCHD_WORKFLOW_UNKNOWN',
} as const satisfies Record<string, ErrorCode>;
const MAX_CANDIDATES = 10;

/** Matches `ses_7k3` or `7k3` with `ses_7k3q9x2m4d`. */
export const begins = (id: string, selector: string): boolean =>
  selector !== '' && (id.startsWith(selector) || id.slice(id.indexOf('_') + 1).startsWith(selector));

/**
 * Finds an object by its complete id, else by a beginning.
 * @throws {OrchdError} The kind's UNKNOWN error, or ORCHD_AMBIGUOUS.
 */
export function pickById<T>(entries: ReadonlyMap<string, T>, selector: string, kind: keyof typeof UNKNOWN): T {
  const exact = entries.get(selector);
  if (exact !== undefined) return exact;
  const found = [...entries].filter(([id]) => begins(id, selector));
  const [, entry] = pick(found, selector, kind, ([id]) => id);
  return entry;
}

/**
 * Returns the only match.
 * @throws {OrchdError} The kind's UNKNOWN error, or ORCHD_AMBIGUOUS.
 */
export function pick<T>(
  found: readonly T[],
  selector: string,
  kind: keyof typeof UNKNOWN,
  show: (entry: T) => string,
): T {
  const [first] = found;
  if (first === undefined) throw new OrchdError(UNKNOWN[kind], `no ${kind} '${selector}'`);
  if (found.length === 1) return first;
  const candidates = found.slice(0, MAX_CANDIDATES).map(show);
  const message = `'${selector}' fits ${found.length} ${kind}s: ${candidates.join(', ')}`;
  throw new OrchdError('ORCHD_AMBIGUOUS', message, { candidates });
}
