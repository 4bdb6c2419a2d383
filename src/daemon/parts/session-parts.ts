/** Builds the sessions, and the import of recordings. */
import { clearImports, Imports, Sessions } from '../sessions/index.js';
import type { Base } from './base.js';
import type { InteractionParts } from './interaction-parts.js';
import type { RegistryParts } from './registry-parts.js';
import type { Storage } from './storage.js';

export type SessionParts = ReturnType<typeof createSessionParts>;

/** Creates the sessions and imports, and removes unfinished imports of a daemon that was killed. */
export function createSessionParts(earlier: Base & Storage & RegistryParts & InteractionParts) {
  const { paths, config, lifetime, now, registry, outbox, connection, entryPorts } = earlier;
  const { cols, rows, scrollback: scrollbackLines, tools } = config.sessions;
  const imports = new Imports({ paths, registry, outbox, entryPorts, now, scrollbackLines });
  clearImports(paths);
  const sessions = new Sessions({
    ...earlier,
    whenHost: connection.whenThere,
    defaults: { size: { cols, rows }, scrollbackLines, tools },
    sessionBytes: config.retention.session_bytes,
  });
  lifetime.onClose(() => sessions.close());
  lifetime.onClose(() => earlier.transcripts.close());
  return { imports, sessions };
}
