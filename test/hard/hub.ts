/**
 * Kills daemons and the server of a hub with SIGKILL, and cuts connections, while programs print, ask and are answered
 * from another machine, and while a workflow places goals.
 *
 * Needs nats-server. Each daemon reaches it through a proxy of its own. Holds if, at the end:
 *   - the hub has every event of every machine once, in order;
 *   - every answer that was delivered was read once, and every refused one never;
 *   - every placed goal has one result, and was started once, or once more for each machine that was away too long.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { readJournal } from '../../src/host/index.js';
import { OrchdError, type OutputOf, type WorkflowRun } from '../../src/protocol/index.js';
import { type HoldingProxy, holdingProxy } from '../harness/holding-proxy.js';
import { publishedEvents } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';
import { createRandom, type Random } from '../harness/random.js';
import { check, createHome, type Home, until } from './parts/home.js';
import type { HardTest } from './run.js';

const MACHINES = 5;
const EVENTS = 100_000;
const FAULTS = 30;
/** Longer than the time after which a connection without replies ends (10 s), at times. */
const MAX_CUT_MS = 15_000;
const SETTLE_MS = 300_000;
/** Messages that a program prints at once, before a short pause. */
const BURST = 100;

export const hard: HardTest = {
  summary: 'kill the daemons and the server of a hub, and cut its connections, under load',
  options: [
    '--events N   messages of all machines together (100000)',
    '--faults N   kills and cuts (30)',
    '--seed N     repeats a run',
  ],
  async run(args) {
    const number = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { events: number, faults: number, seed: number } });
    const [events, faults] = [Number(values.events ?? EVENTS), Number(values.faults ?? FAULTS)];
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    if (![events, faults, seed].every(Number.isInteger)) throw new Error('the options take whole numbers');
    if (!hasNats) throw new Error('it needs nats-server: apt-get install nats-server');
    console.log(`hub: ${MACHINES} machines, ${events} messages, ${faults} faults, seed ${seed}`);
    const folder = mkdtempSync(join(tmpdir(), 'orchd-hub-'));
    const hub = await Hub.open(folder);
    try {
      await underFaults(hub, { events, faults, random: createRandom(seed) });
    } finally {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Machine {
  readonly name: string;
  readonly home: Home;
  readonly proxy: HoldingProxy;
}

/** The server and the machines. The first machine answers, and runs the workflow. */
class Hub {
  readonly server: NatsServer;
  readonly machines: readonly Machine[];
  readonly folder: string;

  private constructor(server: NatsServer, machines: readonly Machine[], folder: string) {
    [this.server, this.machines, this.folder] = [server, machines, folder];
  }

  static async open(folder: string): Promise<Hub> {
    const server = await startNats();
    const machines: Machine[] = [];
    const hub = new Hub(server, machines, folder);
    for (let at = 0; at < MACHINES; at++) {
      const env = { ORCHD_HUB_ACCEPT: 'read, answer, start', ORCHD_HUB_LABELS: at === 0 ? '' : 'any' };
      const machine = { name: `m${at}`, home: createHome(env), proxy: await holdingProxy(server.port) };
      machines.push(machine);
      await start(machine);
      if (at === 0) await machine.home.must(['hub', 'init', server.url]);
      await machine.home.must(['hub', 'join', machine.proxy.url, '--name', machine.name, '--since', '0']);
      const first = machines[0] as Machine;
      const { key } = JSON.parse(await first.home.must(['hub', 'key', '--json'])) as { key: string };
      if (at > 0) await machine.home.must(['hub', 'enroll', 'm0', key]);
    }
    return hub;
  }

  get first(): Machine {
    return this.machines[0] as Machine;
  }

  async close(): Promise<void> {
    for (const { home, proxy } of this.machines) {
      await home.close();
      proxy.close();
    }
    await this.server.close();
  }
}

const start = async ({ home }: Machine): Promise<void> => void (await home.must(['start', '--detach', '--no-tcp']));

async function kill({ home }: Machine): Promise<void> {
  const pid = Number(readFileSync(home.paths.pidFile, 'utf8'));
  process.kill(pid, 'SIGKILL');
  await until(`daemon ${pid} ends`, async () => !isAlive(pid));
}

/** A program that asks, prints the line that it reads, and asks again, without end. */
const ASKER =
  'i=0; while :; do i=$((i+1)); echo ":ORCHESTRATOR: QUESTION - number $i?"; read -r a || exit; echo "read $a"; done';
const FENCE = '```';

/** Returns a shell script that prints messages in bursts. */
function printer(count: number): string {
  const message = `${FENCE}orchestrator-message\\n{\\"type\\":\\"STATUS_UPDATE\\",\\"data\\":{\\"currentStep\\":\\"step %d\\"}}\\n${FENCE}\\n`;
  const awk = `awk -v f=$from 'BEGIN { for (i = f; i < f + ${BURST}; i++) printf "${message}", i }'`;
  return `from=0; while [ $from -lt ${count} ]; do ${awk}; from=$((from+${BURST})); sleep 0.05; done; sleep 100000`;
}

interface Load {
  readonly events: number;
  readonly faults: number;
  readonly random: Random;
}

async function underFaults(hub: Hub, { events, faults, random }: Load): Promise<void> {
  const each = Math.ceil(events / MACHINES);
  for (const { home } of hub.machines) {
    await home.must(['run', '-d', '--name', 'printer', '-C', hub.folder, '--', 'sh', '-c', printer(each)]);
    await home.must(['run', '-d', '--name', 'asker', '--', 'sh', '-c', ASKER]);
  }
  const starts = join(hub.folder, 'starts');
  const workflow = await placeGoals(hub, starts);
  const answers = new Answers(hub.first);
  const ended = new AbortController();
  const answering = answers.giveUntil(ended.signal);
  for (let at = 1; at <= faults; at++) {
    const words = await fault(hub, random);
    console.log(`hub: ${at} of ${faults}: ${words}`);
  }
  ended.abort();
  await answering;
  await checkEvents(hub, each);
  await answers.check(hub);
  await checkGoals(hub, workflow, starts);
}

/** Does one fault, and undoes it. @returns What it did. */
async function fault(hub: Hub, random: Random): Promise<string> {
  await setTimeout(random.below(1_500));
  const machine = hub.machines[random.below(MACHINES)] as Machine;
  const kind = random.below(4);
  if (kind === 0) {
    await hub.server.kill();
    await setTimeout(random.below(1_000));
    await hub.server.start();
    return 'the server was killed';
  }
  if (kind === 1) {
    machine.proxy.cut();
    return `${machine.name} was disconnected`;
  }
  if (kind === 2) {
    const ms = random.below(MAX_CUT_MS);
    machine.proxy.hold();
    await setTimeout(ms);
    machine.proxy.cut();
    return `${machine.name} heard nothing for ${(ms / 1_000).toFixed(1)} s`;
  }
  await kill(machine);
  await setTimeout(random.below(2_000));
  await start(machine);
  return `the daemon of ${machine.name} was killed`;
}

async function checkEvents(hub: Hub, each: number): Promise<void> {
  for (const { name, home } of hub.machines) {
    const isPrinted = async (): Promise<boolean> => {
      const { state, lag } = await home.client.call('hub.status', {});
      const { last_seq: last } = await home.client.call('daemon.status', {});
      return last >= each && state === 'connected' && lag === 0;
    };
    await until(`${name} has printed and published everything`, isPrinted, SETTLE_MS);
  }
  let count = 0;
  for (const { name, home } of hub.machines) {
    const published = await publishedEvents(hub.server.url, name);
    count += published.length;
    const wrong = published.findIndex(({ seq }, at) => seq !== at + 1);
    const { last_seq: last } = await home.client.call('daemon.status', {});
    check(`${name}: ${published.length} events once and in order`, wrong === -1 && published.length >= last - BURST);
    check(`${name}: its ${each} messages are among them`, published.length >= each);
  }
  console.log(`hub: ${count} events on the hub`);
}

/** Answers of the first machine to questions of all others. */
class Answers {
  readonly #machine: Machine;
  #given = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async giveUntil(signal: AbortSignal): Promise<void> {
    const { client } = this.#machine.home;
    while (!signal.aborted) {
      const items = await client.call('hub.items', {}).catch(() => []);
      const open = items.filter(({ machine, on_its_way }) => machine !== this.#machine.name && !on_its_way);
      for (const { machine, item } of open) {
        const input = { item: item.id, text: `a${this.#given++}` };
        // A refusal, and a daemon that was killed meanwhile, are seen among the commands.
        const call = client.call('hub.call', { machine, operation: 'inbox.answer', input });
        await call.catch((error: unknown) => {
          if (!(error instanceof OrchdError)) throw error;
        });
      }
      await setTimeout(100);
    }
  }

  async check(hub: Hub): Promise<void> {
    const { client } = this.#machine.home;
    const list = (): Promise<OutputOf<'hub.commands'>> => client.call('hub.commands', {});
    const isSettled = async () => {
      const ofAnswers = (await list()).filter(({ operation }) => operation === 'inbox.answer');
      return ofAnswers.every(({ state }) => state !== 'on_its_way') && ofAnswers;
    };
    const commands = await until('every answer has an outcome', isSettled, SETTLE_MS);
    const read = new Map<string, number>();
    const look = async (): Promise<boolean> => {
      read.clear();
      for (const { home } of hub.machines) await countRead(home, read);
      const delivered = commands.filter(({ state }) => state === 'delivered');
      return delivered.every(({ input }) => read.has(String(input['text'])));
    };
    await until('every delivered answer is read', look);
    const wrong = commands.filter(({ state, input }) => {
      return (read.get(String(input['text'])) ?? 0) !== (state === 'delivered' ? 1 : 0);
    });
    const delivered = commands.filter(({ state }) => state === 'delivered').length;
    check(`${commands.length} answers, ${delivered} delivered and read once, the others never`, wrong.length === 0);
    check('some answers were delivered', delivered > 0);
  }
}

async function countRead({ client, paths }: Home, read: Map<string, number>): Promise<void> {
  for (const { id } of await client.call('session.list', {})) {
    let text = '';
    for (const record of readJournal(paths.journalsDir, id)) {
      if (record.kind === 'out') text += Buffer.from(record.bytes).toString();
    }
    for (const [, word = ''] of text.matchAll(/^read (a\d+)\r?$/gm)) read.set(word, (read.get(word) ?? 0) + 1);
  }
}

const ENTRIES = 12;

/** Starts a workflow that places goals on machines and for a label. Each run notes its entry. */
async function placeGoals({ first, machines, folder }: Hub, starts: string): Promise<string> {
  const script = `echo "$ORCHD_RUN_ID" >> ${starts}; sleep 3; echo done`;
  for (const { home } of machines) {
    await home.client.call('blueprint.create', { name: 'note', adapter: 'shell', args: ['sh', '-c', script] });
  }
  const flow = join(folder, 'flow');
  mkdirSync(flow);
  const file = join(flow, 'Agentfile');
  const lines = [
    'NAME placed',
    'INPUT list',
    ...machines.slice(1).map(({ name }) => `GOAL on-${name} "Do it" ON ${name} WITH note`),
    'GOAL each "Do $entry" FOREACH $entry IN $list ON label:any WITH note',
  ];
  writeFileSync(file, lines.join('\n'));
  const list = JSON.stringify(Array.from({ length: ENTRIES }, (_, at) => `e${at}`));
  const args = ['workflow', 'run', '-d', '-C', folder, '--jobs', '8', '--input', `list=${list}`, file];
  return (await first.home.must(args)).trim();
}

async function checkGoals({ first }: Hub, workflow: string, starts: string): Promise<void> {
  const { client } = first.home;
  const isOver = async (): Promise<WorkflowRun | null> => {
    const run = await client.call('workflow.show', { workflow });
    return run.ended_at === null ? null : run;
  };
  const { state, steps, error } = await until('the workflow is over', isOver, SETTLE_MS);
  check(`the workflow with placed goals is completed${error ? `: ${error.message}` : ''}`, state === 'completed');
  const runs = steps.flatMap((step) => step.runs);
  const expected = MACHINES - 1 + ENTRIES;
  check(`${expected} goals have one result each`, runs.length === expected);
  const started = readFileSync(starts, 'utf8').trim().split('\n').length;
  console.log(`hub: ${expected} goals, started ${started} times`);
  check('no goal was lost, and few were started again', started >= expected && started < 2 * expected);
}
