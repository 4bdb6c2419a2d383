/**
 * A batch of MCP messages in one HTTP request. MCP had batches until its version of 2025-03-26.
 *
 * In:   the messages, which begin one by one (`answer`); the ids of calls that their client cancels (`cancel`).
 * Out:  an SSE stream with each reply and the progress, or one JSON array with the replies; 202 if there are none.
 */
import type { FastifyReply } from 'fastify';
import type { createMcpServer, LineTransport } from '../../mcp/index.js';

export class BatchReply {
  readonly #reply: FastifyReply;
  readonly #transport: LineTransport;
  readonly #isStream: boolean;
  readonly #replies: object[];

  private constructor(reply: FastifyReply, transport: LineTransport, isStream: boolean, replies: object[]) {
    this.#reply = reply;
    this.#transport = transport;
    this.#isStream = isStream;
    this.#replies = replies;
  }

  static async open(
    server: ReturnType<typeof createMcpServer>,
    reply: FastifyReply,
    isStream: boolean,
  ): Promise<BatchReply> {
    const { LineTransport } = await import('../../mcp/index.js');
    const replies: object[] = [];
    const transport = new LineTransport((message) => {
      if (isStream) reply.raw.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      else if (!('method' in message)) replies.push(message);
    });
    await server.connect(transport);
    return new BatchReply(reply, transport, isStream, replies);
  }

  /** Cancels a call, which then gets no reply. */
  cancel(id: unknown): void {
    this.#transport.take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }

  /** @param turn  Resolves when the next message may begin. */
  async answer(messages: readonly unknown[], turn: () => Promise<void>) {
    const { raw } = this.#reply;
    if (this.#isStream) {
      this.#reply.hijack();
      for (const [name, value] of Object.entries(this.#reply.getHeaders())) raw.setHeader(name, value ?? '');
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders();
    }
    for (const message of messages) {
      await turn();
      if (raw.destroyed) break;
      this.#transport.take(message);
    }
    await this.#transport.idle();
    if (this.#isStream) raw.end();
    else if (this.#replies.length > 0) return this.#reply.send(this.#replies);
    else return this.#reply.code(202).send();
    return undefined;
  }
}
