/**
 * The rows that a start can use: each has at least the fields without which the daemon could not take it up.
 *
 * One damaged row must not keep the daemon from starting. It is set aside, told in the log, and written to a file that
 * `orchd doctor` names. It stays in the store until another row replaces it.
 */
import { writeFileSync } from 'node:fs';
import type { DamagedRow, Row, RowKind, StoredState } from '../store/index.js';
import type { Log } from './log.js';

/** Paths of fields: a text, unless the path ends with `[]` (a list) or `{}` (an object). */
const NEEDED: Readonly<Record<RowKind, readonly string[]>> = {
  sessions: ['book.session.id', 'book.session.name', 'book.session.created_at', 'book.items[]'],
  items: ['id', 'session_id', 'state'],
  blueprints: [],
  runs: ['run.id'],
  tasks: ['task.id'],
  workflows: ['id', 'workflow{}'],
  workflowSteps: [],
};

/** Returns the state without the rows that cannot be used, and reports those. */
export function soundState(state: StoredState, file: string, log: Log): StoredState {
  const damaged: DamagedRow[] = [...state.damaged];
  const sound = (kind: RowKind): Row[] =>
    state[kind].filter((row) => {
      const isSound = NEEDED[kind].every((path) => has(row.value, path));
      if (!isSound) damaged.push({ kind, id: row.id, text: JSON.stringify(row.value) });
      return isSound;
    });
  const sessions = sound('sessions');
  const known = new Set(sessions.map(({ id }) => id));
  const items = sound('items').filter((row) => {
    const { session_id } = row.value as { readonly session_id: string }; // checked above
    // The question of a session that was set aside cannot be answered.
    if (!known.has(session_id)) damaged.push({ kind: 'items', id: row.id, text: JSON.stringify(row.value) });
    return known.has(session_id);
  });
  const rest = { runs: sound('runs'), tasks: sound('tasks'), workflows: sound('workflows') };
  if (damaged.length > 0) report(damaged, file, log);
  return { ...state, ...rest, sessions, items, damaged };
}

function has(value: unknown, path: string): boolean {
  const wanted = path.endsWith('[]') ? 'list' : path.endsWith('{}') ? 'object' : 'text';
  let found = value;
  for (const name of path.replace(/\[\]$|\{\}$/, '').split('.')) {
    if (typeof found !== 'object' || found === null) return false;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  if (wanted === 'list') return Array.isArray(found);
  return wanted === 'object' ? typeof found === 'object' && found !== null : typeof found === 'string';
}

function report(damaged: readonly DamagedRow[], file: string, log: Log): void {
  const rows = damaged.map(({ kind, id }) => `${kind}/${id}`);
  log.error('damaged rows of the store were set aside', undefined, {
    count: rows.length,
    file,
    rows: rows.slice(0, 20),
  });
  try {
    writeFileSync(file, damaged.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 });
  } catch (error) {
    log.error('the damaged rows could not be written down', error);
  }
}
