/**
 * The type of a message type's descriptor: everything that orchd does with a message of this type. A message type is
 * one file with its descriptor, one line in index.ts, and its schema in protocol/messages.
 */
import type { State } from '../generated/types.js';
import type { Look, Style } from '../looks.js';

export type MessageData = Readonly<Record<string, unknown>>;

export interface MessageKind {
  /** The name of its shape: the title of its schema, and `Message`. */
  readonly shape: `${string}Message`;
  /** Returns the state of a session that says this; null if it changes none. */
  readonly state: (data: MessageData) => State | null;
  /** Set if the message opens an inbox item: the agent waits for a person. */
  readonly item?: ItemKind;
  readonly words: WordsKind;
  /** What the protocol's instructions tell an agent of it: when to send it, and its data. */
  readonly prompt?: string;
  /** The tool that sends it. */
  readonly tool?: ToolKind;
}

export interface ItemKind extends Look {
  /** The type in one word. */
  readonly word: string;
  /** What the session does, in a notification: `auth asks`. */
  readonly title: string;
  /** The options of every such item; the text of an option that ends in a blank is continued. */
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
  /** Formats the message on one line. Default: the word of the item and the subject. */
  readonly line?: (data: MessageData, subject: string) => MessageLine;
}

export interface Field {
  readonly name: string;
  readonly title: string | null;
  readonly isMarkdown?: true;
}

export const markdown = (name: string, title: string | null = null): Field => ({ name, title, isMarkdown: true });

export interface MessageLine {
  /** The label before the text: `complete`, the severity of an error, the status of an envelope. May be empty. */
  readonly label: string;
  readonly text: string;
  readonly style?: Style;
}

export interface ToolKind {
  readonly name: string;
  /** Its place in lists of tools. */
  readonly place: number;
  /** The description for the agent: when to call it, and what it returns. */
  readonly summary: string;
  /** True if a call waits for the answer by default; null if it never gets one. */
  readonly waits: boolean | null;
}
