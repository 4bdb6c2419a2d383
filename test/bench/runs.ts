/**
 * Starts RUNS runs at once. The program of each answers wrongly at first, so each has two attempts, which are checked
 * against a schema. Measures how long a request waits meanwhile, compared with a request to a server that does nothing.
 * Then measures `POST /agents`, each with its own schema, over connections that stay open.
 *
 * The programs are shell scripts that do nothing, so that only orchd is measured. The same programs without orchd are
 * measured for comparison.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, percentile, tail } from './bench.js';
import { PROGRAMS } from './busy.js';
import { createFolder } from './inputs/files.js';
import { cpuSeconds, pidsOf } from './processes.js';

const RUNS = 50;
const ROUNDS = 4;
const LOOK_MS = 10;
const LAG_GOAL_MS = 50;
const BLUEPRINTS = 3_000;
const LINES = 8;
const RATE_GOAL = 1_000;
const SCHEMA = {
  type: 'object',
  required: ['files', 'kind'],
  properties: { files: { type: 'array', items: { type: 'string' } }, kind: { enum: ['a', 'b'] } },
};
const PROGRAM = `#!/bin/sh
if grep -q 'does not match'; then echo '{"files": ["a.ts"], "kind": "a"}'; else echo '{"files": "a.ts"}'; fi
`;

export const runs: Bench = {
  name: 'runs',
  summary: `${RUNS} runs at once with a retry each; POST /agents`,
  async run() {
    const folder = createFolder();
    const program = join(folder.path, 'agent.sh');
    writeFileSync(program, PROGRAM);
    chmodSync(program, 0o755);
    const daemon = await startDaemon({ env: { ORCHD_RUNS_PARALLEL: String(RUNS) } });
    try {
      return [...(await inParallel(daemon, program, folder.path)), await blueprintsPerSecond(daemon.paths.socket)];
    } finally {
      await daemon.close();
      folder.remove();
    }
  },
};

async function inParallel(daemon: TestDaemon, program: string, cwd: string): Promise<Figure[]> {
  const { client } = daemon;
  const run = async (): Promise<void> => {
    const body = { adapter: 'shell', args: [program], prompt: 'Which?', cwd, output_schema: SCHEMA };
    const { id } = await client.call('run.start', { ...body, env: { PATH: process.env['PATH'] ?? '' } });
    const { state, attempts } = await client.call('run.wait', { run: id });
    if (state !== 'completed' || attempts.length !== 2) throw new Error(`run ${id} ${state}`);
  };
  await run(); // Loads everything that the first run needs.
  const socket = join(cwd, 'bare.sock');
  const server = spawn(process.execPath, [join(PROGRAMS, 'bare-server.mjs'), socket]);
  await once(server.stdout, 'data');
  const calm = new AbortController();
  const looking = Promise.all([daemon.paths.socket, socket].map((path) => lookAtIt(path, calm.signal)));
  const pids = await pidsOf(daemon);
  const [cpu, begun] = [cpuSeconds(pids), performance.now()];
  for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: RUNS }, run));
  const seconds = (performance.now() - begun) / 1000;
  const spent = cpuSeconds(pids) - cpu;
  calm.abort();
  const [times = [], beside = []] = await looking;
  server.kill();
  const attempts = RUNS * ROUNDS * 2;
  return [
    ...tail('GET /api/status meanwhile', times, LAG_GOAL_MS),
    { what: 'the same of a server that does nothing, p99', value: percentile(beside, 0.99), unit: 'ms' },
    {
      what: 'attempts a second',
      value: attempts / seconds,
      unit: '/s',
      note: `${await bare(program, attempts)}/s bare`,
    },
    { what: 'CPU of daemon and host, an attempt', value: (spent * 1000) / attempts, unit: 'ms' },
  ];
}

/**
 * Starts the same programs from this process, as many at a time.
 * @returns Programs per second.
 */
async function bare(program: string, count: number): Promise<number> {
  const begun = performance.now();
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const child = spawn(program, { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end('Which?');
      await new Promise((resolve) => child.once('close', resolve));
    }
  };
  await Promise.all(Array.from({ length: RUNS }, one));
  return Math.round((count * 1000) / (performance.now() - begun));
}

/**
 * Makes one request after the other, LOOK_MS apart, over one connection.
 * @returns The duration of each.
 */
async function lookAtIt(socketPath: string, signal: AbortSignal): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (!signal.aborted) {
    const begun = performance.now();
    await ask(socketPath, agent, 'GET', '/api/status');
    times.push(performance.now() - begun);
    await pause(LOOK_MS);
  }
  agent.destroy();
  return times;
}

async function blueprintsPerSecond(socketPath: string): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: LINES });
  let next = 0;
  const times: number[] = [];
  const post = async (): Promise<void> => {
    for (let n = next++; n < BLUEPRINTS; n = next++) {
      const begun = performance.now();
      const body = {
        name: `agent-${n}`,
        description: 'Reviews',
        type: 'autonomous',
        output_schema: { ...SCHEMA, title: `Result ${n}` },
      };
      const status = await ask(socketPath, agent, 'POST', '/agents', body);
      if (status !== 201) throw new Error(`POST /agents: ${status}`);
      times.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: LINES }, post));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  const note = `over ${LINES} connections; p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  return { what: 'POST /agents a second', value: BLUEPRINTS / seconds, unit: '/s', least: RATE_GOAL, note };
}

function ask(socketPath: string, agent: Agent, method: string, path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json' } : {};
    const asked = request({ socketPath, agent, method, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}
