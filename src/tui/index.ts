/** The TUI: Ink screens over the client. */
import { createClient } from '../client/index.js';
import type { Paths } from '../protocol/index.js';

import type { AttachPreferences } from './attach-terminal.js';

export { type AttachEnd, type AttachOptions, type AttachPreferences, attachTerminal } from './attach-terminal.js';

export interface TuiOptions {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
  /** Of sessions that are attached to from the TUI. */
  readonly attach: AttachPreferences;
  readonly version: string;
}

/** @returns The exit code, undefined for success. */
export async function runTui({ paths, env, attach, version }: TuiOptions): Promise<number | undefined> {
  // Before React is loaded: its development build is slower and keeps more.
  process.env['NODE_ENV'] = 'production';
  const { openTui } = await import('./open-tui.js');
  const client = createClient({ socketPath: paths.socket, clientName: 'tui' });
  try {
    const last = await openTui({ client, env, attach, version });
    process.stdout.write(`${last}\n`);
  } finally {
    client.close();
  }
  return undefined;
}
