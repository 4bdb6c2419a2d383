/** Opens the TUI for the commands that do: with the configuration, and what programs can be said to be. */
import { dirname } from 'node:path';
import { attachPreferences } from './commands/attach.js';
import { type Context, findProject, readConfig } from './context.js';

export const hasTerminal = ({ isJson, isQuiet }: Context): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && !isJson && !isQuiet;

const projectOf = ({ cwd }: Context): string | null => {
  const folder = findProject(cwd);
  return folder === null ? null : dirname(folder);
};

/** For screen readers, and for terminals that cannot place anything. */
export async function openPlainTui(context: Context): Promise<undefined> {
  const { runPlainTui } = await import('../tui/index.js');
  const { paths, env, cwd: directory, signal } = context;
  const project = projectOf(context);
  return runPlainTui({ paths, env, directory, project, signal, attach: attachPreferences(await readConfig(context)) });
}

/** @param version  The daemon's. @returns The exit code, undefined for success. */
export async function openTui(context: Context, version: string): Promise<number | undefined> {
  const { runTui } = await import('../tui/index.js');
  const config = await readConfig(context);
  return runTui({
    ...{ paths: context.paths, env: context.env, directory: context.cwd, project: projectOf(context), version },
    config,
    attach: attachPreferences(config),
    // Only a new session asks for them: what knows agents is not loaded before.
    adapters: async () => {
      const { ADAPTERS, GENERIC } = await import('../session/index.js');
      return [GENERIC, ...ADAPTERS].map(({ name }) => name);
    },
  });
}
