/**
 * A real daemon for tests: from dist/, in a home of its own under the temp folder, driven by the real CLI and the real
 * client.
 *
 * Needs `npm run build`. `close` ends everything it started, whatever state it is in.
 * Tests start hundreds of daemons and sessions. Those that every test needs are started and ended without a process of
 * the CLI, which would cost as much CPU time as all other commands of the tests together. The tests of these commands
 * call them with `orchd`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endProcess } from '../../src/cli/daemon/daemon-process.js';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { type Client, callerEnvironment, createClient } from '../../src/client/index.js';
import {
  type Event,
  HEAP_FLAGS,
  type Item,
  LISTENING,
  type Paths,
  resolvePaths,
  type Session,
} from '../../src/protocol/index.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');
/**
 * A test that waits for longer than this is stuck. An answer waits for up to 30 s if the program may not have read the
 * one before it.
 */
const PATIENCE_MS = 45_000;
/** Maximum wait for the reply of a daemon that is ended. `orchd stop` ends one that does not reply. */
const REPLY_MS = 2_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestDaemon {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
  readonly client: Client;
  /** Runs one CLI command to its end. */
  orchd(...args: string[]): Promise<CliResult>;
  /** Runs a command that prints JSON, and parses it. Fails the test if the command fails. */
  json<T>(...args: string[]): Promise<T>;
  /** Starts a command that keeps running. `close` ends it. */
  follow(...args: string[]): ChildProcess;
  /** A detached `sh -c SCRIPT`. */
  sh(script: string, ...flags: string[]): Promise<Session>;
  /** Starts a daemon without TCP, unless one runs. Resolves when it listens. */
  start(): Promise<void>;
  /** Kills the daemon with SIGKILL; resolves when it is gone. */
  crash(): Promise<void>;
  /** The first event after `since` that fits. */
  event<T extends Event['event_type']>(
    type: T,
    fits?: (event: Extract<Event, { event_type: T }>) => boolean,
    since?: number,
  ): Promise<Extract<Event, { event_type: T }>>;
  /** Kills the programs of all living sessions. */
  killAll(): Promise<void>;
  /** Resolves with the first open item of a session, as soon as there is one. */
  openItem(session: Pick<Session, 'id'>): Promise<Item>;
  /** The text of a session's screen. */
  screenOf(session: Pick<Session, 'id'>): Promise<string>;
  close(): Promise<void>;
}

/** @param flags  Flags for `orchd start`. Default: `--no-tcp`. */
export async function startDaemon({
  flags = ['--no-tcp'],
  env: more = {},
  cwd = process.cwd(),
  parent = tmpdir(),
}: {
  flags?: string[];
  env?: Record<string, string>;
  /** The working directory of every command. */
  cwd?: string;
  /** The folder in which its home is made. */
  parent?: string;
} = {}): Promise<TestDaemon> {
  const home = mkdtempSync(join(parent, 'orchd-'));
  const {
    ORCHD_SOCKET: _socket,
    ORCHD_SESSION_ID: _session,
    ORCHD_SESSION_TOKEN: _token,
    CI: _ci,
    ...rest
  } = process.env;
  const env = { ...rest, ORCHD_HOME: home, NO_COLOR: '1', ...more };
  const paths = resolvePaths({ env, uid: 0, tmpDir: tmpdir(), homeDir: home });
  const client = createClient({ socketPath: paths.socket, clientName: 'test' });
  const children = new Set<ChildProcess>();

  const follow = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [BIN, ...args], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const orchd = (...args: string[]): Promise<CliResult> =>
    new Promise((resolve, reject) => {
      const child = follow(...args);
      let stdout = '';
      let stderr = '';
      child.stdout?.setEncoding('utf8').on('data', (text) => {
        stdout += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      child.stdin?.end();
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await orchd(...args, '--json');
    if (code !== 0) throw new Error(`orchd ${args.join(' ')} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T; // the caller knows what the command prints
  };

  const daemonPid = (): number => Number(readFileSync(paths.pidFile, 'utf8'));
  const stop = async (): Promise<void> => {
    const { daemon: own, host } = await client.call('daemon.status', {}, { signal: AbortSignal.timeout(REPLY_MS) });
    await client.call('daemon.stop', {});
    await endProcess(own.pid);
    await endProcess(host.pid);
  };
  const daemon: TestDaemon = {
    paths,
    env,
    client,
    orchd,
    json,
    follow,
    async sh(script, ...flagsOfRun) {
      const command = ['sh', '-c', script];
      const [flag, name, ...others] = flagsOfRun;
      if (flag === undefined || (flag === '--name' && others.length === 0)) {
        const input = { command, cwd, env: callerEnvironment(env), ...(name !== undefined && { name }) };
        // Without a daemon, the command starts one.
        if (isAlive(daemonPid())) return client.call('session.start', input);
      }
      return json<Session>('run', '-d', ...flagsOfRun, '--json', '--', ...command);
    },
    async start() {
      if (!isAlive(daemonPid())) await startProcess(paths, ['--no-tcp'], env);
    },
    async crash() {
      const pid = daemonPid();
      if (!(pid > 1)) throw new Error('the daemon has no pid'); // 0 would be the tests themselves
      process.kill(pid, 'SIGKILL');
      await gone(pid);
    },
    async event(type, fits = () => true, since = 0) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      for await (const event of client.events({ follow: true, since, type: [type], signal })) {
        const found = event as Parameters<typeof fits>[0]; // the filter lets no other type through
        if (fits(found)) return found;
      }
      throw new Error(`no ${type} in ${PATIENCE_MS / 1000} s`);
    },
    async killAll() {
      for (const { id } of await client.call('session.list', { all: false }))
        await client.call('session.kill', { session: id, grace_ms: 0 });
    },
    async openItem({ id }) {
      const seen = new Set<string>();
      for (;;) {
        const [item] = await client.call('inbox.list', { session: id });
        if (item) return item;
        const { item_id } = await daemon.event(
          'item_opened',
          (event) => event.session_id === id && !seen.has(event.item_id),
        );
        seen.add(item_id);
      }
    },
    async screenOf({ id }) {
      return (await client.call('session.capture', { session: id })).text;
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await stop().catch(() => orchd('stop', '--quiet'));
      client.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await startProcess(paths, flags, env);
  return daemon;
}

/** Starts a daemon as `orchd start --detach` does. Resolves when it listens. */
async function startProcess(paths: Paths, flags: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  mkdirSync(dirname(paths.logFile), { recursive: true, mode: 0o700 });
  const errors = openSync(paths.logFile, 'a', 0o600);
  const child = spawn(process.execPath, [...HEAP_FLAGS, DAEMON, ...flags], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'pipe', errors],
    env: { ...env, NODE_ENV: 'production', NODE_OPTIONS: undefined },
  });
  closeSync(errors);
  let last = '';
  const output = child.stdout as Readable; // `pipe` above makes it
  for await (last of createInterface({ input: output })) if (last === LISTENING) break;
  output.destroy();
  child.unref();
  if (last !== LISTENING) throw new Error(`the daemon did not start: ${last}`);
}

/** Resolves when a process has ended. The kernel notifies only its parent, so this polls. */
export async function gone(pid: number): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    if (!isAlive(pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`process ${pid} does not end`);
}
