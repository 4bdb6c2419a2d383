/**
 * A hostile machine of a hub floods it: with commands to another machine, signed by an enrolled key or by a strange
 * one, with goals for a label, with events and with open items of its own.
 *
 * Needs nats-server. Meanwhile a program of `build` asks, and `laptop` answers. Holds if each question is in the inbox
 * of `laptop`, and each answer is delivered, within a second (p99); if the two daemons need little more memory; and if
 * they name the machine that floods.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';
import { check, until } from './parts/home.js';
import { FLOODS, type FloodKind, type FloodOrder } from './parts/hub/flooding-machine.js';
import type { HardTest } from './run.js';

const FILE = join(import.meta.dirname, 'parts/hub/flooding-machine.ts');
const MALLORY = 'mallory';
const LABEL = 'any';
const P99_MS = 1_000;
/** How much memory a daemon may need above what it had before. */
const MORE_MB = 150;
const LOOK_MS = 5;
const PAUSE_MS = 200;
const ASK = 'while :; do echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer || exit; done';
const KINDS = Object.keys(FLOODS) as FloodKind[];

export const hard: HardTest = {
  summary: 'flood a hub from one of its machines, and watch what the others notice',
  options: [
    '--per-second N  messages (5000)',
    '--seconds N     of each flood (20)',
    `--kind LIST     only these, with commas: ${KINDS.join(', ')} (all)`,
  ],
  async run(args) {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { 'per-second': text, seconds: text, kind: text } });
    const [perSecond, seconds] = [Number(values['per-second'] ?? 5_000), Number(values.seconds ?? 20)];
    if (![perSecond, seconds].every(Number.isInteger)) throw new Error('the options take whole numbers');
    if (!hasNats) throw new Error('it needs nats-server: apt-get install nats-server');
    const kinds = KINDS.filter((kind) => values.kind === undefined || values.kind.split(',').includes(kind));
    const env = { ORCHD_HUB_ACCEPT: 'read, answer, type, start', ORCHD_HUB_LABELS: LABEL };
    const [server, build, laptop, mallory] = await Promise.all([
      startNats(),
      startDaemon({ env }),
      startDaemon(),
      startDaemon(),
    ]);
    try {
      await join3(server, build, laptop, mallory);
      const tried = new Tried({ server, build, laptop, mallory, perSecond, seconds });
      await tried.watch('nothing else', null, seconds);
      for (const kind of kinds) {
        const seeds = kind === 'commands' ? [undefined, seedOf(mallory)] : [undefined];
        for (const seed of seeds) await tried.flood(kind, seed);
      }
    } finally {
      for (const daemon of [build, laptop, mallory]) await daemon.close();
      await server.close();
    }
  },
};

const seedOf = ({ paths }: TestDaemon): string =>
  /SU[A-Z2-7]{56}/.exec(readFileSync(paths.hubKeyFile, 'utf8'))?.[0] ?? '';

async function join3(server: NatsServer, build: TestDaemon, laptop: TestDaemon, mallory: TestDaemon): Promise<void> {
  await build.orchd('hub', 'init', server.url);
  for (const [name, daemon] of Object.entries({ build, laptop })) {
    await daemon.json('hub', 'join', server.url, '--name', name);
  }
  for (const [name, daemon] of Object.entries({ laptop, [MALLORY]: mallory })) {
    const { key } = await daemon.json<{ key: string }>('hub', 'key');
    await build.json('hub', 'enroll', name, key);
  }
  await build.sh(ASK, '--name', 'ask');
}

interface Setup {
  readonly server: NatsServer;
  readonly build: TestDaemon;
  readonly laptop: TestDaemon;
  readonly mallory: TestDaemon;
  readonly perSecond: number;
  readonly seconds: number;
}

class Tried {
  readonly #setup: Setup;

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  async flood(kind: FloodKind, seed: string | undefined): Promise<void> {
    const { server, build, laptop, perSecond, seconds } = this.#setup;
    const by = kind !== 'commands' ? '' : seed === undefined ? ' with a strange key' : ' with an enrolled key';
    const place = { from: MALLORY, to: 'build', label: LABEL, port: server.port };
    const order: FloodOrder = { kind, ...place, ...(seed !== undefined && { seed }), perSecond, seconds };
    const child = fork(FILE, [JSON.stringify(order)], { execArgv: ['--import', 'tsx'] });
    const published = once(child, 'message');
    await this.watch(`${FLOODS[kind]}${by}`, published, seconds);
    const daemons = kind === 'commands' || kind === 'goals' ? [build] : kind === 'items' ? [laptop] : [];
    for (const daemon of daemons) {
      const { warnings = [] } = await daemon.client.call('hub.status', {});
      console.log(`hub-flood: it says: ${warnings.join('; ')}`);
      check(
        'the machine that floods is named',
        warnings.some((words) => words.includes(MALLORY)),
      );
    }
  }

  /** Has questions asked and answered while the flood lasts, and checks what that took. */
  async watch(what: string, published: Promise<unknown[]> | null, seconds: number): Promise<void> {
    const { build, laptop } = this.#setup;
    const before = [build, laptop].map(memoryMb);
    const questions: number[] = [];
    const answers: number[] = [];
    let isOver = false;
    const over = published ?? setTimeout(seconds * 1_000, [0]);
    void over.then(() => {
      isOver = true;
    });
    const peaks = [...before];
    let known = '';
    for (let asked = performance.now(); !isOver; asked = performance.now()) {
      const fresh = async (): Promise<string | undefined> => {
        const items = await laptop.client.call('hub.items', { machine: 'build' });
        return items.find(({ item }) => item.id !== known)?.item.id;
      };
      const item = await until('a question', fresh, 60_000);
      if (known !== '') questions.push(performance.now() - asked);
      known = item;
      await setTimeout(PAUSE_MS);
      const begun = performance.now();
      const input = { item, text: 'blue' };
      const sent = await laptop.client.call('hub.call', { machine: 'build', operation: 'inbox.answer', input });
      const isSettled = async (): Promise<boolean> => {
        const all = await laptop.client.call('hub.commands', {});
        return all.find(({ id }) => id === sent.command_id)?.state === 'delivered';
      };
      if (sent.state !== 'done') await until('the outcome of an answer', isSettled, 120_000);
      answers.push(performance.now() - begun);
      for (const [at, daemon] of [build, laptop].entries()) peaks[at] = Math.max(peaks[at] ?? 0, memoryMb(daemon));
      await setTimeout(LOOK_MS);
    }
    const [count] = await over;
    const [question, answer] = [p99(questions), p99(answers)];
    const more = peaks.map((peak, at) => peak - (before[at] ?? 0));
    console.log(
      `hub-flood: ${what}: ${count} messages in ${seconds} s; ${answers.length} questions, inbox p99 ${question} ms, ` +
        `answer p99 ${answer} ms; build ${peaks[0]} MB (+${more[0]}), laptop ${peaks[1]} MB (+${more[1]})`,
    );
    check(`questions and answers within ${P99_MS} ms`, question < P99_MS && answer < P99_MS);
    check(
      `no daemon needs ${MORE_MB} MB more`,
      more.every((mb) => mb < MORE_MB),
    );
  }
}

const p99 = (times: readonly number[]): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN);

function memoryMb({ paths }: TestDaemon): number {
  const pid = Number(readFileSync(paths.pidFile, 'utf8'));
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
