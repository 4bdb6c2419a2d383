/**
 * `npm run test:agents [-- OPTIONS]`: the real agents, in their own terminals, through question, answer and report; without any account.
 *
 *     --only claude,codex    these agents                       --size 80x24,200x50   these sizes
 *     --questions 20         how many each is asked             --crash               kill -9 of the daemon at random moments
 *     --cache DIR            where they are installed           --keep                leave homes, journals and events where they are
 *     --json                 results as JSON, nothing else      --seed N              of the moments
 *     --screen               heard by the screen alone, as any other program
 *     --permission           instead: the agent asks whether it may; the person chooses in the inbox, in the terminal, by a hook with a reason
 *     --batch                instead: without a terminal; prompt and text, the conversation again, prompts that are hard to pass on
 *     --tools                instead: the agent is offered orchd's tools, and asks by one; with --batch: in a run
 *     --tasks                instead: through a task that it plans and does; each time it forgets the call that it owes, and is reminded
 *     --workflows            instead: through a workflow of agents side by side, a synthesis and a pipeline; --mixed: all agents in one
 *     --runs                 instead: through runs with an output schema; every second first reply does not fit; --times 20 runs each,
 *                            --parallel 2 of them at a time; --interactive: in terminals
 *     --forged               instead: what is shown and quoted, but not said, must not be heard; with a --key, or one that is --teach-ed
 *
 * Installs what is missing, prints a table; exit code 1 if anything was not as it must be. An agent that cannot be installed is left out,
 * with the reason. ^C ends and removes everything.
 */
import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { createRandom } from '../harness/random.js';
import { AGENTS } from './agents.js';
import { driveBatch } from './batch.js';
import { drive } from './drive.js';
import { type EventLog, followEvents } from './event-log.js';
import { driveForged } from './forged.js';
import type { Trial } from './host-agent.js';
import { defaultCache, install } from './install.js';
import { rounds } from './interview.js';
import { drivePermission } from './permission.js';
import { driveRunTools } from './run-tools.js';
import { driveRuns } from './runs.js';
import { type Row, toRunsTable, toTable } from './table.js';
import { driveTask } from './task.js';
import { driveToolCall } from './tool-call.js';
import { driveWorkflow } from './workflow.js';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    size: { type: 'string', default: '80x24,200x50' },
    questions: { type: 'string', default: '20' },
    crash: { type: 'boolean', default: false },
    cache: { type: 'string', default: defaultCache() },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    screen: { type: 'boolean', default: false },
    permission: { type: 'boolean', default: false },
    batch: { type: 'boolean', default: false },
    tools: { type: 'boolean', default: false },
    runs: { type: 'boolean', default: false },
    tasks: { type: 'boolean', default: false },
    workflows: { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
    times: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '2' },
    interactive: { type: 'boolean', default: false },
    forged: { type: 'boolean', default: false },
    key: { type: 'boolean', default: false },
    teach: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
/** How long a daemon lives at most, with --crash. */
const LIFE_MS = 4_000;

const only = options.only?.split(',');
const unknown = only?.find((name) => !AGENTS.some((agent) => agent.name === name));
if (unknown !== undefined) {
  console.error(`no agent '${unknown}'; there are: ${AGENTS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
// Without a terminal there is no size.
const sizes = (options.batch || options.runs || options.tasks || options.workflows ? '80x24' : options.size)
  .split(',')
  .map((size) => {
    const [cols = 80, rows = 24] = size.split('x').map(Number);
    return { cols, rows };
  });

const end = new AbortController();
setMaxListeners(0, end.signal); // every wait follows it
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort(new Error(name)));
const say = (text: string): void => {
  if (!options.json) console.log(text);
};

/** Kills the daemon and starts it again, from the first question until `signal`; gives how often. A prompt that was cut off would be sent twice. */
async function crash(daemon: TestDaemon, log: EventLog, signal: AbortSignal): Promise<number> {
  const random = createRandom(Number(options.seed));
  await log.next(({ event_type }) => event_type === 'item_opened', log.told.length, signal);
  for (let times = 0; ; times++) {
    await pause(random.below(LIFE_MS) + 200, undefined, { signal }).catch(() => null);
    if (signal.aborted) return times;
    await daemon.crash();
    const { code, stderr } = await daemon.orchd('start', '--detach', '--no-tcp');
    if (code !== 0) throw new Error(`the daemon did not start again: ${stderr}`);
  }
}

function tryOut({ client, paths }: TestDaemon, log: EventLog, trial: Omit<Trial, 'script'>): Promise<Partial<Row>> {
  if (options.workflows) return driveWorkflow(client, { agents: [trial], home: trial.home }, end.signal);
  if (options.tasks) return driveTask(client, trial, end.signal);
  if (options.runs)
    return driveRuns(client, trial, { times: Number(options.times), isInteractive: options.interactive }, end.signal);
  if (options.batch && options.tools) return driveRunTools(client, log, trial, end.signal);
  if (options.batch) return driveBatch(trial, end.signal);
  if (options.forged)
    return driveForged(client, log, trial, { hasKey: options.key, isTaught: options.teach }, end.signal);
  if (options.tools) return driveToolCall(client, log, trial, end.signal);
  if (options.permission) return drivePermission(client, log, trial, end.signal);
  const where = { agentsDir: paths.agentsDir, isScreened: options.screen };
  return drive(client, log, trial, rounds(Number(options.questions)), where, end.signal);
}

async function main(): Promise<Row[]> {
  mkdirSync(options.cache, { recursive: true });
  // Not in the temp folder: some agents refuse to work in one.
  const runs = mkdtempSync(join(options.cache, 'run-'));
  const orchdHome = mkdtempSync(join(tmpdir(), 'orchd-agents-'));
  const rows: Row[] = [];
  const installed: Pick<Trial, 'agent' | 'modules'>[] = [];
  const daemon = await startDaemon({ env: { ORCHD_HOME: orchdHome, ORCHD_RUNS_PARALLEL: options.parallel } });
  const log = followEvents(daemon.client);
  try {
    for (const agent of AGENTS.filter(({ name }) => only?.includes(name) ?? true)) {
      const about = { agent: agent.name, version: agent.version };
      let modules: string;
      try {
        modules = await install(agent, options.cache, end.signal);
      } catch (error) {
        end.signal.throwIfAborted();
        rows.push({ ...about, skipped: error instanceof Error ? error.message : String(error) });
        say(`${agent.name} ${agent.version}: skipped`);
        continue;
      }
      installed.push({ agent, modules });
      for (const size of options.mixed ? [] : sizes) {
        const name = `${agent.name}-${size.cols}x${size.rows}`;
        say(`${name} …`);
        const home = join(runs, name);
        const calm = new AbortController();
        const crashing = options.crash ? crash(daemon, log, calm.signal) : Promise.resolve(0);
        const trial = { agent, modules, size, home };
        try {
          const result = await tryOut(daemon, log, trial);
          calm.abort();
          const [load = 0] = loadavg();
          rows.push({ ...about, size: `${size.cols}x${size.rows}`, ...result, load, crashes: await crashing });
        } finally {
          calm.abort();
          await crashing;
        }
        for (const { what, screen } of rows.at(-1)?.problems ?? [])
          say(`  ${what}${screen && `\n${screen.replace(/^/gm, '  | ')}`}`);
      }
    }
    if (options.mixed && installed.length > 0) {
      const names = installed.map(({ agent }) => agent.name).join(' ');
      say(`${names} …`);
      const result = await driveWorkflow(daemon.client, { agents: installed, home: join(runs, 'mixed') }, end.signal);
      rows.push({ agent: 'mixed', version: `${installed.length} agents`, ...result, load: loadavg()[0] ?? 0 });
      for (const { what } of result.problems) say(`  ${what}`);
    }
  } finally {
    if (options.keep) {
      writeFileSync(join(runs, 'events.ndjson'), log.told.map(({ event }) => `${JSON.stringify(event)}\n`).join(''));
      say(`kept: ${runs}, ${orchdHome}`);
    }
    await log.close();
    await daemon.close();
    if (!options.keep)
      for (const folder of [runs, orchdHome]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return rows;
}

try {
  const rows = await main();
  console.log(options.json ? JSON.stringify(rows, null, 2) : (options.runs ? toRunsTable : toTable)(rows));
  process.exitCode = rows.some(({ problems = [] }) => problems.length > 0) ? 1 : 0;
} catch (error) {
  if (!end.signal.aborted) throw error;
  console.error('ended');
  process.exitCode = 130;
}
