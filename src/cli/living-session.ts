/** The session that a command watches or types into: it must live. */
import { OrchdError, type Session } from '../protocol/index.js';

/** @throws {OrchdError} ORCHD_SESSION_ENDED, which says how its last screen is seen. */
export function mustLive({ id, name, ended_at }: Session): void {
  if (ended_at === null) return;
  throw new OrchdError(
    'ORCHD_SESSION_ENDED',
    `session '${name}' has ended; \`orchd capture ${id}\` shows its last screen`,
  );
}
