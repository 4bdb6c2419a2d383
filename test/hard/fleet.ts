/**
 * Simulates a hub of 1,000 machines with 50 sessions each, and 500 questions a minute.
 *
 * Needs nats-server. The machines are scripted, but speak the real protocol (parts/scripted-machines.ts), in processes
 * of their own. A real daemon reads them. Holds if each question is in its inbox within a second (p99), and if it has
 * less than 300 MB in the end. Prints the time, the memory and the CPU of the server, too.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';
import { check, until } from './parts/home.js';
import type { Assignment, FromFleet, ToFleet } from './parts/scripted-machines.js';
import type { HardTest } from './run.js';

const PROCESSES = 4;
const INBOX_P99_MS = 1_000;
const CLIENT_MB = 300;
const JOIN_MS = 600_000;
/** Pause between two looks at the inbox. */
const LOOK_MS = 50;
const FILE = join(import.meta.dirname, 'parts/scripted-machines.ts');

export const hard: HardTest = {
  summary: 'simulate a hub of 1,000 machines with 50,000 sessions',
  options: [
    '--machines N   (1000)',
    '--sessions N   of each machine (50)',
    '--per-minute N questions of all machines together (500)',
    '--seconds N    how long they ask (120)',
    '--seed N       repeats a run',
  ],
  async run(args) {
    const number = { type: 'string' } as const;
    const options = { machines: number, sessions: number, 'per-minute': number, seconds: number, seed: number };
    const { values } = parseArgs({ args, options });
    const wanted = {
      machines: Number(values.machines ?? 1_000),
      sessions: Number(values.sessions ?? 50),
      perMinute: Number(values['per-minute'] ?? 500),
      seconds: Number(values.seconds ?? 120),
      seed: Number(values.seed ?? Date.now() % 1_000_000),
    };
    if (!Object.values(wanted).every(Number.isInteger)) throw new Error('the options take whole numbers');
    if (!hasNats) throw new Error('it needs nats-server: apt-get install nats-server');
    console.log(
      `fleet: ${Object.entries(wanted)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    );
    const [server, reader] = await Promise.all([startNats(), startDaemon()]);
    const fleet: ChildProcess[] = [];
    try {
      await simulate(server, reader, fleet, wanted);
    } finally {
      for (const child of fleet) child.kill('SIGKILL');
      await reader.close();
      await server.close();
    }
  },
};

interface Wanted {
  readonly machines: number;
  readonly sessions: number;
  readonly perMinute: number;
  readonly seconds: number;
  readonly seed: number;
}

async function simulate(server: NatsServer, reader: TestDaemon, fleet: ChildProcess[], wanted: Wanted): Promise<void> {
  await reader.orchd('hub', 'init', server.url);
  const asking = await reader.sh(
    'echo ":ORCHESTRATOR: QUESTION - Which colour shall it be?"; read -r x',
    '--name',
    'a',
  );
  const item = await reader.openItem(asking);
  const session = await reader.client.call('session.show', { session: asking.id });
  const begun = performance.now();
  const each = Math.ceil(wanted.machines / PROCESSES);
  const asked = new Map<string, number>();
  const ready = Array.from({ length: PROCESSES }, (_, at) => {
    const count = Math.min(each, wanted.machines - at * each);
    const { seed, sessions: sessionsEach } = wanted;
    const assignment: Assignment = {
      url: server.url,
      from: at * each,
      count,
      sessionsEach,
      session,
      item,
      seed: seed + at,
    };
    const child = fork(FILE, [JSON.stringify(assignment)], { execArgv: ['--import', 'tsx'] });
    fleet.push(child);
    return new Promise<void>((resolve, reject) => {
      child.on('message', (message: FromFleet) => {
        if (message.kind === 'ready') resolve();
        else asked.set(message.id, message.at);
      });
      child.once('exit', (code) => reject(new Error(`the scripted machines ended with ${code}`)));
    });
  });
  await Promise.all(ready);
  console.log(`fleet: ${wanted.machines} machines joined in ${seconds(begun)} s`);
  const joined = performance.now();
  await reader.json('hub', 'join', server.url, '--name', 'reader');
  const isConnected = async () => (await reader.client.call('hub.status', {})).state === 'connected';
  await until('the reader is connected', isConnected, JOIN_MS);
  const expected = wanted.machines * wanted.sessions;
  const knows = async (): Promise<boolean> => {
    const known = await reader.client.call('hub.sessions', {}).catch(() => []); // the connection may be lost meanwhile
    return known.filter(({ machine }) => machine !== 'reader').length === expected;
  };
  await until('the reader knows every session', knows, JOIN_MS);
  console.log(`fleet: a fresh reader knew ${expected} sessions after ${seconds(joined)} s`);
  const list = performance.now();
  await reader.client.call('hub.items', {});
  console.log(`fleet: its first inbox took ${seconds(list)} s`);

  const cpuBefore = cpuSeconds(server.pid);
  const tell = (message: ToFleet): void => {
    for (const child of fleet) child.send(message);
  };
  tell({ kind: 'ask', perMinute: wanted.perMinute / PROCESSES });
  const { latencies, lost } = await measure(reader, asked, wanted.seconds);
  const cpu = (cpuSeconds(server.pid) - cpuBefore) / wanted.seconds;
  const away = (await reader.client.call('hub.status', {})).machines.filter((machine) => machine.away).length;
  tell({ kind: 'stop' });

  latencies.sort((one, other) => one - other);
  const at = (share: number): number => Math.round(latencies[Math.floor(latencies.length * share)] ?? Number.NaN);
  const readerMb = memoryMb(Number(readFileSync(reader.paths.pidFile, 'utf8')));
  console.log(
    `fleet: ${latencies.length} questions, inbox p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${latencies.at(-1)} ms`,
  );
  console.log(
    `fleet: the reader has ${readerMb} MB; the server ${memoryMb(server.pid)} MB and ${(100 * cpu).toFixed(0)} % of a CPU`,
  );
  check(`all questions came; missing: ${lost}`, lost === 0 && latencies.length > 0);
  check('no machine seemed to be away', away === 0);
  check(`inbox p99 below ${INBOX_P99_MS} ms`, at(0.99) < INBOX_P99_MS);
  check(`the reader has less than ${CLIENT_MB} MB`, readerMb < CLIENT_MB);
}

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);

interface Seen {
  /** Milliseconds from each question until it was seen. */
  readonly latencies: number[];
  /** Number of questions that did not come. */
  readonly lost: number;
}

/** Looks at the inbox again and again. Questions that are asked after that time do not count. */
async function measure(reader: TestDaemon, asked: ReadonlyMap<string, number>, forSeconds: number): Promise<Seen> {
  const seen = new Map<string, number>();
  const latencies: number[] = [];
  /** The last questions are waited for, too, but no new ones. */
  const end = performance.now() + forSeconds * 1_000;
  while (performance.now() < end) {
    for (const { item } of await reader.client.call('hub.items', {}))
      if (!seen.has(item.id)) seen.set(item.id, Date.now());
    await setTimeout(LOOK_MS);
  }
  const all = [...asked];
  for (const [id, at] of all) {
    const found = seen.get(id) ?? (await seenLate(reader, id));
    if (found !== null) latencies.push(found - at);
  }
  return { latencies, lost: all.length - latencies.length };
}

/** A question that was asked at the end of the measurement comes soon after it. */
async function seenLate(reader: TestDaemon, id: string): Promise<number | null> {
  const isThere = async (): Promise<boolean> =>
    (await reader.client.call('hub.items', {})).some(({ item }) => item.id === id);
  return until('a late question', isThere, INBOX_P99_MS).then(
    () => Date.now(),
    () => null,
  );
}

const memoryMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

const TICKS_PER_SECOND = 100;

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
