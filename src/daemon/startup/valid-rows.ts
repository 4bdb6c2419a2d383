/**
 * The rows that a start can use: each has the fields that the daemon and its clients rely on.
 *
 * One damaged row must not keep the daemon from starting. It is set aside, reported in the log, and written to a file
 * that `orchd doctor` names. It stays in the store until another row replaces it. Fields that newer versions added are
 * not checked, so that rows of every version are accepted.
 */

import { writeFileSync } from 'node:fs';
import { resumeRun, resumeTask } from '../../lifecycle/index.js';
import { ITEM_BADGES, RUN_STATES, SESSION_STATES, TASK_STATES, WORKFLOW_STATES } from '../../protocol/index.js';
import type { DamagedRow, Row, RowKind, StoredState } from '../../store/index.js';
import { recordOf, summaryOf } from '../../workflow/index.js';
import type { Log } from '../log.js';
import { restoreProgress } from '../workflows/index.js';

/**
 * The type of a field, or the list of its allowed values. With `?` it may be null or missing, as in rows of older
 * versions. `count`: a whole number from 0 to MAX_COUNT.
 */
type Name = 'text' | 'number' | 'count' | 'list' | 'object';
type Kind = Name | `${Name}?` | readonly string[];
type Shape = Readonly<Record<string, Kind>>;
/** Maximum of a `count`: a damaged row must not make the daemon allocate all memory. */
const MAX_COUNT = 100_000;

/** Returns a shape: the names of the fields of each type, and the fields with their words. */
function shapeOf(
  types: Readonly<Partial<Record<Name | `${Name}?`, string>>>,
  words: Readonly<Record<string, readonly string[]>> = {},
): Shape {
  const typed = Object.entries(types).flatMap(([type, names]) => names.split(' ').map((name) => [name, type]));
  return { ...Object.fromEntries(typed), ...words };
}

const SESSION = shapeOf(
  {
    text: 'id name adapter cwd created_at',
    'text?': 'ended_at mode',
    list: 'command',
    object: 'size',
    number: 'pid open_items turn journal_position',
  },
  { state: SESSION_STATES, transcript: ['none', 'waiting', 'healthy', 'lost'] },
);
const ITEM = shapeOf(
  { text: 'id session_id session_name opened_at', object: 'data' },
  { type: Object.keys(ITEM_BADGES), state: ['open', 'answered', 'withdrawn'] },
);
const RUN = shapeOf(
  { text: 'id adapter prompt cwd created_at', 'text?': 'ended_at', 'object?': 'limits', 'list?': 'attempts' },
  { state: RUN_STATES },
);
const TASK = shapeOf(
  { text: 'id prompt cwd created_at', 'text?': 'ended_at', 'object?': 'limits', 'list?': 'questions attempts' },
  { state: TASK_STATES },
);
const WORKFLOW = shapeOf(
  { text: 'id name cwd', object: 'workflow inputs', 'number?': 'jobs', 'object?': 'profiles' },
  { state: WORKFLOW_STATES },
);
/** A step of a workflow run. */
const STEP = shapeOf({
  text: 'id',
  count: 'parts',
  'text?': 'itemId question startedAt endedAt',
  'number?': 'until',
  'object?': 'values error',
});
/** One run of a step. */
const PART = shapeOf({ text: 'runId state' });
const PART_ID = /^[^/]+\/\d+\/\d+$/;

/** The paths of the fields of a row, with their types. */
const ROWS: Readonly<Partial<Record<RowKind, readonly (readonly [path: string, shape: Shape])[]>>> = {
  sessions: [
    ['', { book: 'object' }],
    ['book', { items: 'list', standing: 'object' }],
    ['book.session', SESSION],
    ['book.session.size', { cols: 'count', rows: 'count' }],
  ],
  items: [['', ITEM]],
  blueprints: [
    ['', { created_at: 'text', updated_at: 'text', project: 'text?' }],
    ['definition', { name: 'text' }],
  ],
  runs: [
    ['', { args: 'list?' }],
    ['run', RUN],
  ],
  tasks: [
    ['', { history: 'list?' }],
    ['task', TASK],
  ],
  workflows: [['', WORKFLOW]],
};
const ID: Readonly<Partial<Record<RowKind, string>>> = {
  sessions: 'book.session.id',
  items: 'id',
  runs: 'run.id',
  tasks: 'task.id',
  workflows: 'id',
};
/**
 * The functions that use a row first when the daemon starts. They throw for damage that the table of shapes does not
 * cover.
 */
const TRIALS: Readonly<Partial<Record<RowKind, (row: Row) => unknown>>> = {
  // The row's shape was checked above, so it has this type.
  runs: ({ value }) => resumeRun(value as Parameters<typeof resumeRun>[0]),
  tasks: ({ value }) => resumeTask(value as Parameters<typeof resumeTask>[0]),
  workflows: (row) => restoreProgress([row], []).map((progress) => [recordOf(progress), summaryOf(progress)]),
};

/** Returns the state without the rows that cannot be used, and reports those. */
export function validState(state: StoredState, file: string, log: Log): StoredState {
  const damaged: DamagedRow[] = [...state.damaged];
  const setAside = (kind: RowKind, { id, value }: Row): never[] => {
    damaged.push({ kind, id, text: JSON.stringify(value) });
    return [];
  };
  const sound = (kind: RowKind): Row[] => {
    const ids = new Set(state[kind].map(({ id }) => id));
    return state[kind].flatMap((row) => {
      if (!isSound(kind, row)) return setAside(kind, row);
      const id = ID[kind] === undefined ? row.id : String(at(row.value, ID[kind]));
      if (id === row.id) return [row];
      // The id in the column was damaged, unless another row has it.
      return ids.has(id) ? setAside(kind, row) : [{ ...row, id }];
    });
  };
  const sessions = sound('sessions');
  const known = new Set(sessions.map(({ id }) => id));
  const items = sound('items').flatMap((row) => {
    // The question of a session that was set aside cannot be answered.
    return known.has(String(at(row.value, 'session_id'))) ? [row] : setAside('items', row);
  });
  const rest = { runs: sound('runs'), tasks: sound('tasks'), workflows: sound('workflows') };
  const blueprints = sound('blueprints');
  const workflowSteps = state.workflowSteps.flatMap((row) =>
    isSoundStep(row) ? [row] : setAside('workflowSteps', row),
  );
  if (damaged.length > 0) report(damaged, file, log);
  return { ...state, ...rest, sessions, items, blueprints, workflowSteps, damaged };
}

function isSound(kind: RowKind, row: Row): boolean {
  const hasFields = (ROWS[kind] ?? []).every(([path, shape]) => {
    const found = path === '' ? row.value : at(row.value, path);
    return Object.entries(shape).every(([name, wanted]) => fits(at(found, name), wanted));
  });
  if (!hasFields || (kind === 'sessions' && !hasSoundItems(row.value))) return false;
  try {
    TRIALS[kind]?.(row);
    return true;
  } catch {
    return false;
  }
}

function isSoundStep({ id, value }: Row): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (PART_ID.test(id)) return Object.entries(PART).every(([name, wanted]) => fits(at(value, name), wanted));
  const result = at(value, 'result');
  if (result !== null && typeof result !== 'string' && !Array.isArray(result)) return false;
  return Object.entries(STEP).every(([name, wanted]) => fits(at(value, name), wanted));
}

/** Checks the items inside a session's row: those that are open or whose answer is not delivered. */
function hasSoundItems(value: unknown): boolean {
  const items = at(value, 'book.items') as readonly unknown[]; // its shape was checked
  return items.every((one) => Object.entries(ITEM).every(([name, wanted]) => fits(at(one, `item.${name}`), wanted)));
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function fits(value: unknown, wanted: Kind): boolean {
  if (typeof wanted !== 'string') return typeof value === 'string' && wanted.includes(value);
  if (wanted.endsWith('?') && (value === undefined || value === null)) return true;
  switch (wanted.replace('?', '') as Name) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT;
    case 'list':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

function report(damaged: readonly DamagedRow[], file: string, log: Log): void {
  const rows = damaged.map(({ kind, id }) => `${kind}/${id}`);
  for (const { text } of damaged.filter(({ kind }) => kind === 'wal')) log.error(text);
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
