/**
 * The environments of runs that are not over, in files (0600): a run may wait, be told again or outlive a daemon, and its program has to
 * have what its caller had. They are secrets of the person as the processes' own are, and gone with the run; the log never has them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../../protocol/index.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const fileOf = ({ runsDir }: Paths, runId: string): string => join(runsDir, `${runId}.env.json`);

export function keepEnvironment(paths: Paths, runId: string, env: Environment): void {
  mkdirSync(paths.runsDir, { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(paths, runId), JSON.stringify(env), { mode: 0o600 });
}

/** Null when the file is gone. */
export function readEnvironment(paths: Paths, runId: string): Environment | null {
  try {
    return JSON.parse(readFileSync(fileOf(paths, runId), 'utf8')) as Environment; // our own file
  } catch {
    return null;
  }
}

export function dropEnvironment(paths: Paths, runId: string): void {
  rmSync(fileOf(paths, runId), { force: true });
}
