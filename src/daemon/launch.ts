/**
 * How an agent's program is started: what its adapter adds, the folder of the session's own, and what must be known of it after a restart
 * of the daemon: the session note, which stands at the beginning of the journal.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openJournal, type SnapshotRecord, type StartRecord } from '../host/index.js';
import { OrchdError, type Paths, type RevivalHow } from '../protocol/index.js';
import type { Adapter, Launch, ToolsServer, TranscriptPlace } from '../session/index.js';
import { placesBefore } from './transcripts/follower.js';

/** What a session's journal says of it, from its first note on: enough to adopt it. */
export interface SessionNote {
  readonly name: string;
  readonly adapter: string;
  readonly parent: string | null;
  readonly tokenHash: string;
  readonly scrollbackLines: number;
  readonly keyRequired: boolean;
  /** As the person gave it; what was started may hold more. Journals of older versions have none. */
  readonly command?: readonly string[];
  /** Of one on pipes; not there for one in a terminal. */
  readonly mode?: 'batch';
  /** Null, or not there, for a program that writes no transcript. */
  readonly agent?: Agent | null;
  /** The run that it works for. */
  readonly runId?: string;
  /** Its journal may be cut while it lives (retention.session_bytes). Journals of older versions do not say so. */
  readonly bounded?: true;
  /** It is a recording. */
  readonly imported?: true;
  /** What it was asked to be started with. Journals of older versions have none. */
  readonly wish?: Wish;
  /** Of a start that is not the session's first. */
  readonly how?: RevivalHow;
}

export interface Wish {
  /** The person said which adapter it is. */
  readonly isNamed: boolean;
  readonly teach: boolean | string;
  /** Whether the tools are to be offered: `true`: or nothing is started. Not there: no. */
  readonly tools?: boolean | 'if it can';
  /** These alone. */
  readonly toolNames?: readonly string[];
}

export interface Agent {
  /** The conversation's, where it was known before it began. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch: what is older is no news. */
  readonly startedAt: number;
  /** The variables that say where its files are. */
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string;
  readonly places: readonly TranscriptPlace[];
  /** What its adapter was given, where that is not what the person gave: a conversation that is resumed. */
  readonly argv?: readonly string[];
}

export interface LaunchAbout {
  readonly paths: Paths;
  readonly id: string;
  readonly adapter: Adapter;
  /** The person said which adapter it is: then a shell script is asked as well. */
  readonly isNamed: boolean;
  /** Absolute. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly teach: string | null;
  /** What its hooks run to ask the person. */
  readonly hook: readonly string[];
  /** Null: no tools are offered. */
  readonly tools: ToolsServer | null;
  /** It is not started without them. */
  readonly mustHaveTools: boolean;
}

export interface PreparedLaunch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: Agent | null;
}

export const agentDir = (paths: Paths, sessionId: string): string => join(paths.agentsDir, sessionId);

/**
 * Asks the adapter, and writes the files that it wants.
 *
 * @throws {OrchdError} ORCHD_NOT_TAUGHT when it has no way to pass the instructions on, ORCHD_NO_TOOLS when it must offer them and cannot.
 */
export async function prepareLaunch(about: LaunchAbout): Promise<PreparedLaunch> {
  const { adapter, argv, env, cwd, teach, tools, paths, id } = about;
  const { start, transcript } = adapter;
  const { flagsOf, isShellScript, MACHINE } = await import('../session/index.js');
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
  const isHeard = transcript !== null && transcript.sources(sources).length > 0;
  if (isHeard || Object.keys(launch.files).length > 0) writeFiles(dir, launch.files);
  const kept = (transcript?.env ?? []).flatMap((name) =>
    whole[name] === undefined ? [] : [[name, whole[name]] as const],
  );
  const agent: Agent | null = isHeard
    ? {
        sessionId: launch.agentSessionId,
        startedAt: Date.now(),
        env: Object.fromEntries(kept),
        dir,
        places: placesBefore(transcript, sources),
      }
    : null;
  return { argv: launch.argv, env: whole, agent };
}

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN */
export async function pickAdapter(name: string | undefined, program: string): Promise<Adapter> {
  const { adapterOf, requireAdapter } = await import('../session/index.js');
  return name === undefined ? adapterOf(program) : requireAdapter(name);
}

/** Whether its folder is still there: it has not been let go. */
export const isLaunched = (paths: Paths, sessionId: string): boolean => existsSync(agentDir(paths, sessionId));

/** It has ended, or could not be started. */
export function clearLaunch(paths: Paths, sessionId: string): void {
  rmSync(agentDir(paths, sessionId), { recursive: true, force: true });
}

export interface Beginning {
  readonly start: StartRecord;
  readonly note: SessionNote;
  /** What messages must carry, if they must. */
  readonly key: string | undefined;
}

/**
 * What stands where a session's program was started; null if it is not there (yet).
 *
 * @param from  Journal position: of that start, or after which it is looked for.
 */
export function readBeginning(journals: string, sessionId: string, from = 0): Beginning | null {
  let start: StartRecord | null = null;
  let note: SessionNote | null = null;
  let key: string | undefined;
  const reader = openJournal(journals, sessionId, { from });
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'start') start = record;
    if (record.kind === 'snapshot') {
      start = record.start;
      note = (noteNamed(record.notes, 'session') as SessionNote | undefined) ?? null;
      key = (noteNamed(record.notes, 'key') as { key: string } | undefined)?.key;
      return false;
    }
    if (start === null) return true;
    if (record.kind === 'note' && record.name === 'session') note = record.data as SessionNote; // written at its start
    if (record.kind === 'note' && record.name === 'key') key = (record.data as { key: string }).key; // as well
    return record.kind === 'start' || record.kind === 'note';
  });
  reader.close();
  return start === null || note === null ? null : { start, note, key };
}

const noteNamed = (notes: SnapshotRecord['notes'], wanted: string): unknown =>
  notes.find(({ name }) => name === wanted)?.data;

/** By name in the folder of the session's own. */
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
