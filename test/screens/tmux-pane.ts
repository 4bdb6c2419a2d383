/**
 * One pane of a separate tmux server, as a second opinion about the content of a screen.
 *
 * In:   a program for the pane, and tmux commands, including keys and sizes.
 * Out:  the content of the pane (`look`), from `capture-pane` and tmux's formats.
 *
 * Commands use one control connection, so that ten thousand commands do not start ten thousand processes. `close` ends
 * the server.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Look, readRows } from './look.js';

export interface TmuxPane {
  /** The terminal of the pane. A process that writes to it acts as a program in the pane. */
  readonly tty: string;
  command(...words: string[]): Promise<string[]>;
  look(): Promise<Look>;
  resize(cols: number, rows: number): Promise<void>;
  close(): Promise<void>;
}

export interface PaneOptions {
  readonly cols: number;
  readonly rows: number;
  readonly scrollbackLines: number;
  /** The pane's command line for a shell. */
  readonly program: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Called when the pane has printed something. */
  readonly onOutput?: () => void;
}

/** Returns the version from `tmux -V`, without the name; null if tmux is not installed. */
export function tmuxVersion(): string | null {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim().replace('tmux ', '');
  } catch {
    return null;
  }
}

const FORMAT = '#{history_size} #{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{pane_title}';

export async function openPane({
  cols,
  rows,
  scrollbackLines,
  program,
  env,
  onOutput,
}: PaneOptions): Promise<TmuxPane> {
  const folder = mkdtempSync(join(tmpdir(), 'pane-'));
  const socket = join(folder, 's');
  const { TMUX: _inside, ...rest } = env ?? process.env;
  // `default-terminal` must be set before the pane exists, so the server starts with another one.
  const start = [
    ['new-session', '-d', '-s', 'first', 'exec cat'],
    ['set', '-g', 'default-terminal', 'xterm-256color'],
    ['set', '-g', 'history-limit', String(scrollbackLines)],
    ['set', '-g', 'status', 'off'],
    ['set', '-g', 'remain-on-exit', 'on'],
    ['set', '-g', 'automatic-rename', 'off'],
    ['set', '-g', 'allow-rename', 'off'],
    ['new-session', '-d', '-s', 'pane', '-x', String(cols), '-y', String(rows), program],
    // This comes last: tmux 3.3a crashes on a new session in a server that has this set.
    ['set', '-w', '-t', 'pane', 'window-size', 'manual'],
  ];
  execFileSync(
    'tmux',
    ['-u', '-S', socket, '-f', '/dev/null', ...start.flatMap((words) => [...words, ';']).slice(0, -1)],
    {
      env: { ...rest, LC_ALL: 'C.UTF-8' },
    },
  );
  const control = connect(socket, onOutput);
  await control.command('resize-window', '-t', 'pane', '-x', String(cols), '-y', String(rows));
  const [tty = ''] = await control.command('display-message', '-p', '-t', 'pane', '#{pane_tty}');
  let width = cols;
  return {
    tty,
    command: control.command,
    async resize(toCols, toRows) {
      await control.command('resize-window', '-t', 'pane', '-x', String(toCols), '-y', String(toRows));
      width = toCols;
    },
    async look() {
      const [[state = ''], shown] = await Promise.all([
        control.command('display-message', '-p', '-t', 'pane', FORMAT),
        control.command('capture-pane', '-p', '-e', '-N', '-S', '-', '-t', 'pane'),
      ]);
      const [history, x, y, visible, alternate, ...title] = state.split(' ');
      const cells = readRows(shown);
      // tmux keeps the cursor behind the last column while a wrap is pending.
      const seen = { x: Math.min(Number(x), width - 1), y: Number(y), visible: visible === '1' };
      return {
        scrollback: cells.slice(0, Number(history)),
        screen: cells.slice(Number(history)),
        cursor: seen,
        isWrapPending: Number(x) >= width,
        isAlternate: alternate === '1',
        title: title.join(' '),
      };
    },
    async close() {
      await control.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function connect(socket: string, onOutput?: () => void) {
  const client: ChildProcess = spawn(
    'tmux',
    [
      '-u',
      '-S',
      socket,
      '-C',
      'attach-session',
      '-f',
      onOutput ? 'ignore-size' : 'no-output,ignore-size',
      '-t',
      'pane',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const gone = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const waiting: { resolve: (lines: string[]) => void; reject: (error: Error) => void }[] = [];
  let block: { number: string; isOurs: boolean; lines: string[] } | null = null;
  if (!client.stdout) throw new Error('no pipe from tmux');
  createInterface({ input: client.stdout }).on('line', (line) => {
    const [word, , number = '', flags] = line.split(' ');
    if (block && (word === '%end' || word === '%error') && number === block.number) {
      const { isOurs, lines } = block;
      block = null;
      if (!isOurs) return; // The reply belongs to the command that attached.
      const asked = waiting.shift();
      if (word === '%end') asked?.resolve(lines);
      else asked?.reject(new Error(`tmux: ${lines.join(' ')}`));
    } else if (block) block.lines.push(line);
    else if (word === '%output') onOutput?.();
    else if (word === '%begin') block = { number, isOurs: flags === '1', lines: [] };
  });
  const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  return {
    command: (...words: string[]): Promise<string[]> =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        client.stdin?.write(`${words.map(quoted).join(' ')}\n`);
      }),
    async close() {
      client.stdin?.write('kill-server\n');
      await gone;
    },
  };
}
