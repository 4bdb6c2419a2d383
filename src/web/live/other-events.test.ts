import { expect, test } from 'vitest';
import { type Event, OrchdError } from '../../protocol/index.js';
import type { Api } from './api.js';
import { followOther } from './other-events.js';

const event = (seq: number): Event => ({ seq, event_type: 'message' }) as unknown as Event; // the fields that are read
const QUERY = { machine: 'build', session: 'ses_1', types: ['message'] } as const;

/** A daemon with these replies, in turn, for each operation. Follows until they are used up. */
async function followed(replies: Record<string, (unknown | OrchdError)[]>) {
  const gone = new AbortController();
  const calls: [string, object][] = [];
  const shown: (readonly number[])[] = [];
  const call = async (name: string, input: object): Promise<unknown> => {
    calls.push([name, input]);
    const reply = replies[name]?.shift();
    if (reply === undefined) gone.abort();
    if (reply === undefined || reply instanceof OrchdError) throw reply ?? new Error('the page is gone');
    return reply;
  };
  const api = { call } as unknown as Api; // the operations that are called
  const onEvents = (events: readonly Event[]): void => void shown.push(events.map(({ seq }) => seq ?? 0));
  await followOther(api, QUERY, onEvents, gone.signal, async () => undefined);
  return { calls, shown };
}
const page = (cursor: string, ...seqs: number[]) => ({
  cursor,
  at_end: true,
  gap: false,
  events: seqs.map((seq) => ({ machine: 'build', cursor, event: event(seq) })),
});

test('the past comes from the machine, and new events once from the hub', async () => {
  const { calls, shown } = await followed({
    'hub.call': [{ state: 'done', output: [event(3), event(5)] }],
    'hub.events': [page('c5'), page('c7', 5, 7), page('c8', 8)],
  });
  expect(shown).toEqual([
    [3, 5],
    [3, 5, 7],
    [3, 5, 7, 8],
  ]);
  const cursors = calls.filter(([name]) => name === 'hub.events').map(([, input]) => 'since' in input && input.since);
  expect(cursors).toEqual([false, 'c5', 'c7', 'c8']);
});

test('of a machine that is away, or that refuses, the hub has the past', async () => {
  const { shown } = await followed({
    'hub.call': [new OrchdError('ORCHD_MACHINE_AWAY', 'away')],
    'hub.events': [page('c5'), page('c5', 3, 5)],
  });
  expect(shown).toEqual([[3, 5]]);
});

test('it begins again with a hub that was restored, and goes on after an outage', async () => {
  const { shown } = await followed({
    'hub.call': [
      { state: 'done', output: [event(3)] },
      { state: 'done', output: [event(3), event(4)] },
    ],
    'hub.events': [
      page('c3'),
      new OrchdError('ORCHD_HUB_UNREACHABLE', 'away'),
      new OrchdError('ORCHD_HUB_CURSOR', 'restored'),
      page('d4'),
      page('d5', 5),
    ],
  });
  expect(shown).toEqual([[3], [3, 4], [3, 4, 5]]);
});
