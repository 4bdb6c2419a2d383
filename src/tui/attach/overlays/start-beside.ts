/** Starts a program in a new session, in the directory of another one. */
import { type Client, callerOf } from '../../../client/index.js';
import { OrchdError, type Session, splitCommand } from '../../../protocol/index.js';

/**
 * @param env   The environment for the program; null for another machine, where it gets that of a login.
 * @param text  The command line that the person typed.
 * @throws {OrchdError} The daemon's refusal; ORCHD_USAGE for a line that is no command.
 */
export async function startBeside(
  client: Pick<Client, 'call'>,
  env: NodeJS.ProcessEnv | null,
  sessionId: string,
  text: string,
): Promise<Session> {
  const { command, problem } = splitCommand(text);
  if (problem !== null) throw new OrchdError('ORCHD_USAGE', problem);
  const { cwd } = await client.call('session.show', { session: sessionId });
  return client.call('session.start', {
    command: [...command],
    cwd,
    ...(env !== null && callerOf(env)),
  });
}
