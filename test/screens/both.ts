/**
 * Runs the same program in an orchd session and in a tmux pane, with the same keys.
 *
 * `agree` waits until both screens match and are equal. It compares again whenever one of them has printed something.
 */
import type { TestDaemon } from '../harness/daemon.js';
import { compare, type Part } from './compare.js';
import { type Look, readRows } from './look.js';
import { openPane, type TmuxPane } from './tmux-pane.js';

const PATIENCE_MS = 20_000;
const SCROLLBACK = 1_000;

export interface Both {
  /**
   * Waits until both screens match `on`, do not match `unlike`, and are equal. Fails with the difference if that does
   * not happen.
   */
  agree(on: RegExp, unlike?: string): Promise<Look>;
  types(keys: string): Promise<void>;
  resizes(cols: number, rows: number): Promise<void>;
  close(): Promise<void>;
}

export interface BothOptions {
  readonly daemon: TestDaemon;
  /** The program's command line for a shell. */
  readonly program: string;
  readonly cols: number;
  readonly rows: number;
  /** Parts that are not compared. Default: titles, because tmux begins them with the machine's name. */
  readonly except?: readonly Part[];
}

export async function openBoth({ daemon, program, cols, rows, except = ['title'] }: BothOptions): Promise<Both> {
  const env = { ...daemon.env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  const pane = await openPane({ cols, rows, scrollbackLines: SCROLLBACK, program, env, onOutput: wake });
  const session = await startSession(daemon, program, { cols, rows });
  const terminal = await daemon.client.terminal(session.id, { mode: 'stream' });
  terminal.onBytes(wake);

  return {
    async agree(on, unlike) {
      const until = AbortSignal.timeout(PATIENCE_MS);
      until.addEventListener('abort', wake);
      for (;;) {
        const changed = new Promise<void>((resolve) => waiting.push(resolve));
        const [orchd, tmux] = await Promise.all([lookAtSession(daemon, session.id), pane.look()]);
        const text = textOf(orchd);
        if (on.test(text) && text !== unlike && on.test(textOf(tmux)) && isEqual(orchd, tmux, except)) return orchd;
        if (until.aborted) throw new Error(`no agreement on ${on}:\n${explained(orchd, tmux)}`);
        await changed;
      }
    },
    async types(keys) {
      await Promise.all([terminal.sendBytes(keys), typeIn(pane, keys)]);
    },
    async resizes(toCols, toRows) {
      const size = { cols: toCols, rows: toRows };
      await Promise.all([
        daemon.client.call('session.resize', { session: session.id, size }),
        pane.resize(toCols, toRows),
      ]);
    },
    async close() {
      terminal.close();
      await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
      await pane.close();
    },
  };
}

export const startSession = (daemon: TestDaemon, program: string, size: { cols: number; rows: number }) =>
  daemon.client.call('session.start', {
    command: ['sh', '-c', program],
    cwd: process.cwd(),
    // JSON leaves out variables that are undefined.
    env: { ...daemon.env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' } as Record<string, string>,
    size,
  });

export async function lookAtSession(daemon: TestDaemon, session: string): Promise<Look> {
  const seen = await daemon.client.call('session.capture', { session, ansi: true, scrollback: SCROLLBACK });
  const rows = readRows(seen.text.split('\n').slice(0, -1));
  const above = rows.length - seen.size.rows;
  const { cursor, title, alternate } = seen;
  return { scrollback: rows.slice(0, above), screen: rows.slice(above), cursor, title, isAlternate: alternate };
}

const isEqual = (orchd: Look, tmux: Look, except: readonly Part[]): boolean =>
  Object.keys(compare(orchd, tmux)).every((part) => except.some((one) => one === part));

export const textOf = ({ screen }: Look): string =>
  screen
    .map((cells) =>
      cells
        .map(({ chars }) => chars)
        .join('')
        .trimEnd(),
    )
    .join('\n');

const explained = (orchd: Look, tmux: Look): string =>
  [JSON.stringify(compare(orchd, tmux), null, 2), '--- orchd', textOf(orchd), '--- tmux', textOf(tmux)].join('\n');

async function typeIn(pane: TmuxPane, keys: string): Promise<void> {
  await pane.command('send-keys', '-t', 'pane', '-H', ...[...Buffer.from(keys)].map((byte) => byte.toString(16)));
}
