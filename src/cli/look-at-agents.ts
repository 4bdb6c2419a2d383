/**
 * What `orchd doctor` says of the agents: which are installed, what would be added at their start, and how they would
 * be heard.
 *
 * Asks one after the other for its `--version`, and for its flags as a start does (agent-flags.ts); starts nothing else
 * and writes nothing.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { askProgram } from '../host/index.js';
import {
  type Adapter,
  flagsOf,
  isShellScript,
  type LaunchRequest,
  MACHINE,
  PATIENCE_MS,
  type StartTraits,
} from '../session/index.js';

export interface AgentReport {
  readonly name: string;
  readonly label: string;
  /** Null for one that is not installed; the rest is empty then. */
  readonly path: string | null;
  /** It does not run, or does not say its flags: why, in words. Null if nothing is wrong. */
  readonly problem: string | null;
  /** A shell script is not asked, and nothing is added to it unless `--adapter` is given. */
  readonly isScript: boolean;
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
  /** Whether it can be offered the tools. */
  readonly tools: boolean;
  readonly notes: readonly string[];
}

export interface LookAbout {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Where the daemon keeps what it has learned of flags. */
  readonly cacheFile: string;
  /** Below which sessions have their folders. */
  readonly agentsDir: string;
}

const DIR = '<session folder>';
const UUID = '<new id>';
const NOTHING_ADDED = { addedArguments: [], addedVariables: [], missingFlags: [], teachable: false, tools: false };

export async function lookAtAgents(adapters: readonly Adapter[], about: LookAbout): Promise<AgentReport[]> {
  const reports: AgentReport[] = [];
  // All at once they would be too slow for the patience that each start has.
  for (const adapter of adapters) reports.push(await lookAt(adapter, about));
  return reports;
}

async function lookAt(adapter: Adapter, { env, cwd, cacheFile, agentsDir }: LookAbout): Promise<AgentReport> {
  const { name, label, start } = adapter;
  const path = findInPath(adapter.programs, env['PATH'] ?? '');
  const known = { name, label, path, triedVersion: start?.triedVersion ?? null };
  const isScript = path !== null && isShellScript(path);
  if (path === null || start === null || isScript) {
    const hears = path === null ? [] : ['screen'];
    return { ...known, ...NOTHING_ADDED, isScript, problem: null, version: null, hears, notes: [] };
  }
  const { text, problem } = await askProgram(path, ['--version'], { env, cwd, limitMs: PATIENCE_MS });
  const help = await flagsOf(path, [path], { env, cwd, cacheFile, limitMs: PATIENCE_MS, isKept: false });
  const hasFlag = (flag: string) => help.flags.has(flag);
  return {
    ...known,
    isScript,
    problem: describe('--version', problem) ?? describe('--help', help.problem),
    version: problem === null ? (/\d+\.\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? null) : null,
    ...whatIsAdded(adapter, start, env, {
      hasFlag,
      machine: MACHINE,
      dir: join(agentsDir, DIR),
    }),
    missingFlags: start.flags.filter((flag) => !hasFlag(flag)),
    notes: start.notes,
  };
}

const describe = (flag: string, problem: string | null): string | null => problem && `\`${flag}\` ${problem}`;

function whatIsAdded(
  { programs, transcript }: Adapter,
  start: StartTraits,
  env: NodeJS.ProcessEnv,
  known: Pick<LaunchRequest, 'hasFlag' | 'machine' | 'dir'>,
): Pick<AgentReport, 'addedArguments' | 'addedVariables' | 'hears' | 'teachable' | 'tools'> {
  const argv = [programs[0] ?? ''];
  const request = { argv, env, uuid: UUID, hook: ['orchd', 'hook'], ...known };
  const launch = start.launch({ ...request, teach: null });
  const about = {
    argv,
    env: { ...env, ...launch.env },
    cwd: '/',
    dir: known.dir,
    agentSessionId: launch.agentSessionId,
  };
  const isRead = (transcript?.sources(about) ?? []).length > 0;
  return {
    addedArguments: launch.argv.slice(1).map((word) => word.replaceAll(known.dir, DIR)),
    addedVariables: Object.keys(launch.env),
    hears: ['screen', ...(isRead ? ['transcript'] : [])],
    teachable: start.launch({ ...request, teach: 'instructions' }).isTaught,
    tools: start.launch({ ...request, teach: null, tools: { command: '', args: [], env: {} } }).hasTools === true,
  };
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
