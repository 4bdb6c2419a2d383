/**
 * Attaches this terminal to a session. The stream is requested first; the module that shows it is loaded while the
 * daemon prepares the screen.
 */
import type { AttachOptions } from '../../tui/attach/attach-options.js';
import type { AttachEnd } from '../../tui/attach/attach-screens.js';
import { openAttachStream, windowOf } from '../../tui/attach/attach-target.js';
import { loadMeanwhile } from '../program/load-meanwhile.js';

/** @throws {OrchdError} The errors of `attachScreens`. */
export async function attachSession(options: Omit<AttachOptions, 'first' | 'streams'>): Promise<AttachEnd> {
  const size = windowOf(process.stdout, options.hasStatus);
  const terminal = openAttachStream(options.client, size, options);
  terminal.catch(() => {}); // awaited below
  const { attachScreens } = await loadMeanwhile(() => import('../../tui/attach/attach-screens.js'));
  return attachScreens({ ...options, first: { terminal, size } });
}
