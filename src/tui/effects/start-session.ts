/** Starts the session that the form describes, and looks up folders for the form. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Client } from '../../client/index.js';
import { callerOf } from '../../client/index.js';
import { addWorktree, sessionNameOf } from '../../client/worktree.js';
import type { Session } from '../../protocol/index.js';
import type { StartRequest } from '../acts/ui-state.js';

/** A session without a name gets the name of its branch, which usually describes its purpose. */
export async function startSession(client: Client, env: NodeJS.ProcessEnv, request: StartRequest): Promise<Session> {
  const directory = resolve(expandHome(request.directory || '.'));
  const worktree = request.branch === null ? null : await addWorktree(directory, request.branch);
  const { name: given, branch } = request;
  try {
    const ofBranch = given === '' && branch !== null ? await sessionNameOf(client, branch) : null;
    const name = given === '' ? ofBranch : given;
    return await client.call('session.start', {
      command: [...request.command],
      cwd: worktree?.directory ?? directory,
      ...callerOf(env),
      ...(name !== null && { name }),
      ...(request.adapter !== null && { adapter: request.adapter }),
      ...(request.isTaught && { teach: true }),
    });
  } catch (error) {
    await worktree?.undo();
    throw error;
  }
}

export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());

/**
 * Returns the names of the folders that start with the path's last part. Hidden folders are included only if that part
 * starts with a dot. Returns [] if the parent cannot be read.
 */
export async function foldersLike(path: string): Promise<string[]> {
  const at = path.lastIndexOf('/') + 1;
  const [above, start] = [path.slice(0, at), path.slice(at)];
  try {
    const entries = await readdir(resolve(expandHome(above || '.')), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
      .sort();
  } catch {
    return [];
  }
}
