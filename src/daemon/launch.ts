/**
 * Prepares the start of an agent's program: the adapter's additions, the session's own folder, and the session note at
 * the beginning of the journal, which contains everything needed after a restart of the daemon.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openJournal, type SnapshotRecord, type StartRecord } from '../host/index.js';
import { OrchdError, type Paths, type RevivalHow } from '../protocol/index.js';
import type { Adapter, Launch, ToolsServer, TranscriptPlace } from '../session/index.js';
import { placesBefore } from './transcripts/follower.js';

/** The session note: everything needed to adopt the session. */
export interface SessionNote {
  readonly name: string;
  readonly adapter: string;
  readonly parent: string | null;
  readonly tokenHash: string;
  readonly scrollbackLines: number;
  readonly keyRequired: boolean;
  /**
   * The command as the person gave it; the started one may have additions. Journals of older versions do not have it.
   */
  readonly command?: readonly string[];
  /** Set for a session on pipes; undefined for one in a terminal. */
  readonly mode?: 'batch';
  /** Null or undefined for a program without a transcript. */
  readonly agent?: Agent | null;
  /** The run that it works for. */
  readonly runId?: string;
  /** Its journal may be cut while it lives (retention.session_bytes). Journals of older versions do not say so. */
  readonly bounded?: true;
  /** Set for an imported recording. */
  readonly imported?: true;
  /** The options of the start. Journals of older versions do not have them. */
  readonly wish?: Wish;
  /** Set for a start that is not the session's first. */
  readonly how?: RevivalHow;
}

export interface Wish {
  /** True if the person chose the adapter. */
  readonly isNamed: boolean;
  readonly teach: boolean | string;
  /** Offer of tools. `true`: fail if they cannot be offered. Undefined: no tools. */
  readonly tools?: boolean | 'if it can';
  /** Names of the only tools to offer. */
  readonly toolNames?: readonly string[];
}

export interface Agent {
  /** The conversation's id, if it was known before the start. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. Older transcript entries are ignored. */
  readonly startedAt: number;
  /** The variables that determine where its files are. */
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string;
  readonly places: readonly TranscriptPlace[];
  /** The arguments passed to the adapter if they differ from the person's: for a resumed conversation. */
  readonly argv?: readonly string[];
}

export interface LaunchAbout {
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

export const agentDir = (paths: Paths, sessionId: string): string => join(paths.agentsDir, sessionId);

/**
 * Asks the adapter for its additions, and writes its files.
 *
 * @throws {OrchdError} ORCHD_NOT_TAUGHT if the adapter cannot pass on the instructions, ORCHD_NO_TOOLS if required
 *   tools cannot be offered.
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

/** True if its folder still exists, so that it was not released. */
export const isLaunched = (paths: Paths, sessionId: string): boolean => existsSync(agentDir(paths, sessionId));

/** Removes the folder of a session that has ended or could not be started. */
export function clearLaunch(paths: Paths, sessionId: string): void {
  rmSync(agentDir(paths, sessionId), { recursive: true, force: true });
}

export interface Beginning {
  readonly start: StartRecord;
  readonly note: SessionNote;
  /** The key that messages must contain, if one is required. */
  readonly key: string | undefined;
}

/**
 * Reads the records of a program's start; null if they are not there (yet).
 *
 * @param from Journal position of that start, or a position before it.
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
    // written at its start
    if (record.kind === 'note' && record.name === 'key') key = (record.data as { key: string }).key;
    return record.kind === 'start' || record.kind === 'note';
  });
  reader.close();
  return start === null || note === null ? null : { start, note, key };
}

const noteNamed = (notes: SnapshotRecord['notes'], wanted: string): unknown =>
  notes.find(({ name }) => name === wanted)?.data;

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
