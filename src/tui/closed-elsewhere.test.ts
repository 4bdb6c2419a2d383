import { expect, test } from 'vitest';
import type { InputOf, Item } from '../protocol/index.js';
import { askHowClosed } from './closed-elsewhere.js';
import type { ItemEntry } from './model/items/item-entry.js';
import type { ModelInput } from './model/model.js';
import type { State } from './view/store.js';

const open = { id: 'itm_2', state: 'open', session_name: 'api' } as Item;
const elsewhere = { machine: 'build', away: '', onItsWay: '' };
const entry = (withdrawn: ItemEntry['withdrawn']): ItemEntry => ({ item: open, changedAt: 1, withdrawn, elsewhere });
const looking = (shown: ItemEntry, itemId = 'itm_2') =>
  ({ model: { items: [shown] }, ui: { itemId } }) as unknown as Pick<State, 'model' | 'ui'>;

/** Returns what is asked and taken when TUI states follow each other, and the machine replies with `output`. */
async function follow(states: Pick<State, 'model' | 'ui'>[], output: unknown) {
  const asked: InputOf<'hub.call'>[] = [];
  const taken: ModelInput[] = [];
  const call = async (_name: string, input: InputOf<'hub.call'>) => {
    asked.push(input);
    if (output instanceof Error) throw output;
    return { state: 'done', output };
  };
  const see = askHowClosed({ client: { call } as never, take: (input) => taken.push(input), now: () => 5 });
  for (const state of states) see(state);
  await Promise.resolve();
  await Promise.resolve();
  return { asked, taken };
}

test('asks the machine once how the item was closed that is looked at', async () => {
  const answered = { ...open, state: 'answered', answer: { text: 'blue', by: 'bob@desk' } } as Item;
  const { asked, taken } = await follow(
    [looking(entry(null)), looking(entry('there'), 'itm_1'), looking(entry('there')), looking(entry('there'))],
    answered,
  );
  expect(asked).toEqual([{ machine: 'build', operation: 'inbox.show', input: { item: 'itm_2' } }]);
  expect(taken).toEqual([{ kind: 'answered_there', item: answered, at: 5 }]);
});

test('keeps "closed on its machine" if that does not reply, or the item is open there', async () => {
  for (const output of [new Error('away'), undefined, open]) {
    const { asked, taken } = await follow([looking(entry('there'))], output);
    expect([asked.length, taken]).toEqual([1, []]);
  }
});
