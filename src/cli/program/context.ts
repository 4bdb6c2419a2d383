/** The arguments of every command: output, environment, and the connection to the daemon. */
import { existsSync, lstatSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Client } from '../../client/index.js';
import { createClient } from '../../client/index.js';
import {
  type Config,
  type ConfigSource,
  configFromEnvironment,
  ignoredOptions,
  MAX_CONFIG_BYTES,
  mergeConfig,
  type Paths,
  projectSource,
  resolvePaths,
} from '../../protocol/index.js';
import { isTerminal, writeOutput } from '../printing/output.js';
import { createPaint, type Paint } from '../printing/paint.js';

export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly paths: Paths;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly paint: Paint;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Writes to standard output and waits while it is full. If the reader is gone, the command ends quietly. */
  write(text: string): Promise<void>;
  /** Prints the value with `--json`, otherwise the text. */
  print(value: unknown, text: () => string): Promise<void>;
  /** Prints a note for people on standard error, but not with `--quiet` or `--json`. */
  note(text: string): void;
  /** Returns the connection to the daemon. Does not start a daemon. */
  client(): Client;
  /** Returns a separate connection that stays open at Ctrl-C. The caller closes it. */
  connect(): Client;
  /** Closes the connection. */
  close(): void;
}

interface GlobalFlags {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** The directory may be removed, such as a worktree that was discarded. Its path is then that of the shell. */
function currentDirectory(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return env['PWD'] ?? '/';
  }
}

export function createContext(flags: GlobalFlags, signal: () => AbortSignal): Context {
  const { env } = process;
  const paths = resolvePaths({ env, uid: process.getuid?.() ?? 0, tmpDir: tmpdir(), homeDir: homedir() });
  let client: Client | undefined;
  let isClosed = false;
  const connect = (): Client => {
    const token = env['ORCHD_SESSION_ID'] ? env['ORCHD_SESSION_TOKEN'] : undefined;
    return createClient({ socketPath: paths.socket, clientName: 'cli', ...(token && { token }) });
  };
  return {
    env,
    cwd: currentDirectory(env),
    paths,
    ...flags,
    paint: createPaint(env, isTerminal),
    get signal() {
      return signal();
    },
    write: writeOutput,
    print: (value, text) => writeOutput(flags.isJson ? `${JSON.stringify(value, null, 2)}\n` : text()),
    note: (text) => {
      if (!flags.isJson && !flags.isQuiet) process.stderr.write(`${text}\n`);
    },
    client: () => {
      client ??= connect();
      if (isClosed) client.close(); // Ctrl-C came before the connection was made
      return client;
    },
    connect,
    close: () => {
      isClosed = true;
      client?.close();
    },
  };
}

/** Returns the nearest `.orchd` folder in a directory or its parents. */
export function findProject(from: string): string | null {
  for (let dir = from; ; dir = dirname(dir)) {
    const folder = join(dir, '.orchd');
    if (existsSync(folder)) return folder;
    if (dirname(dir) === dir) return null;
  }
}

/** @throws {OrchdError} ORCHD_CONFIG */
export async function readConfig(context: Pick<Context, 'paths' | 'env' | 'cwd'>): Promise<Config> {
  const project = findProject(context.cwd);
  return readFiles(context.paths.configFile, project && join(project, 'config.toml'), context.env);
}

/** Returns the options in the project's file that have no effect there, and the file; null if there are none. */
export async function ignoredInProject({
  cwd,
}: Pick<Context, 'cwd'>): Promise<{ file: string; names: string[] } | null> {
  const project = findProject(cwd);
  const file = project && join(project, 'config.toml');
  if (file === null || !isThere(file)) return null;
  const names = ignoredOptions(await readSource(file));
  return names.length === 0 ? null : { file, names };
}

/**
 * Reads the configuration for a daemon started from here, which ignores project files.
 * @throws {OrchdError} ORCHD_CONFIG
 */
export const readDaemonConfig = ({ paths, env }: Pick<Context, 'paths' | 'env'>): Promise<Config> =>
  readFiles(paths.configFile, null, env);

/** True also for a link that leads nowhere, or to itself: reading it tells what is wrong. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

async function readFiles(own: string, project: string | null, env: NodeJS.ProcessEnv): Promise<Config> {
  const there = [own, project].filter((file) => file !== null && isThere(file)) as string[];
  const sources: ConfigSource[] = [];
  for (const file of there) {
    const source = await readSource(file);
    sources.push(file === own ? source : projectSource(source));
  }
  return mergeConfig([...sources, configFromEnvironment(env)]);
}

async function readSource(file: string): Promise<ConfigSource> {
  const { parseConfig } = await import('../../protocol/config-file.js');
  const { readRegularFile } = await import('../../host/index.js');
  return parseConfig(file, readRegularFile(file, MAX_CONFIG_BYTES));
}
