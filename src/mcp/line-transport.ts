/**
 * MCP's stdio transport: JSON messages, one per line. The daemon also uses it for a batch of messages over HTTP.
 *
 * In:   the lines of the client, already parsed (`take`); the reason why a line could not be parsed (`refuse`).
 * Out:  an object for each line: a reply, a notification, or the replies to a batch. A line that is not JSON or not a
 *       message gets an error without an id. So does a request with the id of another one that has no reply yet: the
 *       client could not tell the two replies apart.
 *
 * The SDK's own transport drops invalid lines, and batches, which MCP supported until its version of 2025-03-26. This
 * one answers a batch with one line that contains all replies.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../protocol/index.js';

/** A batch of requests whose replies are not complete. */
interface Batch {
  /** The replies in the order of the messages. Null for a message without a reply. */
  readonly replies: (object | null)[];
  missing: number;
}

interface Open {
  readonly batch: Batch;
  /** The place of the reply in the batch. */
  readonly at: number;
}

/** Carries the messages between one MCP client and the SDK's server. */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #write: (line: object) => void;
  /** Requests without a reply, and the batch of each. */
  readonly #open = new Map<RequestId, Open | null>();
  #onIdle = (): void => {};

  constructor(write: (line: object) => void) {
    this.#write = write;
  }

  async start(): Promise<void> {}

  take(value: unknown): void {
    if (!Array.isArray(value)) this.#take(value, null);
    else if (value.length === 0) this.#write(errorLine(ErrorCode.InvalidRequest, 'an empty batch'));
    else {
      const batch: Batch = { replies: [], missing: 1 }; // one more, so that the first reply does not end the batch
      for (const one of value) this.#take(one, { batch, at: batch.replies.push(null) - 1 });
      this.#count(batch);
    }
  }

  #take(value: unknown, place: Open | null): void {
    const parsed = JSONRPCMessageSchema.safeParse(withDefaults(value));
    if (!parsed.success) {
      this.#refuseIn(place, 'no JSON-RPC 2.0 message');
      return;
    }
    const message = parsed.data;
    if (isJSONRPCRequest(message)) {
      if (this.#open.has(message.id)) {
        this.#refuseIn(place, 'another request with this id has no reply yet');
        return;
      }
      this.#open.set(message.id, place);
      if (place) place.batch.missing++;
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#settle(message.params?.['requestId'] as RequestId, null); // a cancelled request gets no reply
    }
    this.onmessage?.(message);
  }

  #refuseIn(place: Open | null, problem: string): void {
    const error = errorLine(ErrorCode.InvalidRequest, problem);
    if (place) place.batch.replies[place.at] = error;
    else this.#write(error);
  }

  /** Replies to a line that is not JSON. */
  refuse(problem: string): void {
    this.#write(errorLine(ErrorCode.ParseError, problem));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) this.#write(message);
    else this.#settle(message.id, message);
  }

  #settle(id: RequestId, reply: object | null): void {
    const place = this.#open.get(id);
    if (place === undefined) return;
    this.#open.delete(id);
    if (place) {
      place.batch.replies[place.at] = reply;
      this.#count(place.batch);
    } else if (reply) this.#write(reply);
    if (this.#open.size === 0) this.#onIdle();
  }

  #count(batch: Batch): void {
    if (--batch.missing > 0) return;
    const replies = batch.replies.filter((reply) => reply !== null);
    if (replies.length > 0) this.#write(replies);
  }

  /** Resolves when every request has its reply or is cancelled. */
  idle(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

const errorLine = (code: ErrorCode, message: string): object => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});

/**
 * Adds fields that `initialize` requires and some clients omit. orchd does not use them, but the SDK rejects a message
 * without them.
 */
export function withDefaults(message: unknown): unknown {
  if (!isRecord(message) || message['method'] !== 'initialize') return message;
  const params = isRecord(message['params']) ? message['params'] : {};
  const missing = { protocolVersion: '', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  return { ...message, params: { ...missing, ...params } };
}
