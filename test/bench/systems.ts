/**
 * Systems that hold sessions, each started for one measurement: orchd, tmux, and a chain of bare Node processes,
 * which says what Node itself costs (programs/bare-chain.mjs). `ORCHD_AND_TMUX` are compared in turn; where tmux is
 * not installed, its `start` gives null.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as nodePty from 'node-pty';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import type { Size } from './inputs/agents.js';
import { pidsOf } from './processes.js';
import { startTmux } from './tmux.js';

/** A view of a session. Its output goes to `onText`. */
export interface View {
  write(text: string): void;
  close(): void;
}
type OpenView = (session: string, onText: (text: string) => void) => Promise<View>;

/** A system that shows sessions: orchd or tmux. */
export interface Viewed {
  /** @returns The name of its session. */
  start(name: string, command: readonly string[], size?: Size): Promise<string>;
  /** A program that follows the session, and can write keys. */
  readonly follow: OpenView;
  /** A person's terminal, a bare pty. */
  readonly attach: OpenView;
}

export interface System extends Viewed {
  /** The processes of the system, without the programs of its sessions. */
  readonly pids: readonly number[];
  /** The daemon of the system; null if it is not orchd. */
  readonly daemon: TestDaemon | null;
  /**
   * Runs a shell script in a session to its end.
   *
   * @returns When all of its output has been read, and its end is on the screen. orchd has also searched it for
   *   messages by then.
   */
  runToEnd(name: string, script: string, size: Size): Promise<void>;
  close(): Promise<void>;
}

export type StartSystem = (folder: string) => Promise<System | null>;

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const SIZE: Size = { cols: 80, rows: 24 };
/** tmux's own default. */
const SCROLLBACK_LINES = 2000;
const PATIENCE_MS = 180_000;
const END = 'this is the end of it';
/** Ends any sequence or screen that the script left open, so that the end can be recognized. */
const PRINT_END = `printf '\\030\\033\\\\\\033c\\r\\n${END}\\r\\n'`;

async function startOrchd(): Promise<System> {
  const daemon = await startDaemon();
  const { client, env } = daemon;
  const environment = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
  const start: System['start'] = async (name, command, size = SIZE) => {
    const wish = { name, command: [...command], size: { ...size }, scrollback: SCROLLBACK_LINES, env: environment };
    return (await client.call('session.start', wish)).id;
  };
  return {
    daemon,
    pids: await pidsOf(daemon),
    start,
    async runToEnd(name, script, size) {
      const session = await start(name, ['sh', '-c', `${script}; ${PRINT_END}`], size);
      // The exit is announced after all output was read.
      await client.call('session.wait', { session, until: 'exited' }, { timeoutMs: PATIENCE_MS });
      await expectEnd(async () => (await client.call('session.capture', { session })).text);
    },
    follow: async (session, onText) => {
      const terminal = await client.terminal(session, { mode: 'stream' });
      terminal.onBytes((bytes) => onText(Buffer.from(bytes).toString('latin1')));
      return { write: (text) => void terminal.sendBytes(text), close: () => terminal.close() };
    },
    attach: async (session, onText) => inPty(process.execPath, [BIN, 'attach', session], env, onText),
    close: () => daemon.close(),
  };
}

async function startTmuxSystem(folder: string): Promise<System | null> {
  const tmux = await startTmux(folder);
  if (!tmux) return null;
  return {
    daemon: null,
    pids: [tmux.pid],
    start: async (name, command, size = SIZE) => {
      await tmux.run(name, command.map(quoted).join(' '), size);
      return name;
    },
    async runToEnd(name, script, size) {
      const done = tmux.wait(name);
      await tmux.run(name, `${script}; ${PRINT_END}; ${tmux.signal(name)}; exec sleep 1000000`, size);
      await done;
      await expectEnd(() => tmux.capture(name));
    },
    follow: async (session, onText) => {
      const child = spawn('tmux', [...tmux.args, '-C', 'attach', '-t', session]);
      child.stdout.on('data', (bytes: Buffer) => onText(bytes.toString('latin1')));
      const keys = (text: string): string => (text === '\r' ? 'Enter' : `-l ${quoted(text)}`);
      return {
        write: (text) => void child.stdin.write(`send-keys -t ${session} ${keys(text)}\n`),
        close: () => child.kill(),
      };
    },
    attach: async (session, onText) => inPty('tmux', [...tmux.args, 'attach', '-t', session], process.env, onText),
    close: () => tmux.close(),
  };
}

export const ORCHD_AND_TMUX: Readonly<Record<'orchd' | 'tmux', StartSystem>> = {
  orchd: startOrchd,
  tmux: startTmuxSystem,
};

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Waits until the end is drawn, which may be some milliseconds after the script has printed it. */
async function expectEnd(capture: () => Promise<string>): Promise<void> {
  for (const endMs = performance.now() + 10_000; ; await setTimeout(20)) {
    const screen = await capture();
    if (screen.includes(END)) return;
    if (performance.now() > endMs) throw new Error(`the end is not on the screen:\n${screen}`);
  }
}

const CHAIN = join(import.meta.dirname, 'programs/bare-chain.mjs');

/** @param folder  The folder for its sockets. */
export function startBare(folder: string): Viewed & { close(): void } {
  const [host, daemon] = ['host', 'daemon'].map((role) =>
    spawn(process.execPath, [CHAIN, role], { stdio: ['pipe', 'pipe', 'inherit'] }),
  ) as [ChildProcess, ChildProcess]; // two roles
  const ask = async (process: ChildProcess, what: object): Promise<void> => {
    process.stdin?.write(`${JSON.stringify(what)}\n`);
    if (process.stdout) await once(process.stdout, 'data');
  };
  return {
    async start(name, command) {
      const inner = join(folder, `bare-host-${name}`);
      const listen = join(folder, `bare-${name}`);
      await ask(host, { listen: inner, command });
      await ask(daemon, { listen, connect: inner });
      return listen;
    },
    follow: async (session, onText) => {
      const socket = connect(session);
      socket.on('data', (bytes) => onText(bytes.toString('latin1')));
      return { write: (text) => void socket.write(text), close: () => socket.destroy() };
    },
    attach: async (session, onText) => inPty(process.execPath, [CHAIN, 'client', session], process.env, onText),
    close() {
      host.kill();
      daemon.kill();
    },
  };
}

function inPty(file: string, args: string[], env: NodeJS.ProcessEnv, onText: (text: string) => void): View {
  const { TMUX: _tmux, ...rest } = env;
  const pty = nodePty.spawn(file, args, { ...SIZE, env: { ...rest, TERM: 'xterm-256color' } });
  pty.onData(onText);
  return { write: (text) => pty.write(text), close: () => pty.kill() };
}
