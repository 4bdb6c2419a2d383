/** What a task or a workflow asks: items of a session whose program has ended, or that never had one. */
import type { Input } from '../lifecycle/index.js';
import type { Item } from '../protocol/index.js';
import type { Log } from './log.js';
import type { Registry } from './registry.js';
import type { SessionEntry } from './session-entry.js';

export interface PosedPorts {
  readonly registry: Registry;
  readonly log: Log;
  readonly now: () => number;
}

export type Posing = Pick<Extract<Input, { kind: 'posed' }>, 'itemId' | 'by' | 'question' | 'options'>;

/** The item, if it was asked already. */
export const posedItem = (registry: Registry, itemId: string): Item | undefined =>
  registry.items().find((item) => item.id === itemId);

export const pose = ({ now }: Pick<PosedPorts, 'now'>, entry: SessionEntry, posing: Posing): Promise<void> =>
  entry.apply({ kind: 'posed', ...posing, time: now() });

export async function withdrawPosed(
  { registry, now }: Pick<PosedPorts, 'registry' | 'now'>,
  itemIds: readonly string[],
  reason: Extract<Input, { kind: 'unposed' }>['reason'],
): Promise<void> {
  for (const item of registry.items().filter(({ id, state }) => itemIds.includes(id) && state === 'open'))
    await registry.get(item.session_id)?.apply({ kind: 'unposed', itemId: item.id, reason, time: now() });
}
