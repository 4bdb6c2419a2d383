/**
 * Attaches this terminal to a session: its stream is asked for first, and what shows it is loaded while the daemon
 * makes the screen.
 */
import type { AttachOptions } from '../tui/attach-options.js';
import { openSeat, windowOf } from '../tui/attach-seat.js';
import type { AttachEnd } from '../tui/attach-terminal.js';
import { whileAsked } from './while-asked.js';

/** @throws {OrchdError} As `attachTerminal`. */
export async function sitAt(options: Omit<AttachOptions, 'first' | 'streams'>): Promise<AttachEnd> {
  const size = windowOf(process.stdout, options.hasStatus);
  const terminal = openSeat(options.client, size, options);
  terminal.catch(() => {}); // awaited below
  const { attachTerminal } = await whileAsked(() => import('../tui/attach-terminal.js'));
  return attachTerminal({ ...options, first: { terminal, size } });
}
