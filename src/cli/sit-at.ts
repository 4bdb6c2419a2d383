/**
 * Attaches this terminal to a session. The stream is requested first; the module that shows it is loaded while the
 * daemon prepares the screen.
 */
import type { AttachOptions } from '../tui/attach-options.js';
import { openSeat, windowOf } from '../tui/attach-seat.js';
import type { AttachEnd } from '../tui/attach-terminal.js';
import { whileAsked } from './while-asked.js';

/** @throws {OrchdError} The errors of `attachTerminal`. */
export async function sitAt(options: Omit<AttachOptions, 'first' | 'streams'>): Promise<AttachEnd> {
  const size = windowOf(process.stdout, options.hasStatus);
  const terminal = openSeat(options.client, size, options);
  terminal.catch(() => {}); // awaited below
  const { attachTerminal } = await whileAsked(() => import('../tui/attach-terminal.js'));
  return attachTerminal({ ...options, first: { terminal, size } });
}
