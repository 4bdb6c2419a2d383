/** The TUI: Ink screens over the client. */
import { createClient } from '../client/index.js';
import { type Paths, segmentsOf, TUI_SEGMENTS } from '../protocol/index.js';
import { createKeymap } from './acts/keymap.js';
import { attachKeys, gridKeys } from './keys/index.js';
import type { OpenTuiOptions } from './open-tui.js';
import { isThemeName } from './paint/themes.js';

export { createKeymap, keysText } from './acts/keymap.js';
export { showGrid } from './grid/show-grid.js';
export { attachKeys, gridKeys } from './keys/index.js';
export { createPaint } from './paint/paint.js';
export { isThemeName } from './paint/themes.js';
export {
  evenParts,
  findLayout,
  type Layout,
  type LayoutSession,
  layoutTrust,
  leaf,
  leavesOf,
  readLayout,
  renameLeaves,
} from './splits/index.js';

/** Runs the TUI as plain lines without cursor movement, for screen readers, dumb terminals and pipes. */
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
  const { runPlainMode } = await import('./plain/plain-mode.js');
  const client = createClient({ socketPath: paths.socket, clientName: 'tui' });
  try {
    await runPlainMode({ client, env, directory, project, attach, signal });
  } finally {
    client.close();
  }
  return undefined;
}

/** Options that come from the configuration, or that `runTui` creates. */
type Derived = 'client' | 'theme' | 'hasMouse' | 'keys' | 'segments' | 'draftsDir';

interface TuiOptions extends Omit<OpenTuiOptions, Derived> {
  readonly paths: Paths;
  readonly config: TuiConfig;
}

/** The sections of the configuration that the TUI reads. */
interface TuiConfig {
  readonly tui: { readonly theme: string; readonly mouse: boolean };
  readonly status: { readonly tui: string };
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * @returns The exit code, undefined for success.
 * @throws {OrchdError} ORCHD_CONFIG for an invalid [keys] section, such as keys for an unknown action.
 */
export async function runTui({ paths, config, ...options }: TuiOptions): Promise<number | undefined> {
  attachKeys(options.attach.prefix, config.keys);
  gridKeys(config.keys);
  createKeymap(config.keys); // rejects an invalid [keys] section before the terminal is changed
  const { theme, mouse } = config.tui;
  const { openTui } = await withoutFetch(() => import('./open-tui.js'));
  const client = createClient({ socketPath: paths.socket, clientName: 'tui' });
  try {
    const last = await openTui({
      ...options,
      segments: segmentsOf(config.status.tui, TUI_SEGMENTS),
      client,
      hasMouse: mouse,
      keys: config.keys,
      draftsDir: paths.draftsDir,
      theme: isThemeName(theme) ? theme : 'dark',
    });
    process.stdout.write(`${last}\n`);
  } finally {
    client.close();
  }
  return undefined;
}

/**
 * Runs `load` while there is no `fetch`. Ink's layout engine would read its WebAssembly, a data URL, with `fetch`,
 * which Node takes 20 ms to load. Without `fetch`, the engine decodes the same bytes itself.
 */
async function withoutFetch<T>(load: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  Object.assign(globalThis, { fetch: undefined });
  try {
    return await load();
  } finally {
    Object.assign(globalThis, { fetch });
  }
}
