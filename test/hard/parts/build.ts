/** An older build of orchd, made from this repository's history. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export interface OldBuild {
  readonly commit: string;
  /** Path of its `orchd` script for Node. */
  readonly bin: string;
  remove(): void;
}

/**
 * Checks a commit out into a temporary folder and builds it there, with the packages of this checkout.
 *
 * @throws {Error} if the commit is not in the history, or does not build.
 */
export function buildOld(commit: string): OldBuild {
  const git = (...args: string[]) => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: 'pipe' });
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`).trim();
  const folder = mkdtempSync(join(tmpdir(), 'orchd-old-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', ROOT, hash, folder]);
    // The packages are copied, because Node would resolve a link to this checkout's files.
    cpSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'pipe' });
    const bin = join(folder, 'bin/orchd.js');
    if (!existsSync(bin)) throw new Error(`${hash} has no bin/orchd.js`);
    return { commit: hash, bin, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
