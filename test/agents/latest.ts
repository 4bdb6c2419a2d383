/**
 * Finds the newest version of an agent on npm, and checks if an installed version runs on this Node.
 *
 * Errors are in one line, so that an agent can be skipped with the reason.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, NATIVE } from './agents.js';
import { PROGRAM_NODE, PROGRAM_PATH } from './program-node.js';
import { runBounded } from './run-bounded.js';

const ASK_MS = 60_000;
const START_MS = 90_000;

/** @throws {Error} npm's message, in one line. */
export async function latestOf(agent: Agent, signal: AbortSignal): Promise<Agent> {
  const how = { cwd: tmpdir(), signal, limitMs: ASK_MS };
  const said = await runBounded('npm', ['view', agent.package, 'version'], how).catch((error) => {
    throw reasonOf(`npm view ${agent.package}`, error, signal);
  });
  const version = said.trim();
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`npm names no version of ${agent.package}`);
  return { ...agent, version };
}

/**
 * Starts the agent with `--version`, or its own `startOption`, in an empty home.
 *
 * @throws {Error} The reason why it does not run, in one line.
 */
export async function tryVersion(agent: Agent, modules: string, signal: AbortSignal): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'orchd-version-'));
  const place = { modules, home, cwd: home, url: 'http://127.0.0.1:9', isPermitted: false, isServed: false };
  const [file = '', ...args] = agent.command(place);
  const env = { HOME: home, PATH: PROGRAM_PATH, LANG: 'C.UTF-8' };
  // Everything before the first option is the program itself.
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const program = firstOption === -1 ? args : args.slice(0, firstOption);
  try {
    await runBounded(file, [...program, agent.startOption ?? '--version'], {
      cwd: home,
      env,
      signal,
      limitMs: START_MS,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`its package has no program for ${NATIVE}`, { cause: error });
    throw reasonOf(`does not run on Node ${PROGRAM_NODE.version}`, error, signal);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function reasonOf(what: string, error: unknown, signal: AbortSignal): Error {
  signal.throwIfAborted();
  return new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}
