/** The TUI: Ink screens over the client. */
import { createClient } from '../client/index.js';
import type { Paths } from '../protocol/index.js';
import type { AttachPreferences } from './attach-options.js';
import { createKeymap } from './keymap.js';
import { isThemeName } from './themes.js';

export type { AttachOptions, AttachPreferences } from './attach-options.js';
export { type AttachEnd, attachTerminal } from './attach-terminal.js';
export { createKeymap, keysText } from './keymap.js';
export { addWorktree } from './worktree.js';

/** Line by line, without a terminal's arts: for screen readers, dumb terminals and pipes. */
export async function runPlainTui({
  paths,
  env,
  directory,
  project,
  attach,
  signal,
}: Pick<TuiOptions, 'paths' | 'env' | 'directory' | 'project' | 'attach'> & {
  readonly signal: AbortSignal;
}): Promise<undefined> {
  const { runPlainMode } = await import('./plain-mode.js');
  const client = createClient({ socketPath: paths.socket, clientName: 'tui' });
  try {
    await runPlainMode({ client, env, directory, project, attach, signal });
  } finally {
    client.close();
  }
  return undefined;
}

export interface TuiOptions {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
  /** Where it was started. */
  readonly directory: string;
  /** The project whose blueprints count; null for the person's own alone. */
  readonly project: string | null;
  readonly config: TuiConfig;
  /** Of sessions that are attached to from the TUI. */
  readonly attach: AttachPreferences;
  readonly adapters: () => Promise<readonly string[]>;
  readonly version: string;
}

/** The parts of the configuration that are the TUI's. */
export interface TuiConfig {
  readonly tui: { readonly theme: string; readonly mouse: boolean };
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * @returns The exit code, undefined for success.
 * @throws {OrchdError} ORCHD_CONFIG for keys of actions that do not exist, and the like.
 */
export async function runTui({ paths, config, ...options }: TuiOptions): Promise<number | undefined> {
  createKeymap(config.keys); // refused while the terminal is untouched
  const { theme, mouse } = config.tui;
  // Before React is loaded: its development build is slower and keeps more.
  process.env['NODE_ENV'] = 'production';
  const { openTui } = await import('./open-tui.js');
  const client = createClient({ socketPath: paths.socket, clientName: 'tui' });
  try {
    const last = await openTui({
      ...options,
      ...{ client, hasMouse: mouse, keys: config.keys },
      theme: isThemeName(theme) ? theme : 'dark',
    });
    process.stdout.write(`${last}\n`);
  } finally {
    client.close();
  }
  return undefined;
}
