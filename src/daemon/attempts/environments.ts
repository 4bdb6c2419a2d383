/**
 * The environments of unfinished runs, in files with mode 0600. A run may wait, be repeated or outlive a daemon, and
 * its program must get its caller's environment. The files contain the person's secrets and are removed with the run.
 * The log never contains them.
 *
 * Operations on one file run one after the other and never block the daemon. A file is written atomically.
 */
import { mkdir, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAggregate, TaskAggregate } from '../../lifecycle/index.js';
import { isRunOver, isTaskOver, type Paths, type Task } from '../../protocol/index.js';
import type { StoredState } from '../../store/index.js';
import type { Head } from '../../workflow/index.js';
import { KeyedQueue } from '../concurrency/index.js';
import { loginEnvironment } from '../program/index.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '.env.json';
/** Suffix of a file that is being written. */
const NEW = '.new';

const fileOf = ({ runsDir }: Pick<Paths, 'runsDir'>, id: string): string => join(runsDir, `${id}${SUFFIX}`);

/** The content of each file that this daemon has written, by path. */
const known = new Map<string, Environment>();
/** The operations on each file. */
const queue = new KeyedQueue();

/** Resolves when the file is on disk. */
export function keepEnvironment(paths: Pick<Paths, 'runsDir'>, id: string, env: Environment): Promise<void> {
  const file = fileOf(paths, id);
  known.delete(file);
  return queue.run(file, async () => {
    await mkdir(paths.runsDir, { recursive: true, mode: 0o700 });
    await writeFile(file + NEW, JSON.stringify(env), { mode: 0o600 });
    await rename(file + NEW, file);
    known.set(file, env);
  });
}

/** Returns the kept environment. If its file is gone, returns that of a login. */
export const environmentOf = async (paths: Pick<Paths, 'runsDir'>, id: string): Promise<Environment> =>
  (await readEnvironment(paths, id)) ?? loginEnvironment();

/** Returns null if the file is gone. */
export async function readEnvironment(paths: Pick<Paths, 'runsDir'>, id: string): Promise<Environment | null> {
  const file = fileOf(paths, id);
  const own = known.get(file);
  if (own) return own;
  return queue.run(file, async () => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Environment; // only orchd writes this file
    } catch {
      return null;
    }
  });
}

/** Removes the file. If that fails, the next daemon removes it. */
export function dropEnvironment(paths: Pick<Paths, 'runsDir'>, id: string): void {
  const file = fileOf(paths, id);
  void queue.run(file, () => {
    known.delete(file);
    return unlink(file).catch(() => undefined);
  });
}

/** Removes files that a previous daemon left. Called before any run continues. */
export async function clearEnvironments(
  { runsDir }: Pick<Paths, 'runsDir'>,
  { runs, tasks, workflows }: Pick<StoredState, 'runs' | 'tasks' | 'workflows'>,
): Promise<void> {
  const going = runs.filter(({ value }) => !isRunOver((value as RunAggregate).run)); // only orchd writes rows
  const undone = tasks.filter(({ value }) => mayGoOn((value as TaskAggregate).task)); // only orchd writes rows
  const unfinished = workflows.filter(({ value }) => (value as Head).state !== 'completed'); // only orchd writes rows
  const kept = new Set([...going, ...undone, ...unfinished].map(({ id }) => id + SUFFIX));
  const names = await readdir(runsDir).catch(() => []); // no run was started yet
  for (const name of names.filter((one) => !kept.has(one))) await rm(join(runsDir, name), { force: true });
}

/** True if the task can still continue: a failed task may be started again. */
export const mayGoOn = (task: Pick<Task, 'state'>): boolean => !isTaskOver(task) || task.state === 'failed';
