/**
 * What a tool is: something that an agent calls instead of printing it, the same over MCP, HTTP and `orchd tool`.
 *
 * A new one is a descriptor (messages.ts) and one line in index.ts; lists, help and checks follow from the table.
 */
import type { MessageType, OwnTool as OwnToolName } from '../protocol/index.js';

/** A JSON Schema of an object, as those in protocol/messages have it. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface PropertySchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  /** The values that it may have, where they are counted. */
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

export type Tool = MessageTool | OwnTool;

interface Descriptor {
  /** To the agent: when to call it, and what comes back. */
  readonly summary: string;
  readonly input: InputSchema;
  /** Whether a call returns when it is answered, unless it says otherwise; null: nothing ever answers it. */
  readonly waits: boolean | null;
}

/** A call becomes a message; its data is the input. */
export interface MessageTool extends Descriptor {
  readonly name: string;
  readonly message: Exclude<MessageType, 'OUTPUT'>;
}

/** It does something of its own. */
export interface OwnTool extends Descriptor {
  readonly name: OwnToolName;
  readonly message: null;
}
