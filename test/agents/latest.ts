/**
 * The newest version of an agent, as npm names it, and whether an installed version runs on this Node.
 *
 * Both tell what is wrong in one line, so that an agent can be left out with the reason.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from './agents.js';

const run = promisify(execFile);
const ASK_MS = 60_000;
const START_MS = 90_000;

/** @throws {Error} What npm said, in one line. */
export async function latestOf(agent: Agent, signal: AbortSignal): Promise<Agent> {
  const asked = await run('npm', ['view', agent.package, 'version'], { signal, timeout: ASK_MS }).catch((error) => {
    throw new Error(`npm view ${agent.package}: ${lastLine(error)}`);
  });
  const version = asked.stdout.trim();
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`npm names no version of ${agent.package}`);
  return { ...agent, version };
}

/**
 * Starts the agent with `--version` in an empty home.
 *
 * @throws {Error} Why it does not run, in one line.
 */
export async function tryVersion(agent: Agent, modules: string, signal: AbortSignal): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'orchd-version-'));
  const place = { modules, home, cwd: home, url: 'http://127.0.0.1:9', isPermitted: false, isServed: false };
  const [file = '', ...args] = agent.command(place);
  const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8' };
  // Everything before the first option is the program itself.
  const script = args.slice(
    0,
    Math.max(
      0,
      args.findIndex((arg) => arg.startsWith('-')),
    ),
  );
  const program = args.some((arg) => arg.startsWith('-')) ? script : args;
  try {
    await run(file, [...program, '--version'], { cwd: home, env, signal, timeout: START_MS });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`does not run on Node ${process.versions.node}: ${lastLine(error)}`);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the line of a failed command that says most. */
function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = error as { stderr?: string; message?: string };
  const lines = `${message}\n${stderr}`.split('\n').map((line) => line.trim());
  return (
    lines.findLast((line) => /\b\w*error\b|requires|unsupported|cannot/i.test(line)) ?? message.split('\n')[0] ?? ''
  );
}
