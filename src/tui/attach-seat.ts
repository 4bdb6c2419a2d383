/**
 * Where a person sits: at which session, and how. Apart from what shows it (attach-terminal.ts), which is loaded while
 * the daemon makes the first screen.
 */
import type { Client, Terminal } from '../client/index.js';
import type { Session, Size } from '../protocol/index.js';

export interface Seat {
  readonly session: Pick<Session, 'id' | 'name' | 'mode'>;
  readonly isReadOnly: boolean;
  /** Whether the last row is ours. */
  readonly hasStatus: boolean;
}

/** A terminal of fewer rows has none to spare. */
export const LEAST_ROWS = 4;

type Measured = Pick<NodeJS.WriteStream, 'columns' | 'rows'>;

/** What is not known is taken to be as terminals always were. */
export const sizeOf = ({ columns, rows }: Measured): Size => ({ cols: columns || 80, rows: rows || 24 });

/** What the session has of the person's terminal. */
export function windowOf(stdout: Measured, hasStatus: boolean): Size {
  const { cols, rows } = sizeOf(stdout);
  return { cols, rows: hasStatus && rows >= LEAST_ROWS ? rows - 1 : rows };
}

/**
 * @param size  As `windowOf` gives it. @throws {OrchdError} What the daemon refuses, and ORCHD_DAEMON_UNREACHABLE when
 *              none is there.
 */
export function openSeat(client: Client, size: Size, { session, isReadOnly, hasStatus }: Seat): Promise<Terminal> {
  return client.terminal(session.id, { size, readOnly: isReadOnly, painted: hasStatus });
}
