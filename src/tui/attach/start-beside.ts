/** Starts a program in a new session, in the directory of another one. */
import type { Client } from '../../client/index.js';
import { callerEnvironment, callerUmask } from '../../client/index.js';
import { OrchdError, type Session, splitCommand } from '../../protocol/index.js';

/**
 * @param text  The command line that the person typed.
 * @throws {OrchdError} The daemon's refusal; ORCHD_USAGE for a line that is no command.
 */
export async function startBeside(
  client: Client,
  env: NodeJS.ProcessEnv,
  sessionId: string,
  text: string,
): Promise<Session> {
  const { command, problem } = splitCommand(text);
  if (problem !== null) throw new OrchdError('ORCHD_USAGE', problem);
  const { cwd } = await client.call('session.show', { session: sessionId });
  return client.call('session.start', {
    ...{ command: [...command], cwd, env: callerEnvironment(env), umask: callerUmask() },
  });
}
