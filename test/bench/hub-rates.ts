/**
 * How many events a second pass over a hub.
 *
 *     live       a program prints messages; until the log of its daemon has them, and until the hub has them
 *     backlog    as many that were printed while the machine was on no hub; from its join until the hub has them
 *     catch-up   a client of another machine reads all of them by `hub.events`
 *
 * Two daemons and a real nats-server on this host.
 */
import { setTimeout } from 'node:timers/promises';
import type { TestDaemon } from '../harness/daemon.js';
import type { Figure } from './bench.js';

const EVENTS = 30_000;
const QUICK_EVENTS = 2_000;
const PATIENCE_MS = 60_000;
/** Pause between two looks at the daemon. */
const LOOK_MS = 5;
const PAGE_EVENTS = 10_000;
/** The least that the outbox and a reader should manage a second. */
const MIN_PUBLISHED = 5_000;
const MIN_READ = 15_000;

const FENCE = '```';
/** A message before and after its number. */
const MESSAGE = ['{"type":"STATUS_UPDATE","data":{"currentStep":"', '"}}'] as const;

/** @param join  Has the daemon that prints join the hub again, with its events after a `seq`. */
export async function rates(
  prints: TestDaemon,
  reads: TestDaemon,
  { quick, join }: { readonly quick: boolean; readonly join: (since: number) => Promise<void> },
): Promise<Figure[]> {
  const count = quick ? QUICK_EVENTS : EVENTS;
  const perSecond = (ms: number, events = count): number => (events / ms) * 1_000;
  const { cursor } = await reads.client.call('hub.events', { machine: 'asks' });

  const begun = performance.now();
  const first = await print(prints, count);
  const logged = performance.now() - begun;
  await isPublished(prints, first + count);
  const published = performance.now() - begun;

  await prints.client.call('hub.leave', {});
  const more = await print(prints, count);
  await join(more);
  const joined = performance.now();
  await isPublished(prints, more + count);
  const backlog = performance.now() - joined;

  let read = 0;
  const from = performance.now();
  for (let since = cursor, isAtEnd = false; !isAtEnd; ) {
    const page = await reads.client.call('hub.events', { machine: 'asks', since, limit: PAGE_EVENTS });
    read += page.events.length;
    [since, isAtEnd] = [page.cursor, page.at_end];
  }
  const caughtUp = performance.now() - from;
  if (read < 2 * count) throw new Error(`the hub has ${read} events of ${2 * count}`);
  const note = `${count} events`;
  return [
    { what: 'events printed → its own log', value: perSecond(logged), unit: '/s', note },
    { what: 'events printed → the hub', value: perSecond(published), unit: '/s', note: 'not faster than the log' },
    { what: 'a backlog → the hub', value: perSecond(backlog), unit: '/s', least: MIN_PUBLISHED, note },
    {
      what: 'the hub → a client of another machine',
      value: perSecond(caughtUp, read),
      unit: '/s',
      least: MIN_READ,
      note: `${read} events`,
    },
  ];
}

/** Has a program print messages. Resolves when they are in the log. @returns The last `seq` before them. */
async function print({ client }: TestDaemon, count: number): Promise<number> {
  const awk = `BEGIN { for (i = 1; i <= ${count}; i++) printf "${FENCE}orchestrator-message\\n%s step %d%s\\n${FENCE}\\n", A, i, B }`;
  const [start, end] = MESSAGE;
  const script = 'read -r key; awk -v "A=$1" -v "B=$2" "$3"; read -r key';
  const { id } = await client.call('session.start', { command: ['sh', '-c', script, 'sh', start, end, awk] });
  const { last_seq: before } = await client.call('daemon.status', {});
  await client.call('session.keys', { session: id, keys: ['Enter'] });
  await until(async () => (await client.call('daemon.status', {})).last_seq >= before + count);
  await client.call('session.kill', { session: id, grace_ms: 0 });
  return before;
}

const isPublished = ({ client }: TestDaemon, seq: number): Promise<void> =>
  until(async () => ((await client.call('hub.status', {})).published_seq ?? 0) >= seq);

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await setTimeout(LOOK_MS)) {
    if (await isDone()) return;
  }
  throw new Error(`nothing came in ${PATIENCE_MS / 1_000} s`);
}
