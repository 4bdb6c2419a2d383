/**
 * Checks the installed agents for `orchd doctor` and the daemon: which ones exist, what orchd would add when starting
 * them, and how it would read their messages.
 *
 * Runs each agent with `--version` and with the flags query that a start uses (agent-flags.ts), one after the other.
 * Starts nothing else and writes nothing.
 */
import { delimiter, join, resolve } from 'node:path';
import { askProgram, isProgram } from '../host/index.js';
import type { Adapter, LaunchRequest, StartTraits } from './adapters/index.js';
import { flagsOf, isShellScript, PATIENCE_MS } from './agent-flags.js';
import { MACHINE } from './machine.js';

export interface AgentReport {
  readonly name: string;
  readonly label: string;
  /** Path of the program; null if it is not installed. The other fields are then empty. */
  readonly path: string | null;
  /** Why the program does not run or does not list its flags; null if it works. */
  readonly problem: string | null;
  /** True for a shell script. A script is not run, and nothing is added to it unless `--adapter` is given. */
  readonly isScript: boolean;
  /** The program's own answer; null if it does not answer in time. */
  readonly version: string | null;
  readonly triedVersion: string | null;
  /** Arguments that are added to the program, with placeholders for values that differ per session. */
  readonly addedArguments: readonly string[];
  /** Environment variables that are set. */
  readonly addedVariables: readonly string[];
  /** Flags that orchd would use but this version does not have. The program is started without them. */
  readonly missingFlags: readonly string[];
  /** Sources of messages: `screen`, `transcript`. */
  readonly hears: readonly string[];
  /** True if `--teach` works. */
  readonly teachable: boolean;
  /** True if the agent can be offered orchd's tools. */
  readonly tools: boolean;
  readonly notes: readonly string[];
}

interface CheckContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The file in which the daemon caches the flags of programs. */
  readonly cacheFile: string;
  /** The folder that contains the sessions' folders. */
  readonly agentsDir: string;
}

const DIR = '<session folder>';
const UUID = '<new id>';
const NOTHING_ADDED = { addedArguments: [], addedVariables: [], missingFlags: [], teachable: false, tools: false };

/** Returns a report for each adapter, in their order. */
export async function checkAgents(adapters: readonly Adapter[], about: CheckContext): Promise<AgentReport[]> {
  const reports: AgentReport[] = [];
  // The programs are called one after the other. All at once would exceed the timeout of a single start.
  for (const adapter of adapters) reports.push(await checkAgent(adapter, about));
  return reports;
}

async function checkAgent(adapter: Adapter, { env, cwd, cacheFile, agentsDir }: CheckContext): Promise<AgentReport> {
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
