/**
 * A model server that follows a script, in place of a model for the seven agents.
 *
 * In:   requests on loopback: OpenAI chat completions and responses, Anthropic messages, Gemini; streaming or not.
 * Out:  the script's reply to the conversation, in small pieces; and a record of the requests, with the time at which
 *       the last character of a reply's block was sent.
 * A script gets the whole conversation each time, so a repeated request gets the same reply.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropic } from './model/anthropic.js';
import { chat } from './model/chat.js';
import type { Ask, Pace, Reply, Stream, Turn, Wire } from './model/conversation.js';
import { gemini } from './model/gemini.js';
import { responses } from './model/responses.js';

export type Script = (ask: Ask) => Reply;

/**
 * One request of the conversation, with the progress of its reply. The program's own requests, for example for titles,
 * are not exchanges. Times are in milliseconds since the epoch.
 */
export interface Exchange {
  readonly at: number;
  readonly turns: readonly Turn[];
  readonly reply: Reply;
  /** When the last character of its last block was passed to the socket; null before. */
  blockSentAt: number | null;
  endedAt: number | null;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** The replies to the program's own requests, for example for titles. */
  readonly sideReplies: readonly Reply[];
  /** Requests without a known reply: `GET /path`. */
  readonly unknown: readonly string[];
  /** Resolves with the first exchange that fits, as soon as it has begun; rejects when `signal` aborts. */
  exchange(fits: (exchange: Exchange) => boolean, signal: AbortSignal): Promise<Exchange>;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly script: Script;
  readonly pace?: Pace;
  /** Called with every request's body, to find out what a new version sends. */
  readonly onRequest?: (path: string, body: unknown) => void;
}

const PACE: Pace = { chars: 6, pauseMs: 10 };
const WIRES: readonly (readonly [RegExp, Wire])[] = [
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/\/messages$/, anthropic],
  [/\/models\/[^/:]+:(?:generateContent|streamGenerateContent)$/, gemini],
];
const BLOCK_END = /\n```(?=\n|$)/g;

export async function startModelServer({ script, pace = PACE, onRequest }: ModelServerOptions): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const sideReplies: Reply[] = [];
  const unknown: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy()); // the program has closed the connection
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const body = parse(await readText(request));
    const wire = request.method === 'POST' ? WIRES.find(([pattern]) => pattern.test(path))?.[1] : undefined;
    if (!wire) return giveSmall(request.method ?? '', path, response);
    onRequest?.(path, body);
    const ask = wire.read(body, path);
    const isSide = ask.tools.length === 0;
    const reply = isSide ? { text: ask.wantsJson ? '{"title":"A title","isNewTopic":false}' : 'A title' } : script(ask);
    const exchange: Exchange = { at: Date.now(), turns: ask.turns, reply, blockSentAt: null, endedAt: null };
    if (isSide) sideReplies.push(reply);
    else exchanges.push(exchange);
    for (const wake of waiting) wake();
    const stream: Stream = {
      id: randomUUID().replaceAll('-', ''),
      model: ask.model,
      text: reply.text,
      call: reply.call ?? null,
      pieces: pieces(exchange, reply.pace ?? pace),
    };
    const { refusal } = reply;
    if (refusal) giveJson(response, refusal.body, refusal.status, refusal.headers);
    else if (ask.isStreamed) await giveStream(wire, stream, response);
    else giveJson(response, wire.whole(stream));
    exchange.endedAt = Date.now();
  }

  function giveSmall(method: string, path: string, response: ServerResponse): void {
    const model = { id: 'mock-model', object: 'model', created: 1_700_000_000, owned_by: 'mock' };
    if (path.endsWith('/count_tokens')) giveJson(response, { input_tokens: 100 });
    else if (path.endsWith(':countTokens')) giveJson(response, { totalTokens: 100 });
    else if (method === 'GET' && path.endsWith('/models'))
      giveJson(response, { object: 'list', data: [model], models: [] });
    else {
      unknown.push(`${method} ${path}`);
      giveJson(response, { error: { message: 'no such endpoint', type: 'not_found_error' } }, 404);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    sideReplies,
    unknown,
    exchange: (fits, signal) => {
      const exchange = new Promise<Exchange>((resolve, reject) => {
        const look = (): void => {
          const found = exchanges.find(fits);
          if (!found && !signal.aborted) return;
          waiting.delete(look);
          signal.removeEventListener('abort', look);
          if (found) resolve(found);
          else reject(signal.reason);
        };
        waiting.add(look);
        signal.addEventListener('abort', look);
        look();
      });
      exchange.catch(() => {}); // a trial may be over before it awaits this
      return exchange;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Yields small pieces of whole characters. A run of backquotes stays together, as in real tokens. */
async function* pieces(exchange: Exchange, { chars, pauseMs }: Pace): AsyncGenerator<string, void> {
  const { text } = exchange.reply;
  const blockEnd = [...text.matchAll(BLOCK_END)].at(-1);
  const end = blockEnd ? blockEnd.index + blockEnd[0].length : Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length; ) {
    let to = Math.min(text.length, at + chars);
    while (to < text.length && (/[\uDC00-\uDFFF]/.test(text[to] ?? '') || text.slice(to - 1, to + 1) === '``')) to++;
    yield text.slice(at, to);
    if (to >= end) exchange.blockSentAt ??= Date.now();
    at = to;
    if (pauseMs > 0) await pause(pauseMs);
  }
}

async function giveStream(wire: Wire, stream: Stream, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await wire.stream(stream, (name, data) => {
    if (response.destroyed) throw new Error('hung up');
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  });
  response.end();
}

function giveJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}
