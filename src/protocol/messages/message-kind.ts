/**
 * The type of a message type's descriptor: everything that orchd does with a message of this type. A message type is
 * one file with its descriptor, one line in index.ts, and its schema in protocol/messages.
 */

import type { Session, State } from '../generated/types.js';
import type { Badge, Style } from '../states/index.js';

export type MessageData = Readonly<Record<string, unknown>>;

export interface MessageKind {
  /** The name of its shape: the title of its schema, and `Message`. */
  readonly shape: `${string}Message`;
  /** Returns the state of a session after this message; null if the message does not change it. */
  readonly state: (data: MessageData) => State | null;
  /** Returns the other fields of a session that the message changes. Default: none. */
  readonly said?: (session: Session, data: MessageData) => Partial<Session>;
  /** Set if the message opens an inbox item: the agent waits for a person. */
  readonly item?: ItemKind;
  readonly words: WordsKind;
  /** The line about it in an agent's instructions: when to send it, and with which data. */
  readonly prompt?: string;
  /** The tool that sends it. */
  readonly tool?: ToolKind;
}

export interface ItemKind extends Badge {
  /** The type in one word. */
  readonly word: string;
  /** The words after the name of the session in a notification: `auth asks`. */
  readonly title: string;
  /** The options of every such item. If an option ends in a blank, the person continues its text. */
  readonly options?: readonly string[];
  /** True if the agent that started the session may answer it. Otherwise only a person may. */
  readonly parentMayAnswer: boolean;
}

export interface WordsKind {
  /** The field that contains the subject. */
  readonly subject: string;
  readonly fields: readonly Field[];
  /** Fields that every view shows elsewhere. */
  readonly elsewhere?: readonly string[];
  /** Formats the heading of the message from the label of its line. Default: the label. */
  readonly heading?: (label: string) => string;
  /** Formats the message on one line. Default: the word of the item and the subject. */
  readonly line?: (data: MessageData, subject: string) => MessageLine;
}

export interface Field {
  readonly name: string;
  readonly title: string | null;
  readonly isMarkdown?: true;
}

/** Returns the descriptor of a field that contains markdown. */
export const markdown = (name: string, title: string | null = null): Field => ({ name, title, isMarkdown: true });

export interface MessageLine {
  /** The label before the text: `complete`, the severity of an error, the status of an envelope. May be empty. */
  readonly label: string;
  readonly text: string;
  readonly style?: Style;
}

interface ToolKind {
  readonly name: string;
  /** Its place in lists of tools. */
  readonly place: number;
  /** The description for the agent: when to call it, and what it returns. */
  readonly summary: string;
  /** True if a call waits for the answer by default; null if it never gets one. */
  readonly waits: boolean | null;
}
