/**
 * Asks another machine how the item was closed that the person looks at.
 *
 * The hub lists only open items, so it does not tell who answered one.
 */
import type { Client } from '../client/index.js';
import type { Item } from '../protocol/index.js';
import { entryOfItem, type ModelInput } from './model/model.js';
import type { State } from './view/store.js';

interface AskPorts {
  readonly client: Pick<Client, 'call'>;
  readonly take: (input: ModelInput) => void;
  readonly now: () => number;
}

/** @returns  A function that gets each state of the TUI. It asks once for each item, and never throws. */
export function askHowClosed({ client, take, now }: AskPorts): (state: Pick<State, 'model' | 'ui'>) => void {
  const asked = new Set<string>();
  return ({ model, ui }) => {
    const shown = entryOfItem(model, ui.itemId);
    if (!shown?.elsewhere || shown.withdrawn !== 'there' || asked.has(shown.item.id)) return;
    const { machine } = shown.elsewhere;
    const { id } = shown.item;
    asked.add(id);
    const input = { machine, operation: 'inbox.show', input: { item: id } } as const;
    void client.call('hub.call', input).then(
      // The operation determines the output. A machine that does not reply leaves "closed on its machine".
      ({ output }) => {
        const item = output as Item | undefined;
        if (item && item.state !== 'open') take({ kind: 'answered_there', item, at: now() });
      },
      () => undefined,
    );
  };
}
