/**
 * Finds the directory of this machine that another machine has named. The other machine cannot look at this file
 * system, so it sends a name.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isDirectory } from '../../host/index.js';
import { OrchdError, type OutputOf } from '../../protocol/index.js';

const MAX_CANDIDATES = 10;

/**
 * @param directory  An absolute path, a path below `home` (also as `~/…`), or the last part of one of `known`.
 * @param known      Directories in which programs were started.
 * @throws {OrchdError} ORCHD_FILE if there is none, ORCHD_AMBIGUOUS if several have the name.
 */
export function findDirectory(directory: string, home: string, known: readonly string[]): OutputOf<'project.find'> {
  const inHome = directory.replace(/^~(?=\/|$)/, '.');
  const path = isAbsolute(directory) ? join(directory) : join(home, inHome);
  if (isDirectory(path)) return found(path);
  const isName = !directory.includes('/');
  if (!isName) throw new OrchdError('ORCHD_FILE', `there is no directory ${path}`);
  const named = [...new Set(known)].filter((one) => basename(one) === directory && isDirectory(one));
  const [one, other] = named;
  if (one === undefined) {
    const message = `there is no directory ${path}, and nothing was started in another one called '${directory}'`;
    throw new OrchdError('ORCHD_FILE', message);
  }
  if (other === undefined) return found(one);
  const candidates = named.slice(0, MAX_CANDIDATES);
  const message = `several directories are called '${directory}', give a path: ${candidates.join(', ')}`;
  throw new OrchdError('ORCHD_AMBIGUOUS', message, { candidates });
}

const found = (directory: string): OutputOf<'project.find'> => ({
  directory,
  project: enclosingProject(directory) ?? null,
});

/** Returns the nearest directory around another one that contains `.orchd`. */
export function enclosingProject(directory: string): string | undefined {
  for (let dir = directory; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.orchd'))) return dir;
    if (dirname(dir) === dir) return undefined;
  }
}
