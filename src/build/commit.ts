/**
 * Finds the commit that a build is made from. It is written into the bundles, so that an npm package without git knows
 * it too.
 */
import { spawnSync } from 'node:child_process';

/**
 * Returns the commit of a checkout: 12 hex digits, followed by `+` if tracked files differ from it.
 *
 * @returns  `ORCHD_BUILD_COMMIT` if that variable is set (for builds from a tarball); null if the folder is not the
 *   root of a checkout.
 */
export function readCommit(root: string, env: NodeJS.ProcessEnv): string | null {
  const given = env['ORCHD_BUILD_COMMIT'];
  if (given) return given;
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  // For a package in node_modules, git finds the enclosing checkout, which is that of another project.
  if (git('rev-parse', '--show-cdup') !== '') return null;
  const commit = git('rev-parse', '--short=12', 'HEAD');
  if (commit === null) return null;
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`;
}
