/**
 * Attaches the person's terminal to a session until they leave; if they split the terminal, it shows several sessions.
 *
 * The grid is loaded only for a split, because attaching has to start fast.
 */

import type { AttachOptions } from '../attach/attach-options.js';
import { attachTerminal, type AttachEnd as TerminalEnd } from '../attach/attach-terminal.js';
import { createPaint } from '../paint/paint.js';

export { machineTransport } from '../attach/attach-transport.js';

/** The end of attaching, and the session that was attached at that time. */
export type AttachEnd = Exclude<TerminalEnd, { readonly kind: 'split' }>;

/** @throws {OrchdError} The errors of `attachTerminal`. */
export async function attachScreens(options: AttachOptions): Promise<AttachEnd> {
  const end = await attachTerminal(options);
  if (end.kind !== 'split') return end;
  const { showGrid } = await import('./show-grid.js');
  const { client, session, first: _first, streams, env = process.env, ...attach } = options;
  const paint = createPaint(env);
  const add = { way: end.way, session: end.other };
  await showGrid({ client, sessions: [end.session], add, paint, attach, env, ...(streams && { streams }) });
  return { kind: 'detached', session: end.session };
}
