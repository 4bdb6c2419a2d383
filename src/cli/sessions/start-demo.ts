/** Starts the scripted agents of the demo. */
import { join } from 'node:path';
import type { Client } from '../../client/index.js';
import type { Session } from '../../protocol/index.js';
import type { Context } from '../program/context.js';

const AGENTS = ['demo-auth', 'demo-docs', 'demo-deploy'] as const;

/** @returns The sessions that were started. An agent that runs already is not started again. */
export async function startDemo({ env: given, cwd }: Pick<Context, 'env' | 'cwd'>, client: Client): Promise<Session[]> {
  // The bundle with the demo's program is in the same folder as those of the commands.
  const file = join(import.meta.dirname, 'demo-agent.js');
  const env = Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const living = new Set((await client.call('session.list', { all: false })).map(({ name }) => name));
  const started: Session[] = [];
  for (const name of AGENTS.filter((agent) => !living.has(agent))) {
    const command = [process.execPath, file, name.replace('demo-', '')];
    started.push(await client.call('session.start', { name, command, cwd, env }));
  }
  return started;
}
