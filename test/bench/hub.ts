/**
 * How soon a question on one machine is in the inbox of another one over a hub, and how soon an answer is back.
 *
 *     question → inbox   from the key that makes a program ask until the item is in the inbox; on the machine itself,
 *                        and on the other machine
 *     answer             the call that answers an item, until its outcome is known; on the machine itself, and from the
 *                        other machine
 *
 *     key → echo         `hub-keys.ts`: in an attached terminal, on the machine itself and on the other one
 *
 * Two daemons and a real nats-server on this host. The samples of this machine and of the other one alternate. At the
 * end, `hub-rates.ts` measures how many events a second pass.
 */
import { setTimeout } from 'node:timers/promises';
import type { Item } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { hasNats, startNats } from '../harness/nats-server.js';
import { type Bench, type Figure, median, percentile, tail } from './bench.js';
import { keys } from './hub-keys.js';
import { rates } from './hub-rates.js';

const SAMPLES = 150;
/** Maximum time that the way over the hub may add to the local one, at p99. */
const GOAL_MS = 50;
const PATIENCE_MS = 30_000;
/** Pause between two looks at an inbox. */
const LOOK_MS = 1;
const ASK = 'read -r key; echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer';

type Where = 'here' | 'there';
type Times = Record<Where, number[]>;

export const hub: Bench = {
  name: 'hub',
  summary:
    'a question of one machine in the inbox of another one, the answer, keys, and events a second, over nats-server',
  async run({ quick, progress }) {
    if (!hasNats) return [];
    const server = await startNats();
    const env = { ORCHD_HUB_SHARE: 'screens', ORCHD_HUB_ACCEPT: 'read, answer, type' };
    const [asks, answers] = await Promise.all([startDaemon({ env }), startDaemon()]);
    try {
      await asks.orchd('hub', 'init', server.url);
      const join = async (since: number): Promise<void> =>
        void (await asks.json('hub', 'join', server.url, '--name', 'asks', '--since', String(since)));
      await join(0);
      await answers.json('hub', 'join', server.url, '--name', 'answers');
      const { key } = await answers.json<{ key: string }>('hub', 'key');
      await asks.json('hub', 'enroll', 'answers', key);
      await until(async () => (await answers.client.call('hub.status', {})).machines.length === 2);
      progress('questions and answers, here and on the other machine');
      const questions: Times = { here: [], there: [] };
      const replies: Times = { here: [], there: [] };
      const samples = quick ? 20 : SAMPLES;
      await sample(asks, answers, 'there'); // Opens the lists of the hub.
      for (let i = 0; i < samples; i++) {
        for (const where of ['here', 'there'] as const) {
          const { question, answer } = await sample(asks, answers, where);
          questions[where].push(question);
          replies[where].push(answer);
        }
      }
      progress('keys in attached terminals');
      const pressed = await keys(asks, answers, 'asks', quick);
      progress('events a second');
      const passing = await rates(asks, answers, { quick, join });
      return [...figuresOf('question → inbox', questions), ...figuresOf('answer', replies), ...pressed, ...passing];
    } finally {
      await asks.close();
      await answers.close();
      await server.close();
    }
  },
};

function figuresOf(what: string, { here, there }: Times): Figure[] {
  return [
    ...tail(`${what}, on its own machine`, here),
    ...tail(`${what}, on the other machine`, there),
    {
      what: '  p99 above its own machine',
      value: percentile(there, 0.99) - percentile(here, 0.99),
      unit: 'ms',
      goal: GOAL_MS,
    },
    { what: '  of its own machine, p50', value: median(there) / median(here), unit: 'x' },
  ];
}

/** Has a program ask, and answers it, from its own machine or from the other one. */
async function sample(asks: TestDaemon, answers: TestDaemon, where: Where) {
  const { id } = await asks.client.call('session.start', { command: ['sh', '-c', ASK] });
  const asked = performance.now();
  await asks.client.call('session.keys', { session: id, keys: ['Enter'] });
  let found: Pick<Item, 'id'> | undefined;
  await until(async () => {
    const items =
      where === 'here'
        ? await asks.client.call('inbox.list', { session: id })
        : (await answers.client.call('hub.items', {})).map(({ item }) => item);
    found = items.find((item) => item.session_id === id);
    return found !== undefined;
  });
  const question = performance.now() - asked;
  const input = { item: found?.id ?? '', text: 'blue' };
  const begun = performance.now();
  if (where === 'here') await asks.client.call('inbox.answer', input);
  else await answers.client.call('hub.call', { machine: 'asks', operation: 'inbox.answer', input });
  return { question, answer: performance.now() - begun };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await setTimeout(LOOK_MS)) {
    if (await isDone()) return;
  }
  throw new Error(`nothing came in ${PATIENCE_MS / 1000} s`);
}
