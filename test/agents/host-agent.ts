/**
 * Runs one agent in one session of the daemon, with its own model server: starts it, ends it, and cleans up.
 *
 * In:   a daemon, the agent's installation, the script of its model, and a function that drives it.
 * Out:  every problem in words, with the screen at that moment. The session is always killed, and a process that
 *       survives it is a problem.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import { withDeadline } from '../../src/daemon/concurrency/deadline.js';
import {
  type InputOf,
  type OperationName,
  OrchdError,
  type OutputOf,
  type Session,
  type Size,
} from '../../src/protocol/index.js';
import { GENERIC } from '../../src/session/adapters/index.js';
import type { Agent, Place } from './agents.js';
import type { EventLog } from './event-log.js';
import { type ModelServer, type ModelServerOptions, type Script, startModelServer } from './model-server.js';
import { PROGRAM_PATH } from './program-node.js';

export interface Trial {
  readonly agent: Agent;
  readonly modules: string;
  readonly size: Size;
  /** An empty folder for this session. */
  readonly home: string;
  readonly script: Script;
  /** Permission of its tools: `permit` (run without asking), `ask` (the shell asks). */
  readonly tools?: 'permit' | 'ask';
  /** Options of the start, in addition to those that the agent needs. */
  readonly start?: Pick<InputOf<'session.start'>, 'adapter' | 'teach' | 'tools' | 'key'>;
  /** True if a person starts the agent in a shell of its session. */
  readonly isInShell?: boolean;
  /** Called with every request to the model. */
  readonly onRequest?: ModelServerOptions['onRequest'];
  /**
   * True if the person has added orchd's MCP server to the agent's settings, for agents to which orchd cannot offer it.
   */
  readonly isServed?: boolean;
  /** Files in the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Problem {
  readonly what: string;
  /** The session's screen when the problem was noticed; '' if it is not relevant. */
  readonly screen: string;
}

/** A session whose agent has been started. */
export interface Hosted {
  readonly id: string;
  readonly agent: Agent;
  /** The name of the adapter with which orchd hosts it: the agent's own, or `shell` if only its screen is read. */
  readonly hostedAs: string;
  /** The home folder of the agent. */
  readonly home: string;
  readonly cwd: string;
  readonly server: ModelServer;
  readonly log: EventLog;
  readonly signal: AbortSignal;
  call: Call;
  /** Records a problem, with the current screen. */
  problem(what: string): Promise<void>;
  /** Returns a signal that aborts after `ms`. */
  within(ms: number): AbortSignal;
}

export type Call = <N extends OperationName>(name: N, input: InputOf<N>) => Promise<OutputOf<N>>;

const KILL_MS = 30_000;
const SHELL = ['bash', '--norc', '--noprofile', '-i'];

/** @param play  Called with the session as soon as it was started. orchd itself waits until the agent accepts input. */
export async function hostAgent(
  client: Client,
  log: EventLog,
  trial: Trial,
  signal: AbortSignal,
  play: (hosted: Hosted) => Promise<void>,
): Promise<Problem[]> {
  const { script, onRequest, agent, home } = trial;
  const server = await startModelServer({ script, ...(onRequest && { onRequest }) });
  const problems: Problem[] = [];
  let session: Session | null = null;
  const call: Call = (name, input) => persist(client, name, input, signal);
  try {
    session = await start(trial, server, call);
    const { id } = session;
    const screen = async (): Promise<string> => (await call('session.capture', { session: id })).text.trimEnd();
    const problem = async (what: string): Promise<void> => {
      signal.throwIfAborted();
      problems.push({ what, screen: await screen() });
    };
    const within = (ms: number): AbortSignal => withDeadline(signal, ms);
    const hostedAs = trial.isInShell ? GENERIC.name : (trial.start?.adapter ?? agent.adapter);
    await play({ id, agent, hostedAs, home, cwd: session.cwd, server, log, signal, call, problem, within });
    for (const what of server.unknown) problems.push({ what: `the model server does not know ${what}`, screen: '' });
  } finally {
    if (session) {
      const { id } = session;
      await persist(client, 'session.kill', { session: id }, AbortSignal.timeout(KILL_MS)).catch(() => null);
      for (const left of processesOf(id)) {
        if (!agent.leavesService) problems.push({ what: `left running: ${left}`, screen: '' });
        endProcess(Number.parseInt(left, 10));
      }
    }
    await server.close();
  }
  return problems;
}

async function start(trial: Trial, server: ModelServer, call: Call): Promise<Session> {
  const { agent, size, tools, isInShell = false } = trial;
  const { place, env } = settle(trial, server.url);
  const command = [...agent.command(place), ...(tools === undefined ? [] : (agent[tools] ?? []))];
  const session = await call('session.start', {
    command: isInShell ? SHELL : command,
    name: `${agent.name}-${size.cols}x${size.rows}`,
    ...(agent.adapter !== GENERIC.name && !isInShell && { adapter: agent.adapter }),
    cwd: place.cwd,
    env: { ...env, COLORTERM: 'truecolor' },
    size,
    ...trial.start,
  });
  const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  if (isInShell) await call('session.send', { session: session.id, text: command.map(quoted).join(' ') });
  return session;
}

type Settled = Pick<Trial, 'agent' | 'modules' | 'home' | 'tools' | 'isServed' | 'files'>;

/** Creates the agent's home and the project in it. */
export function settle(
  { agent, modules, home, tools, isServed = false, files = {} }: Settled,
  url: string,
  cwd = join(home, 'proj'),
): { place: Place; env: Record<string, string> } {
  const place: Place = { modules, home, cwd, url, isPermitted: tools === 'permit', isServed };
  mkdirSync(place.cwd, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.cwd, name), text);
  spawnSync('git', ['init', '-q', place.cwd]);
  for (const [path, content] of Object.entries(agent.files(place))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { place, env: { HOME: home, PATH: PROGRAM_PATH, LANG: 'C.UTF-8', ...agent.env(place) } };
}

/** Repeats a call while the daemon is away. An answer that was accepted before the daemon died counts as accepted. */
async function persist<N extends OperationName>(
  client: Client,
  name: N,
  input: InputOf<N>,
  signal: AbortSignal,
): Promise<OutputOf<N>> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.call(name, input, { signal });
    } catch (error) {
      if (!(error instanceof OrchdError) || signal.aborted) throw error;
      if (tries > 0 && name === 'inbox.answer' && error.code === 'ORCHD_ITEM_CLOSED') {
        return error.details?.['item'] as OutputOf<N>; // the item, which `inbox.answer` also returns
      }
      if (error.code !== 'ORCHD_DAEMON_UNREACHABLE' && error.code !== 'ORCHD_DAEMON_SILENT') throw error;
      await pause(50, undefined, { signal });
    }
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The session has already ended.
  }
}

/** Returns the command lines of a session's processes, including detached ones; Linux only. */
export function processesOf(sessionId: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`ORCHD_SESSION_ID=${sessionId}`);
      return isOurs ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`] : [];
    } catch {
      return []; // it has ended, or belongs to another user
    }
  });
}
