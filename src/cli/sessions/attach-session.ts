/**
 * Attaches this terminal to a session. The stream is requested first; the module that shows it is loaded while the
 * daemon prepares the screen.
 */
import type { Client } from '../../client/index.js';
import type { AttachOptions } from '../../tui/attach/attach-options.js';
import { openAttachStream, windowOf } from '../../tui/attach/attach-target.js';
import type { AttachEnd } from '../../tui/grid/attach-screens.js';
import { loadMeanwhile } from '../program/load-meanwhile.js';

interface AttachSessionOptions extends Omit<AttachOptions, 'first' | 'streams' | 'transport'> {
  /** The machine of the hub that has the session; undefined for this one. */
  readonly machine: string | undefined;
}

/** @throws {OrchdError} The errors of `attachScreens`. */
export async function attachSession({ machine, ...options }: AttachSessionOptions): Promise<AttachEnd> {
  const { client } = options;
  const size = windowOf(process.stdout, options.hasStatus);
  const opener: Pick<Client, 'terminal'> =
    machine === undefined ? client : { terminal: (session, how) => client.terminal(session, { ...how, machine }) };
  const terminal = openAttachStream(opener, size, options);
  terminal.catch(() => {}); // awaited below
  const { attachScreens, machineTransport } = await loadMeanwhile(() => import('../../tui/grid/attach-screens.js'));
  const transport = machine === undefined ? {} : { transport: machineTransport(client, machine) };
  return attachScreens({ ...options, ...transport, first: { terminal, size } });
}
