/**
 * `npm run test:agents [-- OPTIONS]`: drives the real agents in their own terminals, without any account. options.ts
 * contains the help text.
 *
 * Installs what is missing and prints a table. The exit code is 1 if there was a problem. An agent that cannot be
 * installed, or does not run on this Node, is skipped with the reason. ^C ends and removes everything.
 */
import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GENERIC } from '../../src/session/adapters/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { createRandom } from '../harness/random.js';
import type { Agent } from './agents.js';
import { driveBatch } from './batch.js';
import { drive } from './drive.js';
import { type EventLog, followEvents } from './event-log.js';
import { driveForged } from './forged.js';
import type { Trial } from './host-agent.js';
import { install } from './install.js';
import { rounds } from './interview.js';
import { latestOf, tryVersion } from './latest.js';
import { type Plan, plansOf } from './modes.js';
import { agentsOf, readOptions, sizesOf } from './options.js';
import { drivePermission } from './permission.js';
import { writeReport } from './report.js';
import { driveRunTools } from './run-tools.js';
import { driveRuns } from './runs.js';
import { type Row, toRoundsTable, toRunsTable, toTable } from './table.js';
import { driveTask } from './task.js';
import { driveToolCall } from './tool-call.js';
import { driveWorkflow } from './workflow.js';

const options = readOptions();
/** Maximum lifetime of a daemon with --crash. */
const LIFE_MS = 4_000;

// Modes without a terminal have no size.
const sizes = sizesOf(
  options.batch || options.runs || options.tasks || options.workflows ? '80x24' : (options.size ?? '80x24,200x50'),
);
const plans = plansOf(options);
/** These modes need an adapter. */
const needsAdapter =
  options.permission ||
  options.batch ||
  options.tools ||
  options.runs ||
  options.tasks ||
  options.workflows ||
  options.forged;

const end = new AbortController();
setMaxListeners(0, end.signal); // every wait adds a listener
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort(new Error(name)));
const say = (text: string): void => {
  if (!options.json) console.log(text);
};

/**
 * Kills and restarts the daemon repeatedly, from the first question until `signal` aborts; returns how often. It does
 * not start before the first question, because an interrupted prompt would be sent twice.
 */
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

function tryOut(
  { client, paths }: TestDaemon,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  signal: AbortSignal,
): Promise<Partial<Row>> {
  if (options.workflows) return driveWorkflow(client, { agents: [trial], home: trial.home }, signal);
  if (options.tasks) return driveTask(client, trial, signal);
  if (options.runs)
    return driveRuns(client, trial, { times: Number(options.times ?? 20), isInteractive: options.interactive }, signal);
  if (options.batch && options.tools) return driveRunTools(client, log, trial, signal);
  if (options.batch) return driveBatch(trial, signal);
  if (options.forged) return driveForged(client, log, trial, { hasKey: options.key, isTaught: options.teach }, signal);
  if (options.tools) return driveToolCall(client, log, trial, signal);
  if (options.permission) return drivePermission(client, log, trial, signal);
  const where = { agentsDir: paths.agentsDir, isScreened: options.screen };
  return drive(client, log, trial, rounds(Number(options.questions)), where, signal);
}

/** Runs one program for at most `--limit` minutes. An error or a timeout becomes a problem of this program only. */
async function bounded(play: (signal: AbortSignal) => Promise<Partial<Row>>): Promise<Partial<Row>> {
  const began = Date.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), Number(options.limit) * 60_000);
  const signal = AbortSignal.any([end.signal, limit.signal]);
  setMaxListeners(0, signal);
  try {
    return await play(signal);
  } catch (error) {
    end.signal.throwIfAborted();
    const isOver = limit.signal.aborted;
    const what = isOver
      ? `not over after ${options.limit} minutes`
      : error instanceof Error
        ? error.message
        : String(error);
    return { problems: [{ what, screen: '' }], seconds: (Date.now() - began) / 1000 };
  } finally {
    clearTimeout(timer);
  }
}

/** Writes the finished rows; all other rows of the file are kept. */
function write(rows: readonly Row[]): void {
  if (options.write !== undefined) writeReport(options.write, rows, new Date());
}

type Obtained = { agent: Agent } & ({ modules: string; reason?: never } | { modules: null; reason: string });

/** Installs an agent, or returns why it is skipped. */
async function obtain(pinned: Agent): Promise<Obtained> {
  let agent = pinned;
  try {
    if (needsAdapter && agent.adapter === GENERIC.name)
      return { agent, modules: null, reason: 'orchd has no adapter for it' };
    if (options.latest) agent = await latestOf(pinned, end.signal);
    const modules = await install(agent, options.cache, end.signal);
    await tryVersion(agent, modules, end.signal);
    return { agent, modules };
  } catch (error) {
    end.signal.throwIfAborted();
    return { agent, modules: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function main(): Promise<Row[]> {
  mkdirSync(options.cache, { recursive: true });
  // Not in the temp folder, because some agents refuse to work there.
  const runs = mkdtempSync(join(options.cache, 'run-'));
  const orchdHome = mkdtempSync(join(tmpdir(), 'orchd-agents-'));
  const rows: Row[] = [];
  const work: (Partial<Plan> & Pick<Plan, 'size'>)[] = plans.length > 0 ? plans : sizes.map((size) => ({ size }));
  const installed: Pick<Trial, 'agent' | 'modules'>[] = [];
  const daemon = await startDaemon({ env: { ORCHD_HOME: orchdHome, ORCHD_RUNS_PARALLEL: options.parallel } });
  const log = followEvents(daemon.client);
  try {
    for (const pinned of agentsOf(options)) {
      const found = await obtain(pinned);
      const about = { agent: pinned.name, version: found.agent.version };
      if (found.modules === null) {
        rows.push({ ...about, skipped: found.reason });
        write(rows);
        say(`${about.agent} ${about.version}: left out: ${found.reason}`);
        continue;
      }
      const { agent, modules } = found;
      if (agent.version !== pinned.version) say(`${agent.name}: ${agent.version} instead of ${pinned.version}`);
      installed.push({ agent, modules });
      for (const { size, mode, only = agent.name, run } of options.mixed ? [] : work) {
        if (only !== agent.name) continue;
        const name = `${agent.name}-${size.cols}x${size.rows}`;
        const label = mode === undefined ? name : `${name} ${mode}`;
        say(`${label} …`);
        const home = join(runs, label.replaceAll(' ', '-'));
        const calm = new AbortController();
        const crashing = options.crash ? crash(daemon, log, calm.signal) : Promise.resolve(0);
        const start = {
          ...(options.screen && mode !== undefined && { start: { adapter: GENERIC.name } }),
          ...(options['in-shell'] && { isInShell: true }),
        };
        const trial = { agent, modules, size, home, ...start };
        try {
          const result = await bounded((signal) =>
            run ? run(daemon.client, log, trial, signal) : tryOut(daemon, log, { agent, modules, size, home }, signal),
          );
          calm.abort();
          const [load = 0] = loadavg();
          const how = options['in-shell'] ? ', in a shell' : options.screen ? ', screen alone' : '';
          const kind = mode === undefined ? {} : { mode: `${mode}${how}` };
          rows.push({ ...about, ...kind, size: `${size.cols}x${size.rows}`, ...result, load, crashes: await crashing });
        } finally {
          calm.abort();
          await crashing;
        }
        write(rows);
        for (const { what, screen } of rows.at(-1)?.problems ?? [])
          say(`  ${what}${screen && `\n${screen.replace(/^/gm, '  | ')}`}`);
      }
    }
    if (options.mixed && installed.length > 0) {
      const names = installed.map(({ agent }) => agent.name).join(' ');
      say(`${names} …`);
      const home = join(runs, 'mixed');
      const result = await bounded((signal) => driveWorkflow(daemon.client, { agents: installed, home }, signal));
      rows.push({ agent: 'mixed', version: `${installed.length} agents`, ...result, load: loadavg()[0] ?? 0 });
      for (const { what } of result.problems ?? []) say(`  ${what}`);
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
  const toText = plans.length > 0 ? toRoundsTable : options.runs ? toRunsTable : toTable;
  console.log(options.json ? JSON.stringify(rows, null, 2) : toText(rows));
  process.exitCode = rows.some(({ problems = [] }) => problems.length > 0) ? 1 : 0;
} catch (error) {
  if (!end.signal.aborted) throw error;
  console.error('ended');
  process.exitCode = 130;
}
