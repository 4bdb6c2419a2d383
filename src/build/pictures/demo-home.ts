/** A temporary home with a daemon of its own, for pictures of the real program. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../../../bin/orchd.js');

export interface DemoHome {
  /** The environment and the directory for programs that use this home. Their PATH contains `orchd`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Runs an `orchd` command to its end. Returns what it printed. */
  readonly orchd: (...args: string[]) => string;
}

/**
 * Starts a daemon in a new home, runs `work`, stops the daemon and removes the home.
 *
 * @param flags  Of `orchd start`.
 */
export async function inDemoHome(work: (home: DemoHome) => Promise<void>, flags = ['--no-tcp']): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'orchd-demo-'));
  const { CI: _ci, NO_COLOR: _plain, npm_lifecycle_event: _script, ...inherited } = process.env;
  const programs = join(directory, '.programs');
  mkdirSync(programs);
  symlinkSync(BIN, join(programs, 'orchd'));
  const env = {
    ...inherited,
    PATH: `${programs}:${inherited['PATH']}`,
    ORCHD_HOME: join(directory, '.orchd-home'),
    ORCHD_DEMO_PAUSE_MS: '300',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    FORCE_COLOR: '3',
  };
  const orchd = (...args: string[]) =>
    spawnSync(process.execPath, [BIN, ...args], { env, cwd: directory, encoding: 'utf8' }).stdout;
  try {
    orchd('start', '--detach', ...flags);
    await work({ env, directory, orchd });
  } finally {
    orchd('stop');
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts the scripted agents of `orchd demo`, and waits until each has asked. */
export function startDemo({ orchd }: DemoHome): void {
  orchd('demo', '--no-tui');
  for (const agent of ['auth', 'docs', 'deploy'])
    orchd('wait', `demo-${agent}`, '--until', agent === 'deploy' ? 'blocked' : 'waiting', '--timeout', '30s');
}
