/**
 * Hostile clients attack one after the other, while others use the daemon.
 *
 * Each attack runs in a process of its own, so that the work of the attacker is not measured as a delay of the daemon.
 * A module with a table of attacks calls `attackIfAsked`, and is the program of that process.
 *
 * `attackAll` throws unless requests of others take less than OWN_MS at the 99th percentile, apart from the time in
 * which the daemon waits for a core, and no turn of its event loop takes OWN_MS.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createHome, type Home, until } from './home.js';
import { startWatched } from './turn-watch.js';
import { watchOthers } from './watch-others.js';

/** An agent in a session, whose token the attacker has. */
export interface Agent {
  readonly socket: string;
  readonly session: string;
  readonly token: string;
}

export type Attack = (agent: Agent, until: number) => Promise<void>;
export type Attacks = Readonly<Record<string, Attack>>;

const OWN_MS = 100;
const ATTACK_MS = 5_000;

/** Runs the attack that the command line names, if `file` is the program of this process. */
export async function attackIfAsked(file: string, attacks: Attacks): Promise<void> {
  if (process.argv[1] !== file) return;
  const [, , name = '', agent = ''] = process.argv;
  await attacks[name]?.(JSON.parse(agent), Date.now() + ATTACK_MS);
  process.exit(0);
}

/**
 * @param file  The module of the attacks.
 * @param isServed  Returns true if a usual client is served. Called before the attacks and after them.
 */
export async function attackAll(
  file: string,
  names: readonly string[],
  isServed: (home: Home) => Promise<boolean>,
): Promise<void> {
  const home = createHome();
  try {
    const turns = await startWatched(home);
    const watch = await watchOthers(home);
    await isServed(home);
    for (const name of names) {
      const agent = await startAgent(home);
      turns.longestMs();
      watch.begin();
      const child = fork(file, [name, JSON.stringify(agent)], { env: home.env });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`the attack '${name}' ended with ${code}`);
      const { p99, ownP99, max, lateMs, daemonMb } = await watch.end();
      const turnMs = turns.longestMs();
      console.log(
        `${name.padEnd(28)} p99 ${p99} (own ${ownP99}), max ${max} ms; messages up to ${lateMs} ms late; ` +
          `turn ${turnMs} ms; daemon ${daemonMb} MB`,
      );
      check(`others are served meanwhile (${name})`, ownP99 < OWN_MS && turnMs < OWN_MS);
      await home.client.call('session.kill', { session: agent.session, grace_ms: 0 });
      await home.client.call('session.remove', { session: agent.session, forever: true });
    }
    check('a usual client is served afterwards', await isServed(home));
    await watch.close();
  } finally {
    await home.close();
  }
}

/** Starts a session that prints without end and gives its token away. */
export async function startAgent(home: Home): Promise<Agent> {
  const file = join(home.paths.stateDir, `token-${Date.now()}`);
  const prints = 'while :; do echo "line $((n += 1)) of output that goes on"; sleep 0.01; done';
  const command = ['sh', '-c', `printenv ORCHD_SESSION_TOKEN > '${file}.new'; mv '${file}.new' '${file}'; ${prints}`];
  const { id: session } = await home.client.call('session.start', { command, cwd: '/' });
  const token = await until('the token', async () => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return null;
    }
  });
  return { socket: home.paths.socket, session, token };
}
