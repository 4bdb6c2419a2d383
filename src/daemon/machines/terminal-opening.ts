/**
 * The command that opens a terminal of another machine, for both machines. protocol/terminal-stream.md defines it.
 *
 * It is no operation of the API: its outcome is a channel (src/hub/channels), not an output.
 */
import { type OperationEntry, OrchdError } from '../../protocol/index.js';
import type { TerminalRequest } from '../terminals/index.js';

export const TERMINAL_OPEN = 'terminal.open';

/** The input of the command. */
export interface TerminalOpening {
  /** Id, name, or beginning of an id. */
  readonly session: string;
  readonly read_only: boolean;
  readonly painted: boolean;
  /** The size of the viewer's terminal; absent to keep that of the session. */
  readonly cols?: number;
  readonly rows?: number;
  /** The id of the channel, and the public key of the viewer for it. */
  readonly channel: string;
  readonly key: string;
}

/** Returns what the machine must allow: to show a screen, and to type, unless the viewer only reads. */
export const needOf = ({ read_only }: TerminalOpening): Pick<OperationEntry, 'remote' | 'showsScreen'> => ({
  remote: read_only ? 'read' : 'type',
  showsScreen: true,
});

export function openingOf(
  session: string,
  { size, isReadOnly, isPainted }: TerminalRequest,
  { id, key }: { readonly id: string; readonly key: string },
): TerminalOpening {
  return { session, read_only: isReadOnly, painted: isPainted, ...size, channel: id, key };
}

export const requestOf = ({ cols, rows, read_only, painted }: TerminalOpening): TerminalRequest => ({
  mode: 'attach',
  isReadOnly: read_only,
  isPainted: painted,
  pauseMs: 0,
  from: null,
  tellsPositions: false,
  size: cols === undefined || rows === undefined ? null : { cols, rows },
});

const MAX_EXTENT = 1000;
const isExtent = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_EXTENT);

/** @throws {OrchdError} ORCHD_INVALID */
export function parseOpening(input: Readonly<Record<string, unknown>>): TerminalOpening {
  const { session, read_only, painted, cols, rows, channel, key } = input;
  const isOpening =
    [session, channel, key].every((text) => typeof text === 'string') &&
    [read_only, painted].every((one) => typeof one === 'boolean') &&
    isExtent(cols) &&
    isExtent(rows);
  if (!isOpening) throw new OrchdError('ORCHD_INVALID', `the input of '${TERMINAL_OPEN}' is not valid`);
  return input as unknown as TerminalOpening; // checked above
}
