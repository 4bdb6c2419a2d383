/**
 * Tasks, runs and blueprints in the plain mode: finds them by a typed word, and carries out commands.
 *
 * In:   words of commands.
 * Out:  lines to print. Rejects with a sentence for the person.
 */

import { createWork, doWork, type Surrounding } from '../effects/work-effects.js';
import { NO_WORK, takeWork, type Work } from '../model/work-model.js';
import { blueprintLines, runLines, taskLines } from './plain-work-words.js';

export interface PlainWork {
  load(list: 'tasks' | 'runs' | 'blueprints'): Promise<Work>;
  /** Finds a task or run by its id or the beginning of it, a blueprint by its name. Null if there is none. */
  find(word: string): Promise<Found | null>;
  details(word: string): Promise<readonly string[]>;
  act(act: 'plan' | 'start' | 'retry' | 'cancel', word: string): Promise<string>;
  create(kind: 'task' | 'do', text: string): Promise<string>;
}

interface Found {
  readonly kind: 'task' | 'run' | 'blueprint';
  /** The id; for a blueprint its name. */
  readonly id: string;
}

export function createPlainWork({
  directory,
  ...surrounding
}: Surrounding & { readonly directory: string }): PlainWork {
  const { client, project } = surrounding;
  const place = project === null ? {} : { project };

  async function load(list: 'tasks' | 'runs' | 'blueprints'): Promise<Work> {
    switch (list) {
      case 'tasks':
        return takeWork(NO_WORK, { tasks: await client.call('task.list', {}) });
      case 'runs':
        return takeWork(NO_WORK, { runs: await client.call('run.list', {}) });
      case 'blueprints':
        return takeWork(NO_WORK, { blueprints: await client.call('blueprint.list', place) });
    }
  }

  async function find(word: string): Promise<Found | null> {
    const [{ tasks }, { runs }, { blueprints }] = await Promise.all([load('tasks'), load('runs'), load('blueprints')]);
    const all: readonly Found[] = [
      ...tasks.map(({ id }) => ({ kind: 'task' as const, id })),
      ...runs.map(({ id }) => ({ kind: 'run' as const, id })),
      ...blueprints.map(({ name }) => ({ kind: 'blueprint' as const, id: name })),
    ];
    const bare = (id: string): string => id.replace(/^(?:tsk|run)_/, '');
    const whole = all.filter(({ id }) => id === word);
    const found = whole.length > 0 ? whole : all.filter(({ id }) => id.startsWith(word) || bare(id).startsWith(word));
    if (found.length > 1) throw new Error(`${word} may be ${found.map(({ id }) => id).join(', ')}`);
    return found[0] ?? null;
  }

  async function known(word: string): Promise<Found> {
    const found = await find(word);
    if (found) return found;
    throw new Error(`there is no task, run or blueprint ${word}; type tasks, runs or blueprints`);
  }

  return {
    load,
    find,
    async details(word) {
      const { kind, id } = await known(word);
      if (kind === 'blueprint') return blueprintLines(await client.call('blueprint.show', { name: id, ...place }));
      if (kind === 'run') return runLines(await client.call('run.show', { run: id }), Date.now());
      const [task, history] = await Promise.all([
        client.call('task.show', { task: id }),
        client.call('task.history', { task: id }),
      ]);
      return taskLines(task, history, Date.now());
    },
    async act(act, word) {
      const { kind, id } = await known(word);
      if (kind === 'task') return `${(await doWork(surrounding, { kind, act, taskId: id })).words}.`;
      if (kind === 'run' && (act === 'retry' || act === 'cancel'))
        return `${(await doWork(surrounding, { kind, act, runId: id })).words}.`;
      throw new Error(`${act} takes a task${act === 'retry' ? ' or a run' : ''}; ${id} is a ${kind}`);
    },
    async create(kind, text) {
      const [, named, rest] = /^([A-Za-z0-9][\w.-]*):\s*([\s\S]*)$/.exec(text) ?? [];
      const { blueprints } = await load('blueprints');
      const blueprint = kind === 'do' ? (blueprints.find(({ name }) => name === named)?.name ?? null) : null;
      const request = {
        kind: kind === 'do' ? ('run' as const) : ('task' as const),
        blueprint,
        adapter: null,
        input: undefined,
        format: null,
        schema: '',
        limits: undefined,
        prompt: blueprint === null ? text : (rest ?? ''),
        isInteractive: false,
        directory,
        next: 'plan' as const,
      };
      return `${(await createWork(surrounding, request)).words}.`;
    },
  };
}
