/** The directory on another machine in which a command starts something there. */
import type { Client } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import { list, type Options, text } from '../program/command.js';

interface RemoteDirectory {
  /** Absolute path on the other machine. Absent for its home directory. */
  readonly cwd?: string;
  /** The project around it, in which blueprints are looked for. */
  readonly project?: string;
}

/**
 * Finds the directory that --cwd names: a path there, or the name of a directory in which something was started.
 *
 * @throws {OrchdError} ORCHD_FILE if it is not there, ORCHD_AMBIGUOUS; ORCHD_USAGE for --env.
 */
export async function remoteDirectory(client: Pick<Client, 'call'>, options: Options): Promise<RemoteDirectory> {
  refuseEnv(options);
  const directory = text(options, 'cwd');
  if (directory === undefined) return {};
  const found = await client.call('project.find', { directory });
  return { cwd: found.directory, ...(found.project !== null && { project: found.project }) };
}

/** @throws {OrchdError} ORCHD_USAGE for --env. */
export function refuseEnv(options: Options): void {
  if (list(options, 'env').length === 0) return;
  const message = '--env works on this machine only: a program on another one gets the environment of a login there';
  throw new OrchdError('ORCHD_USAGE', message);
}
