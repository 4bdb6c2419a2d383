/** Starts the scripted agents of the demo. */
import { join } from 'node:path';
import type { Client } from '../../client/index.js';
import type { Session } from '../../protocol/index.js';
import type { Context } from '../program/context.js';

/** The first one asks before the others start: its question is the first in the inbox, as the TUI's hint needs. */
const AGENTS = ['demo-auth', 'demo-docs', 'demo-deploy'] as const;
const FIRST_QUESTION_MS = 10_000;

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
    const session = await client.call('session.start', { name, command, cwd, env });
    started.push(session);
    if (name === AGENTS[0]) await untilAsked(client, session);
  }
  return started;
}

/** Also returns if the agent is slow or was ended: the other agents start all the same. */
const untilAsked = (client: Client, { id: session }: Session) =>
  client.call('session.wait', { session, until: 'waiting', timeout_ms: FIRST_QUESTION_MS }).catch(() => undefined);
