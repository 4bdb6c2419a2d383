/**
 * Keeps the tasks, runs and blueprints in the model in sync with the daemon.
 *
 * In:   the model's inputs (`heard`), and the open view (`show`).
 * Out:  the daemon's replies, as inputs for the model.
 * At most one request is in flight, and REST_MS or more pass between two rounds. Only visible data is requested, and
 * after every snapshot the list of tasks for its count.
 */
import type { Client } from '../../client/index.js';
import { type Event, OrchdError } from '../../protocol/index.js';
import type { ModelInput } from '../model/model.js';
import type { Work } from './work-model.js';

/** The data of the open view: lists, and one task or run by its id. */
export interface LookedWork {
  readonly lists: readonly ListOfWork[];
  readonly task: string | null;
  readonly run: string | null;
}

export type ListOfWork = 'tasks' | 'runs' | 'blueprints';

interface WorkWatch {
  heard(input: ModelInput): void;
  show(looked: LookedWork): void;
  close(): void;
}

interface WorkWatchPorts {
  readonly client: Client;
  /** The project whose blueprints are listed; null for the user's own blueprints alone. */
  readonly project: string | null;
  readonly take: (input: ModelInput) => void;
  /** Called with the reason if something cannot be shown, except if the daemon is away. */
  readonly fail: (error: unknown) => void;
  readonly now?: () => number;
}

type Part = ListOfWork | 'task' | 'run';

const REST_MS = 250;
/** The pause after a round is this many times as long as the round took. */
const REST_FACTOR = 4;

export function watchWork({ client, project, take, fail, now = Date.now }: WorkWatchPorts): WorkWatch {
  let looked: LookedWork = { lists: [], task: null, run: null };
  const stale = new Set<Part>();
  let isAsking = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let restUntil = 0;

  const ASK: { readonly [P in Part]: () => Promise<Partial<Work>> } = {
    tasks: async () => ({ tasks: await client.call('task.list', {}) }),
    runs: async () => ({ runs: await client.call('run.list', {}) }),
    blueprints: async () => ({
      blueprints: await client.call('blueprint.list', project === null ? {} : { project }),
    }),
    async task() {
      const task = looked.task ?? '';
      const [found, history] = await Promise.all([
        client.call('task.show', { task }),
        client.call('task.history', { task }),
      ]);
      return { task: found, history };
    },
    run: async () => ({ run: await client.call('run.show', { run: looked.run ?? '' }) }),
  };

  const isWanted = (part: Part): boolean =>
    part === 'task' ? looked.task !== null : part === 'run' ? looked.run !== null : looked.lists.includes(part);
  const askSoon = (): void => {
    if (isAsking || isClosed || timer !== undefined || ![...stale].some(isWanted)) return;
    timer = setTimeout(() => void ask(), Math.max(0, restUntil - now()));
  };

  async function ask(): Promise<void> {
    timer = undefined;
    isAsking = true;
    const begun = now();
    for (const part of [...stale].filter(isWanted)) {
      stale.delete(part); // later events make it stale again
      try {
        const work = await ASK[part]();
        if (!isClosed) take({ kind: 'work', work });
      } catch (error) {
        const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
        if (!isAway && !isClosed) fail(error); // after a reconnect a snapshot comes
      }
    }
    isAsking = false;
    restUntil = now() + Math.max(REST_MS, REST_FACTOR * (now() - begun));
    askSoon();
  }

  return {
    heard(input) {
      if (input.kind === 'snapshot') for (const part of PARTS) stale.add(part);
      else if (input.kind === 'event') for (const part of changedBy(input.event, looked)) stale.add(part);
      else return;
      askSoon();
    },
    show(next) {
      const before = looked;
      looked = next;
      const fresh = [
        ...next.lists.filter((list) => !before.lists.includes(list)),
        ...(next.task !== null && next.task !== before.task ? (['task'] as const) : []),
        ...(next.run !== null && next.run !== before.run ? (['run'] as const) : []),
      ];
      if (fresh.length === 0) return;
      for (const part of fresh) stale.add(part);
      restUntil = 0; // a newly opened view is loaded at once
      clearTimeout(timer);
      timer = undefined;
      askSoon();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const PARTS: readonly Part[] = ['tasks', 'runs', 'blueprints', 'task', 'run'];

/** Returns the lists and details that an event makes stale. */
function changedBy(event: Event, looked: LookedWork): readonly Part[] {
  const isOfTask = 'task_id' in event && typeof event.task_id === 'string';
  const isOfRun = 'run_id' in event && typeof event.run_id === 'string';
  return [
    ...(isOfTask ? (['tasks'] as const) : []),
    ...(isOfTask && event['task_id'] === looked.task ? (['task'] as const) : []),
    ...(isOfRun ? (['runs'] as const) : []),
    ...(isOfRun && event['run_id'] === looked.run ? (['run'] as const) : []),
    // An answer names only its item; a task or a run may be waiting for it.
    ...(event.event_type === 'item_answered' ? (['tasks', 'runs', 'task', 'run'] as const) : []),
    ...(event.event_type.startsWith('blueprint_') ? (['blueprints'] as const) : []),
  ];
}
