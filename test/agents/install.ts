/**
 * Installs one agent into the cache folder, or finds it there.
 *
 * Out: `<cache>/<name>-<version>/node_modules`. Install scripts are not run; native parts come as packages of this platform.
 * An installation is made beside its place and moved there when it is whole, so that one that was cut off is made again.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from './agents.js';

export const defaultCache = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orchd', 'agents');

/**
 * @returns  The installation's `node_modules`.
 * @throws {Error} What npm said last, in one line.
 */
export async function install(agent: Agent, cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, `${agent.name}-${agent.version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, agent.package, 'package.json'))) return modules;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, 'package.json'), '{"private": true}\n');
  await npm(
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${agent.package}@${agent.version}`],
    part,
    signal,
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(part, folder);
  return modules;
}

function npm(args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, signal, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-4_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const errors = said
        .split('\n')
        .filter((line) => /^npm (?:error|ERR!) /.test(line) && !/log of this run/.test(line));
      reject(new Error(errors[0]?.replace(/^npm (?:error|ERR!) /, '') ?? `npm exited with ${code}`));
    });
  });
}
