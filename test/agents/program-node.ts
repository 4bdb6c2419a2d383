/**
 * The Node version for the agent programs: the current one, or the one named by `--node FILE`.
 *
 * Some programs need a newer Node than orchd. This option is read before all others, because versions and commands
 * depend on it.
 */
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { node } = parseArgs({ options: { node: { type: 'string' } }, strict: false }).values;
const file = typeof node === 'string' ? resolve(node) : process.execPath;

export const PROGRAM_NODE = { file, version: typeof node === 'string' ? versionOf(file) : process.versions.node };
/** The PATH for a program's own commands. */
export const PROGRAM_PATH = `${dirname(file)}:/usr/local/bin:/usr/bin:/bin`;

function versionOf(program: string): string {
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = /^v(\d+\.\d+\.\d+)\s*$/.exec(stdout ?? '')?.[1];
  if (version !== undefined) return version;
  console.error(`--node ${program}: it is no Node${error ? `: ${error.message}` : ''}`);
  process.exit(2);
}
