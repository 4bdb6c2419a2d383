/** The message types, in the order of lists, and what follows from their descriptors. */

import type { ItemType, Message, Session, State } from '../generated/types.js';
import type { Badge } from '../states/index.js';
import { BLOCKED } from './blocked.js';
import { ERROR } from './error.js';
import type { ItemKind, MessageKind } from './message-kind.js';
import { OUTPUT } from './output.js';
import { QUESTION } from './question.js';
import { REQUEST_REVIEW } from './request-review.js';
import { STATUS_UPDATE } from './status-update.js';
import { TASK_COMPLETE } from './task-complete.js';

export { type Field, type MessageKind, type MessageLine, markdown, type WordsKind } from './message-kind.js';

export const MESSAGES = {
  TASK_COMPLETE,
  QUESTION,
  BLOCKED,
  STATUS_UPDATE,
  ERROR,
  REQUEST_REVIEW,
  OUTPUT,
} as const satisfies Record<string, MessageKind>;
export type MessageType = keyof typeof MESSAGES;

export const MESSAGE_KINDS = Object.entries(MESSAGES) as readonly (readonly [MessageType, MessageKind])[];

/** True for the name of a known message type. */
export function isMessageType(type: unknown): type is MessageType {
  return typeof type === 'string' && Object.hasOwn(MESSAGES, type);
}

/** The types of messages that open an item. */
export const OPENS_ITEM: ReadonlySet<string> = new Set(
  MESSAGE_KINDS.filter(([, { item }]) => item).map(([type]) => type),
);

/** Every item type: those of messages, and the dialogs of programs. */
export const ITEM_BADGES = {
  ...Object.fromEntries(MESSAGE_KINDS.flatMap(([type, { item }]) => (item ? [[type, item]] : []))),
  attention: { mark: '•', style: 'magenta', word: 'attention', title: 'wants you' },
} as Readonly<Record<ItemType, Badge & Pick<ItemKind, 'word' | 'title'>>>; // the schema's ItemType is generated from it

/** Returns the state of a session after this message; null if the message does not change it. */
export const stateOfMessage = ({ type, data }: Message): State | null => MESSAGES[type].state(data);

/**
 * Returns the fields of a session that a message changes, besides its state. The daemon and the TUI both apply them.
 * An OUTPUT envelope changes only `progress`.
 */
export const saidOfSession = (session: Session, { type, data }: Pick<Message, 'type' | 'data'>): Partial<Session> =>
  (MESSAGES[type] as MessageKind).said?.(session, data) ?? {};

/** The types of the items that the agent that started a session may answer. */
export const PARENT_ANSWERS: readonly ItemType[] = MESSAGE_KINDS.flatMap(([type, { item }]) =>
  item?.parentMayAnswer ? [type as ItemType] : [],
);
