/**
 * A real nats-server for tests, on a free port of loopback, with its streams in a folder of its own.
 *
 * Without the program the tests that need it are skipped, and say so: `describe.skipIf(!hasNats)`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = 'nats-server';
/** True if the program is installed. */
export const hasNats = spawnSync(PROGRAM, ['--version']).status === 0;
if (!hasNats) process.stderr.write('skipped: nats-server is not installed (apt-get install nats-server)\n');

export interface NatsServer {
  readonly port: number;
  readonly url: string;
  /** The folder of the server; its streams are in `store`. */
  readonly folder: string;
  /** The id of its process. */
  readonly pid: number;
  /** kill -9; resolves when the server is gone. */
  kill(): Promise<void>;
  /** Starts it again, on the same port with the same streams. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface NatsPlace {
  readonly port: number;
  readonly store: string;
  readonly folder: string;
}

/** @param configOf  Returns the configuration for a port and a folder. Default: no accounts. */
export async function startNats(
  configOf: (at: NatsPlace) => string | Promise<string> = openConfig,
): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-nats-'));
  const port = await freePort();
  const file = join(folder, 'server.conf');
  writeFileSync(file, await configOf({ port, store: join(folder, 'store'), folder }));
  let child: ChildProcess | undefined;
  const server: NatsServer = {
    port,
    url: `nats://127.0.0.1:${port}`,
    folder,
    get pid() {
      return child?.pid ?? 0;
    },
    async kill() {
      if (!child) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      child = undefined;
    },
    async start() {
      child = spawn(PROGRAM, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      const started = child;
      let output = '';
      await new Promise<void>((resolve, reject) => {
        createInterface({ input: started.stderr as NonNullable<typeof started.stderr> }).on('line', (line) => {
          output += `${line}\n`;
          if (line.includes('Server is ready')) resolve();
        });
        started.once('exit', () => reject(new Error(`nats-server ended: ${output}\n${readFileSync(file, 'utf8')}`)));
      });
    },
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

const openConfig = ({ port, store }: NatsPlace): string =>
  `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(store)} }\n`;

/** Starts the servers of a cluster. They elect leaders when all are up. */
export async function startCluster(count: number): Promise<NatsServer[]> {
  const routes = await Promise.all(Array.from({ length: count }, freePort));
  const urls = routes.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  const configOf = (index: number) => (at: NatsPlace) =>
    [
      `server_name: "s${index}"`,
      openConfig(at),
      `cluster { name: "hub", listen: "127.0.0.1:${routes[index]}", routes: [${urls}] }`,
    ].join('\n');
  return Promise.all(routes.map((_, index) => startNats(configOf(index))));
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
