/**
 * What `orchd doctor` says of the agents: which are installed, what would be added at their start, and how they would be heard.
 *
 * Asks each for its `--version` and `--help`, all at once, with a time limit; starts nothing else and writes nothing.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Adapter, StartTraits } from '../session/index.js';

export interface AgentReport {
  readonly name: string;
  readonly label: string;
  /** Null for one that is not installed; the rest is empty then. */
  readonly path: string | null;
  /** As it says itself; null if it does not answer in time. */
  readonly version: string | null;
  readonly triedVersion: string | null;
  /** What is put behind the program, with placeholders for what is made for each session. */
  readonly addedArguments: readonly string[];
  /** Variables that are set. */
  readonly addedVariables: readonly string[];
  /** Flags that we would use and this version does not have: it is started without them. */
  readonly missingFlags: readonly string[];
  /** `screen`, `transcript` */
  readonly hears: readonly string[];
  /** Whether `--teach` works. */
  readonly teachable: boolean;
  readonly notes: readonly string[];
}

const PATIENCE_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
const DIR = '<session folder>';
const UUID = '<new id>';

export function lookAtAgents(adapters: readonly Adapter[], env: NodeJS.ProcessEnv): Promise<AgentReport[]> {
  return Promise.all(adapters.map((adapter) => lookAt(adapter, env)));
}

async function lookAt(adapter: Adapter, env: NodeJS.ProcessEnv): Promise<AgentReport> {
  const { name, label, start } = adapter;
  const path = findInPath(adapter.programs, env['PATH'] ?? '');
  const known = { name, label, path, triedVersion: start?.triedVersion ?? null };
  if (path === null || start === null) {
    const nothing = { addedArguments: [], addedVariables: [], missingFlags: [], teachable: false };
    return { ...known, ...nothing, version: null, hears: path === null ? [] : ['screen'], notes: [] };
  }
  const [versionText, help] = await Promise.all([ask(path, '--version', env), ask(path, '--help', env)]);
  const hasFlag = (flag: string) => new RegExp(`${flag}(?![\\w-])`).test(help);
  return {
    ...known,
    version: /\d+\.\d+\.\d+[\w.-]*/.exec(versionText)?.[0] ?? null,
    ...whatIsAdded(adapter, start, env, hasFlag),
    missingFlags: start.flags.filter((flag) => !hasFlag(flag)),
    notes: start.notes,
  };
}

function whatIsAdded(
  { programs, transcript }: Adapter,
  start: StartTraits,
  env: NodeJS.ProcessEnv,
  hasFlag: (flag: string) => boolean,
): Pick<AgentReport, 'addedArguments' | 'addedVariables' | 'hears' | 'teachable'> {
  const argv = [programs[0] ?? ''];
  const request = { argv, env, uuid: UUID, dir: DIR, hasFlag };
  const launch = start.launch({ ...request, teach: null });
  const about = { argv, env, cwd: '/', dir: DIR, agentSessionId: launch.agentSessionId };
  const isRead = (transcript?.sources(about) ?? []).length > 0;
  return {
    addedArguments: launch.argv.slice(1),
    addedVariables: Object.keys(launch.env),
    hears: ['screen', ...(isRead ? ['transcript'] : [])],
    teachable: start.launch({ ...request, teach: 'instructions' }).isTaught,
  };
}

/** @returns What it prints; '' if it takes too long or cannot be started. */
function ask(path: string, flag: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
  return new Promise((answer) => {
    const child = execFile(path, [flag], options, (_error, stdout, stderr) => answer(stdout + stderr));
    child.stdin?.end();
  });
}

function findInPath(programs: readonly string[], path: string): string | null {
  const files = path.split(delimiter).flatMap((folder) => programs.map((program) => resolve(join(folder, program))));
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
