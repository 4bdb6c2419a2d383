/**
 * A hub for the hard test: one server or three, and machines that reach each server through a proxy of their own.
 *
 * The first machine answers the questions of all others, and runs the workflows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../../src/cli/daemon/is-alive.js';
import { type HoldingProxy, holdingProxy } from '../../../harness/holding-proxy.js';
import { publishedEvents } from '../../../harness/hub.js';
import { type NatsServer, startCluster, startNats } from '../../../harness/nats-server.js';
import { createHome, type Home, until } from '../home.js';
import { MachineClock } from '../machine-clock.js';

export const MACHINES = 5;
const ELECTION_MS = 60_000;

export interface Machine {
  readonly name: string;
  readonly home: Home;
  /** One for each server. */
  readonly proxies: readonly HoldingProxy[];
  /** Null if its clock cannot be set. */
  readonly clock: MachineClock | null;
}

export interface HubOptions {
  /** A folder for files of the test. */
  readonly folder: string;
  readonly serverCount: number;
  /** The library that sets clocks (clock-shim.c); null if they stay as they are. */
  readonly clockLibrary: string | null;
}

export class TestedHub {
  readonly servers: readonly NatsServer[];
  readonly machines: readonly Machine[];
  readonly folder: string;

  private constructor(servers: readonly NatsServer[], machines: readonly Machine[], folder: string) {
    [this.servers, this.machines, this.folder] = [servers, machines, folder];
  }

  static async open({ folder, serverCount, clockLibrary }: HubOptions): Promise<TestedHub> {
    const servers = serverCount === 1 ? [await startNats()] : await startCluster(serverCount);
    const machines: Machine[] = [];
    const hub = new TestedHub(servers, machines, folder);
    const url = servers.map((server) => server.url).join(',');
    for (let at = 0; at < MACHINES; at++) {
      const name = `m${at}`;
      const clock = clockLibrary === null ? null : new MachineClock(clockLibrary, join(folder, `clock-${name}`));
      const env = { ORCHD_HUB_ACCEPT: 'read, answer, start', ORCHD_HUB_LABELS: at === 0 ? '' : 'any', ...clock?.env };
      const proxies = await Promise.all(servers.map(({ port }) => holdingProxy(port)));
      const machine = { name, home: createHome(env), proxies, clock };
      machines.push(machine);
      const { home } = machine;
      await start(machine);
      if (at === 0) {
        const init = ['hub', 'init', url, '--replicas', String(serverCount)];
        await until('the hub has its streams', async () => (await home.run(init)).code === 0, ELECTION_MS);
      }
      await home.must(['hub', 'join', proxies.map((proxy) => proxy.url).join(','), '--name', name, '--since', '0']);
      const { key } = JSON.parse(await hub.first.home.must(['hub', 'key', '--json'])) as { key: string };
      if (at > 0) await home.must(['hub', 'enroll', 'm0', key]);
    }
    return hub;
  }

  get first(): Machine {
    return this.machines[0] as Machine;
  }

  /** Returns what a machine has published, as a server has it. */
  async published(name: string): ReturnType<typeof publishedEvents> {
    return publishedEvents((this.servers[0] as NatsServer).url, name);
  }

  async close(): Promise<void> {
    for (const { home, proxies } of this.machines) {
      await home.close();
      for (const proxy of proxies) proxy.close();
    }
    for (const server of this.servers) await server.close();
  }
}

export const start = async ({ home }: Machine): Promise<void> =>
  void (await home.must(['start', '--detach', '--no-tcp']));

export async function kill({ home }: Machine): Promise<void> {
  const pid = Number(readFileSync(home.paths.pidFile, 'utf8'));
  process.kill(pid, 'SIGKILL');
  await until(`daemon ${pid} ends`, async () => !isAlive(pid));
}
