/**
 * Systems that hold sessions and show them to a program that follows one, and to a person who sits at it: orchd, tmux, and a chain of
 * bare Node processes, which says what Node itself costs (programs/bare-chain.mjs).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as nodePty from 'node-pty';
import type { TestDaemon } from '../harness/daemon.js';
import { PROGRAMS } from './busy.js';
import type { Tmux } from './tmux.js';

/** A view of a session: what it shows goes to `onText`. */
export interface View {
  write(text: string): void;
  close(): void;
}
type OpenView = (session: string, onText: (text: string) => void) => Promise<View>;

export interface System {
  /** @returns What its session is called. */
  start(name: string, command: string[]): Promise<string>;
  /** A program that follows it. */
  readonly follow: OpenView;
  /** A person's terminal, a bare pty. */
  readonly attach: OpenView;
}

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const SIZE = { cols: 80, rows: 24 };

export function ofOrchd({ client, env }: TestDaemon): System {
  return {
    start: async (_name, command) => (await client.call('session.start', { command, size: SIZE })).id,
    follow: async (session, onText) => {
      const terminal = await client.terminal(session, { mode: 'stream' });
      terminal.onBytes((bytes) => onText(Buffer.from(bytes).toString('latin1')));
      return { write: (text) => void terminal.sendBytes(text), close: () => terminal.close() };
    },
    attach: async (session, onText) => inPty(process.execPath, [BIN, 'attach', session], env, onText),
  };
}

export function ofTmux(tmux: Tmux): System {
  return {
    start: async (name, command) => {
      await tmux.run(name, command.join(' '));
      return name;
    },
    follow: async (session, onText) => {
      const child = spawn('tmux', [...tmux.args, '-C', 'attach', '-t', session]);
      child.stdout.on('data', (bytes: Buffer) => onText(bytes.toString('latin1')));
      const write = () => void child.stdin.write(`send-keys -t ${session} Enter\n`);
      return { write, close: () => child.kill() };
    },
    attach: async (session, onText) => inPty('tmux', [...tmux.args, 'attach', '-t', session], process.env, onText),
  };
}

const CHAIN = join(PROGRAMS, 'bare-chain.mjs');

/** @param folder  For its sockets. */
export function startBare(folder: string): { readonly system: System; close(): void } {
  const [host, daemon] = ['host', 'daemon'].map((role) =>
    spawn(process.execPath, [CHAIN, role], { stdio: ['pipe', 'pipe', 'inherit'] }),
  ) as [ChildProcess, ChildProcess]; // two roles
  const ask = async (process: ChildProcess, what: object): Promise<void> => {
    process.stdin?.write(`${JSON.stringify(what)}\n`);
    if (process.stdout) await once(process.stdout, 'data');
  };
  const system: System = {
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
  };
  return {
    system,
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
