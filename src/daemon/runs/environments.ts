/**
 * The environments of runs that are not over, in files (0600): a run may wait, be told again or outlive a daemon, and its program has to
 * have what its caller had. They are secrets of the person as the processes' own are, and gone with the run; the log never has them.
 *
 * What is done with one file is done in turn, and never on the daemon's own time; a file is whole, or it is not there.
 */
import { mkdir, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver, isTaskOver, type RunBook, type TaskBook } from '../../lifecycle/index.js';
import type { Paths, Task } from '../../protocol/index.js';
import type { StoredState } from '../../store/index.js';
import type { Head } from '../../workflow/index.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '.env.json';
/** Of one that is being written. */
const NEW = '.new';

const fileOf = ({ runsDir }: Pick<Paths, 'runsDir'>, id: string): string => join(runsDir, `${id}${SUFFIX}`);

/** By file: what it holds, since this daemon has written it. */
const known = new Map<string, Environment>();
/** By file: what is done with it, and whatever waits behind that. */
const turns = new Map<string, Promise<unknown>>();

function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(file) ?? Promise.resolve()).then(work, work);
  turns.set(file, mine);
  const leave = (): void => {
    if (turns.get(file) === mine) turns.delete(file);
  };
  mine.then(leave, leave);
  return mine;
}

/** Resolves when the next daemon would find it. */
export function keepEnvironment(paths: Pick<Paths, 'runsDir'>, id: string, env: Environment): Promise<void> {
  const file = fileOf(paths, id);
  known.delete(file);
  return inTurn(file, async () => {
    await mkdir(paths.runsDir, { recursive: true, mode: 0o700 });
    await writeFile(file + NEW, JSON.stringify(env), { mode: 0o600 });
    await rename(file + NEW, file);
    known.set(file, env);
  });
}

/** Null when the file is gone. */
export async function readEnvironment(paths: Pick<Paths, 'runsDir'>, id: string): Promise<Environment | null> {
  const file = fileOf(paths, id);
  const own = known.get(file);
  if (own) return own;
  return inTurn(file, async () => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Environment; // our own file
    } catch {
      return null;
    }
  });
}

/** What cannot be removed the next daemon removes. */
export function dropEnvironment(paths: Pick<Paths, 'runsDir'>, id: string): void {
  const file = fileOf(paths, id);
  void inTurn(file, () => {
    known.delete(file);
    return unlink(file).catch(() => undefined);
  });
}

/** Removes what a daemon before us died over; before anything goes on. */
export async function clearEnvironments(
  { runsDir }: Pick<Paths, 'runsDir'>,
  { runs, tasks, workflows }: Pick<StoredState, 'runs' | 'tasks' | 'workflows'>,
): Promise<void> {
  const going = runs.filter(({ value }) => !isOver((value as RunBook).run)); // our own rows
  const undone = tasks.filter(({ value }) => mayGoOn((value as TaskBook).task)); // as well
  const unfinished = workflows.filter(({ value }) => (value as Head).state !== 'completed'); // as well
  const kept = new Set([...going, ...undone, ...unfinished].map(({ id }) => id + SUFFIX));
  const names = await readdir(runsDir).catch(() => []); // there was no run yet
  for (const name of names.filter((one) => !kept.has(one))) await rm(join(runsDir, name), { force: true });
}

/** What has failed may be done again. */
export const mayGoOn = (task: Pick<Task, 'state'>): boolean => !isTaskOver(task) || task.state === 'failed';
