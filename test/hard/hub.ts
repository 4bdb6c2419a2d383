/**
 * Faults of a hub with five machines, while programs print, ask and are answered from another machine, and while
 * workflows place goals: daemons and servers are killed, connections are cut, clocks are set wrong, and the server is
 * restored from a backup.
 *
 * Needs nats-server. Each daemon reaches each server through a proxy of its own. Holds if, at the end:
 *   - the hub has every event of every machine once, in order, and every printed message among them once, in order;
 *   - every answer that was delivered was read once, and every refused one never;
 *   - every placed goal has one result. It was started once, or once more for each machine that was away too long.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hasNats } from '../harness/nats-server.js';
import { createRandom, type Random } from '../harness/random.js';
import { check, until } from './parts/home.js';
import { FAULT_KINDS, type FaultKind, faultOf } from './parts/hub/faults.js';
import { ASKER, GivenAnswers } from './parts/hub/given-answers.js';
import { PlacedGoals } from './parts/hub/placed-goals.js';
import { MACHINES, TestedHub } from './parts/hub/tested-hub.js';
import { buildShim } from './parts/shim.js';
import type { HardTest } from './run.js';

const EVENTS = 100_000;
const COUNT = 30;
const SETTLE_MS = 300_000;
/** Messages that a program prints at once, before a pause. */
const BURST = 100;
/** Pause before each fault, at most. */
const PAUSE_MS = 1_500;
/** About how long a fault takes beside its own time: the pause, and starting a workflow. */
const FAULT_SECONDS = 2;

export const hard: HardTest = {
  summary: 'kill the daemons and servers of a hub, cut its connections, restore it, set clocks wrong, under load',
  options: [
    '--events N   messages of all machines together (100000)',
    '--faults N   number of faults (30)',
    `--kind LIST  only these, with commas: ${FAULT_KINDS.join(', ')} (all)`,
    '--servers N  1, or 3 with three copies of each stream (1)',
    '--seed N     repeats a run',
  ],
  async run(args) {
    const text = { type: 'string' } as const;
    const options = { events: text, faults: text, kind: text, servers: text, seed: text };
    const { values } = parseArgs({ args, options });
    const [events, count] = [Number(values.events ?? EVENTS), Number(values.faults ?? COUNT)];
    const [serverCount, seed] = [Number(values.servers ?? 1), Number(values.seed ?? Date.now() % 1_000_000)];
    if (![events, count, seed].every(Number.isInteger)) throw new Error('the options take whole numbers');
    if (serverCount !== 1 && serverCount !== 3) throw new Error('a hub has 1 server or 3');
    if (!hasNats) throw new Error('it needs nats-server: apt-get install nats-server');
    const wanted = kindsOf(values.kind, serverCount);
    const shim = wanted.some((kind) => faultOf(kind).needsClocks) ? buildShim('clock-shim') : null;
    const kinds = wanted.filter((kind) => shim !== null || !faultOf(kind).needsClocks);
    if (kinds.length === 0) throw new Error('none of these faults can be made here');
    const load = `${MACHINES} machines, ${events} messages, ${count} faults of ${kinds.join(', ')}`;
    console.log(`hub: ${serverCount === 1 ? '1 server' : '3 servers'}, ${load}, seed ${seed}`);
    const folder = mkdtempSync(join(tmpdir(), 'orchd-hub-'));
    const hub = await TestedHub.open({ folder, serverCount, clockLibrary: shim?.library ?? null });
    try {
      await underFaults(hub, { events, count, kinds, random: createRandom(seed) });
    } finally {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
      if (shim) rmSync(shim.dir, { recursive: true, force: true });
    }
  },
};

function kindsOf(list: string | undefined, serverCount: number): FaultKind[] {
  const names = list?.split(',').map((name) => name.trim()) ?? FAULT_KINDS;
  const unknown = names.find((name) => !FAULT_KINDS.includes(name as FaultKind));
  if (unknown !== undefined) throw new Error(`there is no fault '${unknown}': ${FAULT_KINDS.join(', ')}`);
  return FAULT_KINDS.filter((kind) => names.includes(kind) && (serverCount === 1 || !faultOf(kind).needsOneServer));
}

const FENCE = '```';

/**
 * Returns a shell script that prints messages in bursts.
 *
 * @param seconds  About how long it takes.
 */
function printer(count: number, seconds: number): string {
  const message = `${FENCE}orchestrator-message\\n{\\"type\\":\\"STATUS_UPDATE\\",\\"data\\":{\\"currentStep\\":\\"step %d\\"}}\\n${FENCE}\\n`;
  const awk = `awk -v f=$from 'BEGIN { for (i = f; i < f + ${BURST}; i++) printf "${message}", i }'`;
  const pause = (seconds / (count / BURST)).toFixed(3);
  return `from=0; while [ $from -lt ${count} ]; do ${awk}; from=$((from+${BURST})); sleep ${pause}; done`;
}

interface Load {
  readonly events: number;
  readonly count: number;
  readonly kinds: readonly FaultKind[];
  readonly random: Random;
}

async function underFaults(hub: TestedHub, { events, count, kinds, random }: Load): Promise<void> {
  const each = Math.ceil(events / MACHINES / BURST) * BURST;
  // In turn, so that each kind is among them.
  const faults = Array.from({ length: count }, (_, at) => kinds[at % kinds.length] as FaultKind);
  const seconds = faults.reduce((sum, kind) => sum + faultOf(kind).seconds + FAULT_SECONDS, 0);
  for (const { home } of hub.machines) {
    await home.must(['run', '-d', '--name', 'printer', '-C', hub.folder, '--', 'sh', '-c', printer(each, seconds)]);
    await home.must(['run', '-d', '--name', 'asker', '--', 'sh', '-c', ASKER]);
  }
  const goals = await PlacedGoals.create(hub);
  const answers = new GivenAnswers(hub);
  const ended = new AbortController();
  const answering = answers.giveUntil(ended.signal);
  for (const [at, kind] of faults.entries()) {
    await goals.place();
    await setTimeout(random.below(PAUSE_MS));
    console.log(`hub: ${at + 1} of ${count}: ${await faultOf(kind).run(hub, random)}`);
  }
  ended.abort();
  await answering;
  await checkEvents(hub, each);
  await answers.check(SETTLE_MS);
  await goals.check(SETTLE_MS);
}

async function checkEvents(hub: TestedHub, each: number): Promise<void> {
  for (const { name, home } of hub.machines) {
    const isPrinted = async (): Promise<boolean> => {
      const { state, lag } = await home.client.call('hub.status', {});
      const printers = (await home.client.call('session.list', {})).filter((session) => session.name === 'printer');
      const hasEnded = printers.length === 1 && printers.every(({ ended_at }) => ended_at !== null);
      return hasEnded && state === 'connected' && lag === 0;
    };
    await until(`${name} has printed and published everything`, isPrinted, SETTLE_MS);
  }
  let count = 0;
  for (const { name, home } of hub.machines) {
    const published = await hub.published(name);
    count += published.length;
    const wrong = published.findIndex(({ seq }, at) => seq !== at + 1);
    const { last_seq: last } = await home.client.call('daemon.status', {});
    check(`${name}: ${published.length} events once and in order`, wrong === -1 && published.length >= last - BURST);
    const steps = published.flatMap((event) => /"currentStep":"step (\d+)"/.exec(JSON.stringify(event))?.[1] ?? []);
    const isWhole = steps.length === each && steps.every((step, at) => Number(step) === at);
    check(`${name}: its ${each} messages are among them once and in order`, isWhole);
  }
  console.log(`hub: ${count} events on the hub`);
}
