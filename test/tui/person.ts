/**
 * A person at a terminal: a shell in a real pty, its output in an emulator that is looked at whenever something was written.
 *
 * Nothing waits by time: `sees` resolves with the write after which the screen fits, and fails the test when none comes.
 */
import { join } from 'node:path';
import headless, { type Terminal } from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
/** A test that waits for longer than this is stuck. */
const PATIENCE_MS = 30_000;

export interface Person {
  readonly terminal: Terminal;
  readonly pty: IPty;
  /** All that came, as it came. */
  bytes(): string;
  /** The screen as text, trailing blanks cut. */
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

/** @param line  Of shell; `orchd` is ours, and `$ORCHD` the same for `exec`. */
export function sitDown(line: string, { env, cols = 80, rows = 24 }: PersonOptions): Person {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 5_000, allowProposedApi: true, logLevel: 'off' });
  const { CI: _ci, NO_COLOR: _colour, ...rest } = env;
  const script = `ORCHD='${process.execPath} ${BIN}'; orchd() { $ORCHD "$@"; }\n${line}`;
  const pty = spawn('sh', ['-c', script], { cols, rows, env: { ...rest, TERM: 'xterm-256color' } });
  let raw = '';
  let waiting: (() => void)[] = [];
  const look = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  pty.onData((text) => {
    raw += text;
    terminal.write(text, look);
  });
  const exited = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode))),
  );
  const text = (from: number): string => {
    const buffer = terminal.buffer.active;
    const lines: string[] = [];
    for (let y = from; y < buffer.baseY + terminal.rows; y++)
      lines.push(buffer.getLine(y)?.translateToString(true) ?? '');
    return lines.join('\n');
  };

  const person: Person = {
    terminal,
    pty,
    bytes: () => raw,
    screen: () => text(terminal.buffer.active.baseY),
    everything: () => text(0),
    async sees(what) {
      const fits = (screen: string): boolean =>
        typeof what === 'string' ? screen.includes(what) : what instanceof RegExp ? what.test(screen) : what(screen);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        look();
      }, PATIENCE_MS);
      try {
        while (!fits(person.screen())) {
          if (isLate) throw new Error(`not seen: ${String(what)}\n${person.screen()}`);
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        return person.screen();
      } finally {
        clearTimeout(timer);
      }
    },
    types: (keys) => pty.write(keys),
    resizes(toCols, toRows) {
      terminal.resize(toCols, toRows);
      pty.resize(toCols, toRows);
    },
    exited,
    close() {
      pty.kill('SIGKILL');
      terminal.dispose();
    },
  };
  return person;
}
