/** A TCP proxy before a server. On demand it holds back the server's replies, closes connections or accepts none. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface HoldingProxy {
  readonly url: string;
  /** From now on, nothing that the server sends reaches a client. */
  hold(): void;
  /** Accepts new connections. Replies that were held back are lost with their connection. */
  release(): void;
  /** Closes every connection, and new ones at once, until `cut` or `release`. */
  refuse(): void;
  /** Closes every connection and accepts new ones. */
  cut(): void;
  close(): void;
}

export async function holdingProxy(port: number): Promise<HoldingProxy> {
  let isHolding = false;
  let isRefusing = false;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      if (!isHolding) client.write(bytes);
    });
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    url: `nats://127.0.0.1:${(server.address() as { port: number }).port}`,
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      isRefusing = false;
    },
    refuse() {
      isRefusing = true;
      cutAll();
    },
    cut() {
      isHolding = false;
      isRefusing = false;
      cutAll();
    },
    close() {
      cutAll();
      server.close();
    },
  };
}
