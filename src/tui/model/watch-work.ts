/**
 * Keeps the tasks, runs and blueprints in the model in sync with the daemon, and reads the changes of an open session.
 *
 * In:   the model's inputs (`follow`), and the open view (`show`).
 * Out:  the daemon's replies, as inputs for the model.
 * Only visible data is requested (see reloader.ts). Changes are requested beside that, because git may take long.
 */
import type { Client } from '../../client/index.js';
import type { Event } from '../../protocol/index.js';
import type { ModelInput } from './model.js';
import { createReloader } from './reloader.js';
import type { Work } from './work-model.js';

/** The data of the open view: lists, and one task, run or session by its id. */
export interface OpenWork {
  readonly lists: readonly ListOfWork[];
  readonly task: string | null;
  readonly run: string | null;
  /** Its changes are requested once when it is opened, because git reads all its files. */
  readonly session: string | null;
}

type ListOfWork = 'tasks' | 'runs' | 'blueprints';

interface WorkWatch {
  follow(input: ModelInput): void;
  show(open: OpenWork): void;
  close(): void;
}

interface WorkWatchPorts {
  readonly client: Client;
  /** The project whose blueprints are listed; null for only the user's own blueprints. */
  readonly project: string | null;
  readonly take: (input: ModelInput) => void;
  /** Called with the reason if something cannot be shown, except if the daemon is away. */
  readonly fail: (error: unknown) => void;
  readonly now?: () => number;
}

type Part = ListOfWork | 'task' | 'run';

const PARTS: readonly Part[] = ['tasks', 'runs', 'blueprints', 'task', 'run'];

export function watchWork({ client, project, take, fail, now = Date.now }: WorkWatchPorts): WorkWatch {
  let open: OpenWork = { lists: [], task: null, run: null, session: null };
  let isReadingChanges = false;
  const explaining = createReloader<'why'>({
    load: async () => ({ kind: 'work', work: { why: await explainState(open.session ?? '') } }),
    isShown: () => open.session !== null,
    take,
    fail: () => {}, // a long journal may take longer than EXPLAIN_MS
    now,
  });
  let isClosed = false;

  const LOAD: { readonly [P in Part]: () => Promise<Partial<Work>> } = {
    tasks: async () => ({ tasks: await client.call('task.list', {}) }),
    runs: async () => ({ runs: await client.call('run.list', {}) }),
    blueprints: async () => ({
      blueprints: await client.call('blueprint.list', project === null ? {} : { project }),
    }),
    async task() {
      const task = open.task ?? '';
      const [found, history] = await Promise.all([
        client.call('task.show', { task }),
        client.call('task.history', { task }),
      ]);
      return { task: found, history };
    },
    run: async () => ({ run: await client.call('run.show', { run: open.run ?? '' }) }),
  };
  const reloader = createReloader<Part>({
    load: async (part) => ({ kind: 'work', work: await LOAD[part]() }),
    isShown: (part) =>
      part === 'task' ? open.task !== null : part === 'run' ? open.run !== null : open.lists.includes(part),
    take,
    fail,
    now,
  });

  /** At most one request is in flight. The changes of a session that is opened meanwhile are read afterwards. */
  async function readChanges(): Promise<void> {
    const { session } = open;
    if (session === null || isReadingChanges) return;
    isReadingChanges = true;
    // The error is ignored: most directories are in no repository. `D` and `orchd diff` say why git failed.
    const changes = await client.call('session.changes', { session }).catch(() => null);
    isReadingChanges = false;
    if (isClosed) return;
    take({ kind: 'work', work: { changes: { session, changes } } });
    if (open.session !== session) void readChanges();
    else explaining.reloadNow(['why']);
  }

  /** The daemon reads the journal again. */
  async function explainState(session: string): Promise<Work['why']> {
    const signal = AbortSignal.timeout(EXPLAIN_MS);
    const found = await client.call('event.explain', { what: session }, { signal });
    return { session, sentences: [found.summary, ...found.rule, ...found.missing] };
  }

  return {
    follow(input) {
      if (input.kind === 'snapshot') reloader.reload(PARTS);
      if (input.kind !== 'event') return;
      reloader.reload(changedBy(input.event, open));
      if (changesState(input.event, open.session)) explaining.reload(['why']);
    },
    show(next) {
      const before = open;
      open = next;
      if (next.session !== before.session) void readChanges();
      const opened = [
        ...next.lists.filter((list) => !before.lists.includes(list)),
        ...(next.task !== null && next.task !== before.task ? (['task'] as const) : []),
        ...(next.run !== null && next.run !== before.run ? (['run'] as const) : []),
      ];
      if (opened.length > 0) reloader.reloadNow(opened);
    },
    close() {
      isClosed = true;
      reloader.close();
      explaining.close();
    },
  };
}

const EXPLAIN_MS = 10_000;

/** True for an event after which the explanation of the session's state is another one. */
const changesState = (event: Event, session: string | null): boolean =>
  'session_id' in event && event.session_id === session && STATE_EVENTS.has(event.event_type);
const STATE_EVENTS: ReadonlySet<string> = new Set<Event['event_type']>([
  'session_state_changed',
  'session_idle_changed',
  'session_exited',
  'session_lost',
  'session_revived',
]);

/** Returns the lists and details that an event makes stale. */
function changedBy(event: Event, open: OpenWork): readonly Part[] {
  const isOfTask = 'task_id' in event && typeof event.task_id === 'string';
  const isOfRun = 'run_id' in event && typeof event.run_id === 'string';
  return [
    ...(isOfTask ? (['tasks'] as const) : []),
    ...(isOfTask && event['task_id'] === open.task ? (['task'] as const) : []),
    ...(isOfRun ? (['runs'] as const) : []),
    ...(isOfRun && event['run_id'] === open.run ? (['run'] as const) : []),
    // The event of an answer contains only the item. A task or a run may be waiting for it.
    ...(event.event_type === 'item_answered' ? (['tasks', 'runs', 'task', 'run'] as const) : []),
    ...(event.event_type.startsWith('blueprint_') ? (['blueprints'] as const) : []),
  ];
}
