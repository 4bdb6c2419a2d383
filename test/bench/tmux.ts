/**
 * Runs a separate tmux server without the user's configuration, as a reference for orchd. Null if tmux is not
 * installed.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Size } from './inputs/agents.js';

export interface Tmux {
  /** The server's process. */
  readonly pid: number;
  /** Before every command. */
  readonly args: readonly string[];
  /** Starts a detached session, by default 80x24. A shell runs the command. */
  run(name: string, command: string, size?: Size): Promise<void>;
  /** Output from now on into a shell's command. */
  pipe(name: string, command: string): Promise<void>;
  /** Returns the text of its screen. */
  capture(name: string): Promise<string>;
  /** Returns a command that signals the end of `run`. */
  signal(channel: string): string;
  /** Resolves at that. */
  wait(channel: string): Promise<void>;
  close(): Promise<void>;
}

export async function startTmux(folder: string): Promise<Tmux | null> {
  if (!hasTmux()) return null;
  // A new path, so that a server that is just ending is not reused.
  const socket = join(mkdtempSync(join(folder, 'tmux-')), 'socket');
  const own = ['-S', socket, '-f', '/dev/null'];
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('tmux', [...own, ...args]);
    return stdout;
  };
  const run = async (name: string, command: string, { cols, rows }: Size = { cols: 80, rows: 24 }) => {
    await tmux('new-session', '-d', '-s', name, '-x', String(cols), '-y', String(rows), command);
  };
  await run('first', 'exec cat'); // Keeps the server alive.
  return {
    args: own,
    pid: Number(await tmux('display-message', '-p', '-t', 'first', '#{pid}')),
    run,
    pipe: async (name, command) => {
      await tmux('pipe-pane', '-t', name, command);
    },
    capture: (name) => tmux('capture-pane', '-p', '-t', name),
    signal: (channel) => `tmux -S ${socket} wait-for -S ${channel}`,
    wait: async (channel) => {
      await tmux('wait-for', channel);
    },
    close: async () => {
      await tmux('kill-server').catch(() => {}); // it may have ended
    },
  };
}

export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}
