/** Types of items and events that a program can tell apart by `type`: each type has its own data. */
import type { ItemOpenedEvent, ItemType, TypedMessage } from '../protocol/index.js';
import type { EventOf, EventType } from './events.js';

/** The data of an item that is not a message: a dialog of a program, its bell, or a limit of the budget. */
export interface AttentionData {
  text: string;
  options?: string[];
  source?: 'dialog' | 'question' | 'notification' | 'bell' | 'hook' | 'budget';
  [k: string]: unknown;
}

/** The data of each type of item. */
export type ItemData = { [K in TypedMessage['type'] & ItemType]: Extract<TypedMessage, { type: K }>['data'] } & {
  attention: AttentionData;
};

/** The same item or event, as a union over its types. */
export type ByItemType<T extends { type: ItemType }> = {
  [K in ItemType]: T & { type: K; data: ItemData[K] };
}[ItemType];

/** Events of some types. An `item_opened` has the data of its item's type. */
export type TypedEventOf<T extends EventType> =
  EventOf<T> extends infer E ? (E extends ItemOpenedEvent ? ByItemType<E> : E) : never;
