/**
 * The type of a tool: a function that an agent calls instead of printing a message, over MCP, HTTP or `orchd tool`.
 *
 * To add one, write a descriptor (messages.ts) and add a line in index.ts. Lists, help and checks are derived from it.
 */
import type { MessageType, OwnTool as OwnToolName } from '../protocol/index.js';

/** A JSON Schema of an object, as in protocol/messages. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface PropertySchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  /** The allowed values, if they are listed. */
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

export type Tool = MessageTool | OwnTool;

interface Descriptor {
  /** The description for the agent: when to call it, and what it returns. */
  readonly summary: string;
  readonly input: InputSchema;
  /** True if a call waits for the answer by default; null if it never gets one. */
  readonly waits: boolean | null;
}

/** A tool whose call becomes a message with the input as its data. */
export interface MessageTool extends Descriptor {
  readonly name: string;
  readonly message: MessageType;
}

/** A tool with its own function in the daemon. */
export interface OwnTool extends Descriptor {
  readonly name: OwnToolName;
  readonly message: null;
}
