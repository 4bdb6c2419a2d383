import { expect, test } from 'vitest';
import type { Client } from '../../client/index.js';
import type { ModelInput } from './model.js';
import { watchMachines } from './watch-machines.js';

test('tells once that an answer on its way was refused, and passes on only what has changed', async () => {
  const sent = { id: 'c1', to: 'build', error: 'the item was answered by bob@desk' };
  const replies: Record<string, unknown> = {
    'hub.status': { joined: true, name: 'laptop', machines: [] },
    'hub.items': [],
    'hub.sessions': [],
    'hub.commands': [{ ...sent, state: 'on_its_way' }],
  };
  const end = new AbortController();
  const taken: ModelInput[] = [];
  const told: string[] = [];
  let rounds = 0;
  const client = {
    call: async (name: string) => {
      if (name === 'hub.status') rounds++;
      if (rounds === 2) replies['hub.commands'] = [{ ...sent, state: 'refused' }];
      if (rounds === 4) end.abort();
      return replies[name];
    },
  } as unknown as Client;
  await watchMachines({
    client,
    take: (input) => taken.push(input),
    tell: (words) => told.push(words),
    now: () => 0,
    signal: end.signal,
    pause: async () => undefined,
  });
  expect(told).toEqual(['build refused the answer: the item was answered by bob@desk']);
  expect(taken).toEqual([{ kind: 'machines', hub: { own: 'laptop', items: [], sessions: [] }, at: 0 }]);
});
