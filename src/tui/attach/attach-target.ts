/**
 * The session that a terminal is attached to, and how. This file is separate from attach-terminal.ts, which is loaded
 * while the daemon prepares the first screen.
 */
import type { Client, Terminal } from '../../client/index.js';
import type { Session, Size } from '../../protocol/index.js';

export interface AttachTarget {
  readonly session: Pick<Session, 'id' | 'name' | 'mode'>;
  readonly isReadOnly: boolean;
  /** True if the last row of the terminal is the status row. */
  readonly hasStatus: boolean;
}

/** A terminal with fewer rows shows no status row. */
export const MIN_ROWS = 4;

type Measured = Pick<NodeJS.WriteStream, 'columns' | 'rows'>;

/** Returns the terminal's size. An unknown size counts as 80 × 24. */
export const sizeOf = ({ columns, rows }: Measured): Size => ({ cols: columns || 80, rows: rows || 24 });

/** Returns the part of the terminal that the session can use. */
export function windowOf(stdout: Measured, hasStatus: boolean): Size {
  const { cols, rows } = sizeOf(stdout);
  return { cols, rows: hasStatus && rows >= MIN_ROWS ? rows - 1 : rows };
}

/**
 * @param size The value returned by `windowOf`.
 * @throws {OrchdError} The daemon's refusal; ORCHD_DAEMON_UNREACHABLE if no daemon runs.
 */
export function openAttachStream(
  client: Pick<Client, 'terminal'>,
  size: Size,
  { session, isReadOnly, hasStatus }: AttachTarget,
): Promise<Terminal> {
  return client.terminal(session.id, { size, readOnly: isReadOnly, painted: hasStatus });
}
