/** The faults of a hub. Each is done and undone; what it did is told in a few words. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { NatsServer } from '../../../harness/nats-server.js';
import type { Random } from '../../../harness/random.js';
import { kill, type Machine, start, type TestedHub } from './tested-hub.js';

interface Fault {
  readonly summary: string;
  /** About how long it takes, in seconds. */
  readonly seconds: number;
  /** True if it needs a hub of one server, because the others would have a copy. */
  readonly needsOneServer?: true;
  /** True if it needs clocks that can be set. */
  readonly needsClocks?: true;
  run(hub: TestedHub, random: Random): Promise<string>;
}

/** Longer than the time after which a connection without replies ends (10 s), at times. */
const MAX_HOLD_MS = 15_000;
const PARTITION_MS = 60_000;
/** How long the hub goes on after its backup was made, before it is restored. */
const BACKUP_AGE_MS = 15_000;
const HOUR = 3_600;

export const FAULTS = {
  server: {
    summary: 'kill a server',
    seconds: 4,
    async run({ servers }, random) {
      const index = random.below(servers.length);
      const server = servers[index] as NatsServer;
      await server.kill();
      await setTimeout(random.below(servers.length > 1 ? 8_000 : 1_000)); // the others elect a leader meanwhile
      await server.start();
      return servers.length > 1 ? `server ${index} of ${servers.length} was killed` : 'the server was killed';
    },
  },
  daemon: {
    summary: 'kill a daemon',
    seconds: 5,
    async run(hub, random) {
      const machine = anyOf(hub, random);
      await kill(machine);
      await setTimeout(random.below(2_000));
      await start(machine);
      return `the daemon of ${machine.name} was killed`;
    },
  },
  drop: {
    summary: 'close a connection',
    seconds: 1,
    async run(hub, random) {
      const { name, proxies } = anyOf(hub, random);
      for (const proxy of proxies) proxy.cut();
      return `${name} was disconnected`;
    },
  },
  hold: {
    summary: 'hold back what a machine gets, for 0 to 15 s',
    seconds: 8,
    async run(hub, random) {
      const { name, proxies } = anyOf(hub, random);
      const ms = random.below(MAX_HOLD_MS);
      for (const proxy of proxies) proxy.hold();
      await setTimeout(ms);
      for (const proxy of proxies) proxy.cut();
      return `${name} heard nothing for ${(ms / 1_000).toFixed(1)} s`;
    },
  },
  partition: {
    summary: 'cut machines off for 60 s',
    seconds: 61,
    async run(hub, random) {
      const some = hub.machines.filter(() => random.below(2) === 0);
      const cut = some.length > 0 ? some : [anyOf(hub, random)];
      for (const { proxies } of cut) for (const proxy of proxies) proxy.refuse();
      await setTimeout(PARTITION_MS);
      for (const { proxies } of cut) for (const proxy of proxies) proxy.release();
      return `${cut.map(({ name }) => name).join(', ')}: cut off for 60 s`;
    },
  },
  clock: {
    summary: 'set the clock of a machine an hour forward or back, or right',
    seconds: 1,
    needsClocks: true,
    async run(hub, random) {
      const { name, clock } = anyOf(hub, random);
      const hours = random.below(3) - 1;
      clock?.set(hours * HOUR);
      return `the clock of ${name} is ${hours === 0 ? 'right' : `an hour ${hours > 0 ? 'fast' : 'slow'}`}`;
    },
  },
  restore: {
    summary: 'restore the server from a backup of 15 s ago',
    seconds: 18,
    needsOneServer: true,
    async run({ servers, folder }) {
      const server = servers[0] as NatsServer;
      const [store, backup] = [join(server.folder, 'store'), join(folder, 'backup')];
      await server.kill();
      cpSync(store, backup, { recursive: true });
      await server.start();
      await setTimeout(BACKUP_AGE_MS);
      await server.kill();
      rmSync(store, { recursive: true });
      cpSync(backup, store, { recursive: true });
      rmSync(backup, { recursive: true });
      await server.start();
      return 'the server was restored from a backup';
    },
  },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];
export const faultOf = (kind: FaultKind): Fault => FAULTS[kind];

const anyOf = ({ machines }: TestedHub, random: Random): Machine => machines[random.below(machines.length)] as Machine;
