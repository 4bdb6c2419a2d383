/**
 * A person at a terminal: a shell in a real pty whose output goes to an emulator that is checked after every write.
 *
 * Nothing waits for a fixed time: `sees` resolves with the first write after which the screen matches, and rejects
 * after `PATIENCE_MS`. Every frame is checked separately, even if many arrive together, so `sees` also finds text that
 * is shown only for a moment. The pty is the host's own, because node-pty's `spawn` drops output that is still unread
 * 200 ms after the exit.
 */
import { join } from 'node:path';
import headless, { type Terminal } from '@xterm/headless';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { Pty } from '../../src/host/program/pty.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
/** If the text does not come within this time, `sees` rejects. */
const PATIENCE_MS = 30_000;
const FRAME_END = /(?<=\x1b\[\?2026l)/;

export interface Person {
  readonly terminal: Terminal;
  /** Process id of the shell, or of the program that replaced it by `exec`. */
  readonly pid: number;
  /** Returns all received bytes, unchanged. */
  bytes(): string;
  /** The screen as text, without trailing blanks. */
  screen(): string;
  /** Screen and scrollback. */
  everything(): string;
  sees(what: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  types(text: string): void;
  resizes(cols: number, rows: number): void;
  readonly exited: Promise<number>;
  close(): void;
}

export interface PersonOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cols?: number;
  readonly rows?: number;
}

/**
 * Opens a terminal and runs a line in its shell.
 *
 * @param line  In it, `orchd` is this checkout's command, and `$ORCHD` is the same for `exec`.
 */
export function openTerminal(line: string, { env, cols = 80, rows = 24 }: PersonOptions): Person {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 5_000, allowProposedApi: true, logLevel: 'off' });
  const { CI: _ci, NO_COLOR: _colour, ...rest } = env;
  const script = `ORCHD='${process.execPath} ${BIN}'; orchd() { $ORCHD "$@"; }\n${line}`;
  let raw = '';
  const looks = new Set<() => boolean>();
  /** @returns True if a test waits for the current screen. */
  const look = (): boolean => !terminal.modes.synchronizedOutputMode && [...looks].filter((one) => one()).length > 0;
  const draw = async (text: string): Promise<void> => {
    for (const frame of text.split(FRAME_END)) {
      await new Promise<void>((resolve) => terminal.write(frame, resolve));
      if (look()) await new Promise(setImmediate); // lets the test check its next step before the next frame
    }
  };
  let drawn = Promise.resolve();
  const decoder = new TextDecoder();
  let end: (exitCode: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    end = resolve;
  });
  const pty = new Pty(
    {
      sessionId: 'person',
      file: '/bin/sh',
      argv: ['sh', '-c', script],
      cwd: process.cwd(),
      cols,
      rows,
      env: withValues({ ...rest, TERM: 'xterm-256color' }),
      umask: 0o022,
      notes: [],
    },
    {
      onBytes(bytes) {
        const text = decoder.decode(bytes, { stream: true });
        raw += text;
        drawn = drawn.then(() => draw(text));
      },
      async onExit({ exitCode }) {
        await pty.drain();
        await pty.close();
        await drawn;
        end(exitCode ?? 0);
      },
    },
  );
  pty.resume();
  const type = (bytes: Uint8Array): void => {
    const written = pty.write(bytes);
    if (written < bytes.length) setImmediate(() => type(bytes.subarray(written))); // the program has not read yet
  };
  const text = (from: number): string => {
    const buffer = terminal.buffer.active;
    const lines: string[] = [];
    for (let y = from; y < buffer.baseY + terminal.rows; y++)
      lines.push(buffer.getLine(y)?.translateToString(true) ?? '');
    return lines.join('\n');
  };

  const person: Person = {
    terminal,
    pid: pty.pid,
    bytes: () => raw,
    screen: () => text(terminal.buffer.active.baseY),
    everything: () => text(0),
    sees(what) {
      const fits = (screen: string): boolean =>
        typeof what === 'string' ? screen.includes(what) : what instanceof RegExp ? what.test(screen) : what(screen);
      return new Promise((resolve, reject) => {
        const over = (): void => {
          clearTimeout(timer);
          looks.delete(again);
        };
        const again = (): boolean => {
          try {
            const screen = person.screen();
            if (!fits(screen)) return false;
            resolve(screen);
          } catch (error) {
            reject(error);
          }
          over();
          return true;
        };
        const timer = setTimeout(() => {
          over();
          reject(new Error(`not seen: ${String(what)}\n${person.screen()}`));
        }, PATIENCE_MS);
        looks.add(again);
        again();
      });
    },
    types: (keys) => type(Buffer.from(keys)),
    resizes(toCols, toRows) {
      terminal.resize(toCols, toRows);
      pty.resize(toCols, toRows);
    },
    exited,
    close() {
      if (isAlive(pty.pid)) process.kill(pty.pid, 'SIGKILL');
      void exited.then(() => terminal.dispose());
    },
  };
  return person;
}

const withValues = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
