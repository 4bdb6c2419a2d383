/**
 * Starts one program, in a pty or on pipes, for a new or a revived session: asks its adapter, builds its notes and its
 * environment, and lets the host spawn it.
 *
 * In:   the program and its session.
 * Out:  its journal position, and the values that must be remembered. Does not write to the log.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BATCH_CONTRACT, type HostClient } from '../../host/index.js';
import { OrchdError, type Paths, promptText, type RevivalHow, type Size } from '../../protocol/index.js';
import type { Adapter, ToolsServer } from '../../session/index.js';
import type { SessionNote, StartOptions } from '../registry/index.js';
import { clearLaunch, type PreparedLaunch, prepareLaunch } from './launch.js';
import { type ProgramIdentity, programEnvironment } from './program.js';

export interface ProgramStart {
  readonly sessionId: string;
  readonly name: string;
  readonly parent: string | null;
  readonly adapter: Adapter;
  /** The absolute path of the program. */
  readonly file: string;
  /** The command as the person gave it. */
  readonly command: readonly string[];
  /** The arguments to start it with now; they differ when a conversation is resumed. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly umask: number;
  readonly size: Size;
  readonly scrollbackLines: number;
  readonly wish: StartOptions;
  readonly key: string | undefined;
  /** How the session was revived; null for its first start. */
  readonly how: RevivalHow | null;
  /** Set for a program on pipes, with its complete standard input if it has one; null for one in a terminal. */
  readonly batch: { readonly stdin: string | undefined } | null;
  /** The session's token; a new one if undefined. */
  readonly token?: string;
  /** The task and the run that the session works for. */
  readonly taskId?: string;
  readonly runId?: string;
  readonly tags?: readonly string[];
}

interface ProgramStartPorts {
  readonly paths: Paths;
  readonly host: HostClient;
  readonly now: () => number;
}

export interface ProgramStarted {
  readonly note: SessionNote;
  readonly pid: number;
  /** The current end of the journal, and the position of the start in it. */
  readonly position: number;
  readonly from: number;
}

/** @throws {OrchdError} ORCHD_NOT_TAUGHT, ORCHD_SPAWN_FAILED and others; everything is then cleaned up. */
export async function startProgram(
  { paths, host, now }: ProgramStartPorts,
  wanted: ProgramStart,
): Promise<ProgramStarted> {
  const { sessionId, name, parent, adapter, file, command, argv, cwd, size, scrollbackLines, wish, key, how } = wanted;
  const { batch } = wanted;
  const token = wanted.token ?? newToken();
  const { taskId, runId } = wanted;
  const identity = { socket: paths.socket, sessionId, token, key, ...(taskId !== undefined && { taskId }) };
  const tools = wish.tools ? toolsServer(identity, wish.toolNames) : null;
  const teach = wish.teach === false ? null : wish.teach === true ? promptText(key, tools !== null) : wish.teach;
  const offer = { tools, mustHaveTools: wish.tools === true };
  const about = {
    ...offer,
    now,
    paths,
    id: sessionId,
    adapter,
    isNamed: wish.isNamed,
    file,
    argv,
    env: wanted.env,
    cwd,
    teach,
    hook: [ORCHD.command, ...ORCHD.args, 'hook'],
  };
  // A command for a single batch turn is started without additions.
  const launch: PreparedLaunch = batch ? { argv, env: wanted.env, agent: null } : await prepareLaunch(about);
  const note: SessionNote = {
    name,
    adapter: adapter.name,
    parent,
    tokenHash: hashToken(token),
    scrollbackLines,
    wish,
    ...(how !== null && { how }),
    ...(batch && { mode: 'batch' }),
    ...(runId !== undefined && { runId }),
    ...(wanted.tags && { tags: wanted.tags }),
    bounded: true,
    keyRequired: key !== undefined,
    command,
    agent: launch.agent && { ...launch.agent, ...(argv !== command && { argv }) },
  };
  const notes = [{ name: 'session', data: note }, ...(key === undefined ? [] : [{ name: 'key', data: { key } }])];
  try {
    const again = how !== null;
    if (again && host.welcome.contract < AGAIN_CONTRACT) throw tooOld(host, 'start a session again');
    if (batch && host.welcome.contract < BATCH_CONTRACT) throw tooOld(host, 'run a program on pipes');
    const request = {
      sessionId,
      file,
      argv: launch.argv,
      cwd,
      umask: wanted.umask,
      notes,
      again,
      ...size,
      ...(batch && { mode: 'batch' as const, ...(batch.stdin !== undefined && { stdin: batch.stdin }) }),
    };
    const env = programEnvironment(launch.env, identity);
    const { pid, position, from = 0 } = await host.call('spawn', { ...request, env });
    return { note, pid, position, from };
  } catch (error) {
    clearLaunch(paths, sessionId);
    throw error;
  }
}

/** The command that runs this orchd, because `orchd` may not be on the PATH. */
export const ORCHD = { command: process.execPath, args: [join(import.meta.dirname, '../bin/orchd.js')] } as const;

/**
 * The command for `orchd mcp`, independent of the environment: some agents pass on only configured variables.
 * @param names The only tools to offer.
 */
export function toolsServer(
  { socket, sessionId, token }: Omit<ProgramIdentity, 'key'>,
  names?: readonly string[],
): ToolsServer {
  const limit = names === undefined ? [] : ['--tools', names.join(',')];
  return {
    command: ORCHD.command,
    args: [...ORCHD.args, 'mcp', ...limit],
    env: { ORCHD_SOCKET: socket, ORCHD_SESSION_ID: sessionId, ORCHD_SESSION_TOKEN: token },
  };
}

/** The first version of the host's contract that can continue an existing journal. */
const AGAIN_CONTRACT = 2;

const tooOld = ({ welcome }: HostClient, what: string): OrchdError =>
  new OrchdError(
    'ORCHD_HOST_CONTRACT',
    `the host (pid ${welcome.pid}, version ${welcome.version}) is too old to ${what}`,
  );

/** Returns a new random token of 24 bytes, in hexadecimal digits. */
export const newToken = (): string => randomBytes(24).toString('hex');

/** Returns the SHA-256 hash of a token, in hexadecimal digits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
