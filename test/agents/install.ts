/**
 * Installs one agent into the cache folder, or finds it there.
 *
 * The installation is in `<cache>/<name>-<version>/node_modules`. Install scripts are not run; native parts come as
 * packages of this platform. An installation is made in a temporary folder and renamed when it is complete, so that an
 * interrupted one is repeated.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from './agents.js';
import { runBounded } from './run-bounded.js';

const INSTALL_MS = 300_000;

export const defaultCache = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orchd', 'agents');

/**
 * @returns The installation's `node_modules`.
 * @throws {Error} npm's last message, in one line.
 */
export async function install(agent: Agent, cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, `${agent.name}-${agent.version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, agent.package, 'package.json'))) return modules;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, 'package.json'), '{"private": true}\n');
  const what = `${agent.package}@${agent.version}`;
  const beside = Object.entries(agent.beside ?? {}).map(([name, version]) => `${name}@${version}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  await runBounded('npm', ['install', ...flags, what, ...beside], { cwd: part, signal, limitMs: INSTALL_MS }).catch(
    (error) => {
      signal.throwIfAborted();
      throw new Error(`npm install ${what}: ${error instanceof Error ? error.message : String(error)}`);
    },
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(part, folder);
  return modules;
}
