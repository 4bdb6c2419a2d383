/**
 * A program in a real terminal that a script uses as a person would: it waits until the screen contains a text, and
 * types with pauses between the keys. The output of the program can be recorded as an asciicast of version 2
 * (https://docs.asciinema.org/manual/asciicast/v2/).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import { spawn } from 'node-pty';
import type { DemoHome } from './demo-home.js';
import { drawRows, type Frame } from './svg.js';

/** Maximum time until a text appears. */
const PATIENCE_MS = 60_000;
/** Minimum time between two frames. */
const FRAME_MS = 150;
/** Mean time between two keys of the typing person. */
const KEY_MS = 55;

interface DrivenTerminal {
  readonly terminal: Terminal;
  /** True if the screen contains the text now. */
  has(text: RegExp): boolean;
  /** Resolves when the screen contains the text. Rejects after a minute. */
  shows(text: RegExp): Promise<void>;
  /** Types the keys one by one. A pause before gives a viewer time to read. */
  types(keys: string, readMs?: number): Promise<void>;
  /** Sends several characters at once, such as those of a function key. */
  presses(keys: string, readMs?: number): Promise<void>;
  /** Returns a picture of each moment at which the screen has changed, at most one per `FRAME_MS`. */
  frames(): readonly Frame[];
  /** Ends the program, and returns its output since the start as an asciicast. */
  end(title: string): string;
}

/** Starts a program in the demo's home, in a terminal of this size. */
export function drive(home: DemoHome, command: readonly string[], cols: number, rows: number): DrivenTerminal {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const [program = '', ...args] = command;
  const pty = spawn(program, args, { cols, rows, env: { ...home.env }, cwd: home.directory });
  const started = performance.now();
  const output: (readonly [seconds: number, kind: 'o', text: string])[] = [];
  pty.onData((data) => {
    output.push([Number(((performance.now() - started) / 1000).toFixed(3)), 'o', data]);
    terminal.write(data);
  });
  const frames: Frame[] = [];
  let isFrameDue = false;
  const takeFrame = (): void => {
    isFrameDue = false;
    const rows = drawRows(terminal);
    if (rows.some((row, y) => row !== frames.at(-1)?.rows[y])) frames.push({ atMs: performance.now() - started, rows });
  };
  terminal.onWriteParsed(() => {
    if (!isFrameDue) setTimeout(takeFrame, FRAME_MS);
    isFrameDue = true;
  });
  terminal.onData((reply) => pty.write(reply));
  return {
    terminal,
    has: (text) => text.test(screenText(terminal)),
    shows: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!text.test(screenText(terminal))) return;
          clearTimeout(timer);
          watch.dispose();
          resolve();
        };
        const timer = setTimeout(
          () => reject(new Error(`the screen never showed ${text}:\n${screenText(terminal)}`)),
          PATIENCE_MS,
        );
        const watch = terminal.onWriteParsed(check);
        check();
      }),
    async types(keys, readMs = 900) {
      await sleep(readMs);
      for (const [place, key] of Array.from(keys).entries()) {
        pty.write(key);
        await sleep(KEY_MS * (key === ' ' ? 1.8 : 0.7 + (place % 3) / 3));
      }
    },
    async presses(keys, readMs = 900) {
      await sleep(readMs);
      pty.write(keys);
    },
    frames: () => frames,
    end(title) {
      pty.kill();
      const header = { version: 2, width: cols, height: rows, title, env: { TERM: 'xterm-256color' } };
      return `${[header, ...output].map((line) => JSON.stringify(line)).join('\n')}\n`;
    },
  };
}

function screenText(terminal: Terminal): string {
  const { active } = terminal.buffer;
  return Array.from(
    { length: terminal.rows },
    (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '',
  ).join('\n');
}
