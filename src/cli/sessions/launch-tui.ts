/** Opens the TUI for the commands that use it, with the configuration and the names of the adapters. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '../../protocol/index.js';
import { attachPreferences } from '../commands/attach.js';
import { ensureDaemon } from '../daemon/daemon-process.js';
import { adapterNames } from '../program/adapter-names.js';
import { type Context, findProject, readConfig } from '../program/context.js';
import { startDemo } from './start-demo.js';

export const hasTerminal = ({ isJson, isQuiet }: Context): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && !isJson && !isQuiet;

const openedProject = ({ cwd }: Context): string | null => {
  const folder = findProject(cwd);
  return folder === null ? null : dirname(folder);
};

/** Opens the TUI for screen readers, and for terminals without cursor movement. */
export async function launchPlainTui(context: Context): Promise<undefined> {
  const { runPlainTui } = await import('../../tui/index.js');
  const { paths, env, cwd: directory, signal } = context;
  const project = openedProject(context);
  return runPlainTui({ paths, env, directory, project, signal, attach: attachPreferences(await readConfig(context)) });
}

/**
 * @param version The daemon's version.
 * @param isDemo  True if the demo was started for it.
 * @returns The exit code, undefined for success.
 */
export async function launchTui(context: Context, version: string, isDemo = false): Promise<number | undefined> {
  const { runTui } = await import('../../tui/index.js');
  const config = await readConfig(context);
  return runTui({
    paths: context.paths,
    env: context.env,
    directory: context.cwd,
    project: openedProject(context),
    version,
    config,
    attach: attachPreferences(config),
    adapters: adapterNames,
    startDaemon: async () => {
      await ensureDaemon(context);
    },
    isDemo,
    startDemo: () => startDemo(context, context.client()),
    exportSession: (session) => exportRecording(context, session),
  });
}

/**
 * Writes the recording of a session to a new file in the working directory.
 * @returns The path of the file.
 */
async function exportRecording(context: Context, session: Session): Promise<string> {
  const { SOURCES } = await import('../recording/export-forms.js');
  const { openSink } = await import('../recording/export-sink.js');
  let path = join(context.cwd, `${session.name}.cast`);
  for (let number = 2; existsSync(path); number++) path = join(context.cwd, `${session.name}-${number}.cast`);
  const client = context.connect();
  const sink = await openSink(context, path);
  try {
    for await (const part of SOURCES.cast(client, session)) await sink.write(part);
    await sink.finish();
  } catch (error) {
    await sink.discard();
    throw error;
  } finally {
    client.close();
  }
  return path;
}
