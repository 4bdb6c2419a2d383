/** Checks that a session lives, for commands that watch it or type into it. */
import { OrchdError, type Session } from '../../protocol/index.js';

/** @throws {OrchdError} ORCHD_SESSION_ENDED, with the command that shows its last screen. */
export function mustLive({ id, name, ended_at }: Session): void {
  if (ended_at === null) return;
  throw new OrchdError(
    'ORCHD_SESSION_ENDED',
    `session '${name}' has ended; \`orchd capture ${id}\` shows its last screen`,
  );
}
