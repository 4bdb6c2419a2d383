/** Prepares the start of an agent's program: the adapter's additions, and the session's own folder. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { Adapter, Launch, ToolsServer } from '../../session/index.js';
import type { Agent } from '../registry/index.js';
import { placesBefore } from '../transcripts/index.js';

interface LaunchAbout {
  readonly now: () => number;
  readonly paths: Paths;
  readonly id: string;
  readonly adapter: Adapter;
  /** True if the person chose the adapter. Then a shell script is also asked for its flags. */
  readonly isNamed: boolean;
  /** The absolute path of the program. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly teach: string | null;
  /** The command with which its hooks ask the person. */
  readonly hook: readonly string[];
  /** Null to offer no tools. */
  readonly tools: ToolsServer | null;
  /** True to fail if the tools cannot be offered. */
  readonly mustHaveTools: boolean;
}

export interface PreparedLaunch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: Agent | null;
}

/** Returns the path of the session's own folder. */
export const agentDir = (paths: Paths, sessionId: string): string => join(paths.agentsDir, sessionId);

/**
 * Asks the adapter for additional arguments, variables and files, and writes the files.
 *
 * @throws {OrchdError} ORCHD_NOT_TAUGHT if the adapter cannot pass on the instructions, ORCHD_NO_TOOLS if required
 *   tools cannot be offered.
 */
export async function prepareLaunch(about: LaunchAbout): Promise<PreparedLaunch> {
  const { adapter, argv, env, cwd, teach, tools, paths, id } = about;
  const { start, transcript } = adapter;
  const { flagsOf, isShellScript, MACHINE } = await import('../../session/index.js');
  const isOwnScript = start !== null && !about.isNamed && isShellScript(about.file);
  if (start === null || isOwnScript) {
    if (teach !== null) throw notTaught(about, isOwnScript ? SCRIPT_REASON : '');
    if (about.mustHaveTools) throw noTools(about);
    return { argv, env, agent: null };
  }
  const { flags, problem } = await flagsOf(about.file, argv, { env, cwd, cacheFile: paths.agentFlagsFile });
  const dir = agentDir(paths, id);
  const launch = start.launch({
    argv,
    env,
    uuid: randomUUID(),
    teach,
    dir,
    ...(tools && { tools }),
    hook: about.hook,
    hasFlag: (flag) => flags.has(flag),
    machine: MACHINE,
  });
  if (!launch.isTaught) throw notTaught(about, problem === null ? '' : `: its --help ${problem}`);
  if (about.mustHaveTools && !launch.hasTools) throw noTools(about);
  const whole = { ...env, ...launch.env };
  const sources = { argv, env: whole, cwd, dir, agentSessionId: launch.agentSessionId };
  const hasTranscript = transcript !== null && transcript.sources(sources).length > 0;
  if (hasTranscript || Object.keys(launch.files).length > 0) writeFiles(dir, launch.files);
  const kept = (transcript?.env ?? []).flatMap((name) =>
    whole[name] === undefined ? [] : [[name, whole[name]] as const],
  );
  const agent: Agent | null = hasTranscript
    ? {
        sessionId: launch.agentSessionId,
        startedAt: about.now(),
        env: Object.fromEntries(kept),
        dir,
        places: placesBefore(transcript, sources),
      }
    : null;
  return { argv: launch.argv, env: whole, agent };
}

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN */
export async function pickAdapter(name: string | undefined, program: string): Promise<Adapter> {
  const { adapterOf, requireAdapter } = await import('../../session/index.js');
  return name === undefined ? adapterOf(program) : requireAdapter(name);
}

/** True while the folder of the session's files exists: it is removed when they are released. */
export const isLaunched = (paths: Paths, sessionId: string): boolean => existsSync(agentDir(paths, sessionId));

/** Removes the folder of a session that has ended or could not be started. */
export function clearLaunch(paths: Paths, sessionId: string): void {
  rmSync(agentDir(paths, sessionId), { recursive: true, force: true });
}

/** Writes the files, by name, into the session's folder. */
export function writeFiles(dir: string, files: Launch['files']): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
  }
}

const SCRIPT_REASON = ': it is a shell script; say --adapter if it starts the agent';

const noTools = ({ adapter, argv }: LaunchAbout): OrchdError =>
  new OrchdError('ORCHD_NO_TOOLS', `'${argv[0]}' cannot be offered tools at this start (adapter ${adapter.name})`);

const notTaught = ({ adapter, argv }: LaunchAbout, reason: string): OrchdError =>
  new OrchdError(
    'ORCHD_NOT_TAUGHT',
    `'${argv[0]}' cannot be given instructions at this start (adapter ${adapter.name})${reason}`,
  );
