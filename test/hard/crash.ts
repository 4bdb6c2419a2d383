/**
 * Kills the daemon, the host, or both with SIGKILL, again and again, while sessions ask and are answered.
 *
 * Holds if, at the end:
 *   - no event number is missing or doubled;
 *   - every accepted answer was read exactly once, or an event says that its session was lost before it was read;
 *   - every accepted answer was written, or stalled with a reason, within `sessions.stall_ms`;
 *   - a session whose host was killed is lost, and can be revived; every start succeeds.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { type Event, OrchdError, type Session } from '../../src/protocol/index.js';
import { readJournal } from '../harness/read-journal.js';
import { accountForAnswers } from './parts/answer-check.js';
import { check, createHome, type Home, until } from './parts/home.js';
import type { HardTest } from './run.js';

const SESSIONS = 5;
/** `sessions.stall_ms` of the test's home. */
const STALL_MS = 5_000;
/** The longest time between a kill and the next start. Without a daemon, no state can be reported. */
const AWAY_MS = 15_000;
/** After this many kills, the host is killed as well: alone, or together with the daemon. */
const HOST_EVERY = 10;

export const hard: HardTest = {
  summary: 'kill the daemon, the host and both 500 times under load',
  options: ['--times N   the number of kills (500)', '--seed N    repeats a run'],
  async run(args) {
    const { values } = parseArgs({ args, options: { times: { type: 'string' }, seed: { type: 'string' } } });
    const times = Number(values.times ?? 500);
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    if (!Number.isInteger(times) || times < 1 || !Number.isInteger(seed))
      throw new Error('--times and --seed take whole numbers');
    console.log(`crash: ${times} kills, seed ${seed}`);
    const home = createHome({ ORCHD_SESSIONS_STALL_MS: String(STALL_MS) });
    try {
      await crash(home, times, seed);
    } finally {
      await home.close();
    }
  },
};

/** A program that asks, prints the line that it reads, and asks again, without end. */
const ASKER =
  'i=0; while :; do i=$((i+1)); echo ":ORCHESTRATOR: QUESTION - number $i?"; read -r a || exit; echo "read ' +
  '$a"; done';

async function crash(home: Home, times: number, seed: number): Promise<void> {
  let state = seed + 1;
  /** Returns a whole number less than `below` from the seeded generator. */
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  const start = async () => void (await home.must(['start', '--detach', '--no-tcp']));
  await start();
  const names = Array.from({ length: SESSIONS }, (_, i) => `asker-${i}`);
  for (const name of names) await home.must(['run', '-d', '--name', name, '--', 'sh', '-c', ASKER]);

  const answered = new Map<string, string>();
  let given = 0;
  /** Answers all open items. A refused or interrupted request is ignored. */
  const answerAll = async (): Promise<void> => {
    const items = await home.client.call('inbox.list', {}).catch(() => []);
    for (const { id } of items) {
      const text = `a${given++}`;
      try {
        await home.client.call('inbox.answer', { item: id, text });
        answered.set(id, text);
      } catch (error) {
        if (!(error instanceof OrchdError)) throw error;
        // The answer may have been accepted before the connection broke. It is then found among the events.
      }
    }
  };
  const kill = async (pid: number): Promise<void> => {
    process.kill(pid, 'SIGKILL');
    await until(`process ${pid} ends`, async () => !isAlive(pid));
  };

  let hostKills = 0;
  for (let i = 1; i <= times; i++) {
    await answerAll();
    const { host } = await home.client.call('daemon.status', {});
    const daemonPid = Number(readFileSync(home.paths.pidFile, 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, random(150)));
    const answering = random(2) === 0 ? answerAll() : Promise.resolve();
    if (i % HOST_EVERY !== 0) await kill(daemonPid);
    else {
      hostKills++;
      if (hostKills % 2 === 0) await kill(daemonPid);
      await kill(host.pid);
      if (hostKills % 2 !== 0) {
        // The daemon continues: it notices the end of its host, and starts another one.
        await until('another host', async () => {
          const status = await home.client.call('daemon.status', {}).catch(() => null);
          return status !== null && status.host.pid !== host.pid;
        });
      }
    }
    await answering;
    await start();
    if (i % HOST_EVERY === 0) {
      const sessions: Session[] = await home.client.call('session.list', {});
      for (const { id, name, state } of sessions) {
        if (state !== 'lost') throw new Error(`after kill ${i}, '${name}' is '${state}' although its host was killed`);
        await home.must(['revive', id]);
      }
    }
    if (i % 25 === 0) console.log(`crash: ${i} of ${times}, ${answered.size} answers`);
  }

  await until('every answer is typed', async () => {
    const items = await home.client.call('inbox.list', { all: true });
    return items.every(({ answer }) => answer?.delivery !== 'accepted');
  });
  const events: Event[] = [];
  let last = 0;
  let gaps = 0;
  const opened = new Set<string>();
  let doubled = 0;
  for await (const event of home.client.events({ since: 0 })) {
    if (event.event_type === 'gap') continue;
    events.push(event);
    if (event.seq !== last + 1) gaps++;
    last = event.seq;
    if (event.event_type !== 'item_opened') continue;
    if (opened.has(event.item_id)) doubled++;
    opened.add(event.item_id);
  }
  check(`${last} events, without a gap`, gaps === 0);
  check(`${opened.size} items, each opened once`, doubled === 0);
  const items = await home.client.call('inbox.list', { all: true });
  const taken = items.filter(({ id }) => answered.has(id));
  check(
    `${taken.length} accepted answers are kept as they were given`,
    taken.length === answered.size && taken.every(({ id, answer }) => answer?.text === answered.get(id)),
  );
  const read = new Map<string, number>();
  for (const { id } of await home.client.call('session.list', {})) {
    let text = '';
    for (const record of readJournal(home.paths.journalsDir, id)) {
      if (record.kind === 'out') text += Buffer.from(record.bytes).toString();
    }
    for (const [, word = ''] of text.matchAll(/^read (a\d+)\r?$/gm)) read.set(word, (read.get(word) ?? 0) + 1);
  }
  check(
    `${read.size} answers were read, none twice`,
    read.size > 0 && [...read.values()].every((count) => count === 1),
  );
  const account = accountForAnswers(events, new Set(read.keys()), STALL_MS + AWAY_MS);
  const { accepted, lostBefore, lostAfter, unexplained, overdue } = account;
  check(
    `${accepted} answers accepted: ${account.read} read, ${lostBefore} stalled because the session was lost, ` +
      `${lostAfter} written to a program that ended with its host; without an explanation: ` +
      `${unexplained.join(', ') || 'none'}`,
    unexplained.length === 0,
  );
  const late = overdue.join(', ') || 'none';
  check(`each was written, or stalled with a reason, within sessions.stall_ms; late: ${late}`, overdue.length === 0);
}
