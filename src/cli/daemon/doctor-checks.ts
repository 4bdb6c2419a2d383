/** The checks of `orchd doctor`: what orchd needs, in the order in which it is shown. */
import { existsSync, lstatSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunningHost } from '../../host/index.js';
import {
  bytesText,
  directoryProblem,
  diskWords,
  errorMessage,
  FULL_DISK_BYTES,
  healthOf,
  isDiskFull,
  PLACE_ADVICE,
} from '../../protocol/index.js';
import type { StoreBackup } from '../../store/index.js';
import { type Context, readConfig } from '../program/context.js';
import { limitWarnings, writeProblem } from './check-system.js';
import { daemonStatus } from './daemon-process.js';

interface Finding extends Result {
  readonly check: string;
}
interface Result {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
}

const RECOMMENDED_NODE = 24;

/** A check whose result is null is not shown. A check that throws has found a problem. */
const CHECKS: Readonly<Record<string, (context: Context) => Result | null | Promise<Result | null>>> = {
  node,
  async pty() {
    const { loadNative } = await import('../../host/index.js');
    loadNative();
    return ok('the native module loads');
  },
  async sqlite() {
    const name = nodeMajor() >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
    await import(name);
    return ok(`${name} loads`);
  },
  async config(context) {
    await readConfig(context);
    const { configFile } = context.paths;
    return ok(existsSync(configFile) ? configFile : `${configFile} (not there; defaults)`);
  },
  store,
  'socket directory': ({ paths }) => privateDirectory(dirname(paths.socket)),
  daemon,
  async 'lost hosts'() {
    const { isDirectory, runningHosts } = await import('../../host/index.js');
    const lost = runningHosts().filter(({ journals }) => !isDirectory(journals));
    return lost.length === 0 ? null : { state: 'warning', detail: lost.map(describeLost).join('; ') };
  },
  disk,
  folders({ paths }) {
    const folders = [paths.stateDir, dirname(paths.database), dirname(paths.socket)];
    const problems = [...new Set(folders)].map(writeProblem).filter((problem) => problem !== null);
    if (problems.length > 0) return { state: 'problem', detail: `${problems.join('; ')}; ${PLACE_ADVICE}` };
    return ok('can be written');
  },
  async limits(context) {
    const status = await daemonStatus(context).catch(() => null);
    const pids = status ? [status.daemon.pid, status.host.pid] : (['self'] as const);
    const low = [...new Set(pids.flatMap(limitWarnings))];
    if (low.length === 0) return ok('enough address space and open files');
    return {
      state: 'warning',
      detail: `few sessions fit: ${low.join('; ')}, then \`orchd stop\` and \`orchd start\``,
    };
  },
};

/** Makes every check, one after the other. */
export async function runChecks(context: Context): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(CHECKS)) {
    try {
      const result = await run(context);
      if (result !== null) findings.push({ check, ...result });
    } catch (error) {
      findings.push({ check, state: 'problem', detail: errorMessage(error) });
    }
  }
  return findings;
}

function ok(detail: string): Result {
  return { state: 'ok', detail };
}

function nodeMajor(): number {
  return Number(process.versions.node.split('.')[0]);
}

function node(): Result {
  const detail = `${process.version} at ${process.execPath}`;
  if (nodeMajor() >= 22) return ok(detail);
  return {
    state: 'warning',
    detail: `${detail}; Node 20 gets no more fixes, Node ${RECOMMENDED_NODE} is recommended`,
  };
}

async function store({ paths }: Context): Promise<Result> {
  const { checkUpgrade, DAMAGED, listBackups } = await import('../../store/index.js');
  checkUpgrade(paths.database);
  const backups = listBackups(paths.database).map(describeBackup);
  const detail = [paths.database, ...backups].join('; ');
  const file = `${paths.database}${DAMAGED}`;
  if (!existsSync(file)) return ok(detail);
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  const isWalLost = rows.some((row) => row.startsWith('{"kind":"wal"'));
  const lost = 'the newest events are lost, because the -wal file of the store was removed after a crash';
  const what = isWalLost ? lost : `${rows.length} damaged rows were set aside`;
  return { state: 'warning', detail: `${what}: see ${file}, then remove it; ${detail}` };
}

async function daemon(context: Context): Promise<Result> {
  const status = await daemonStatus(context);
  if (!status) return withoutSocket(context);
  const { disk: _ownCheck, ...others } = status;
  const { daemon, host, url, sessions } = others;
  const findings = healthOf(others);
  if (findings.length > 0) return { state: 'warning', detail: findings.map(({ words }) => words).join('; ') };
  return ok(`pid ${daemon.pid}, host ${host.pid}, ${sessions} sessions, ${url ?? 'no TCP'}`);
}

async function disk(context: Context): Promise<Result> {
  const { stateDir } = context.paths;
  const status = await daemonStatus(context).catch(() => null);
  const words = diskWords(status?.disk);
  if (words !== null) return { state: isDiskFull(status?.disk) ? 'problem' : 'warning', detail: words };
  const free = freeBytesOf(stateDir);
  if (free === null) return ok(`${stateDir} (made at the first start)`);
  const detail = `${bytesText(free)} free at ${stateDir}`;
  return free < FULL_DISK_BYTES ? { state: 'problem', detail: `the disk is full: ${detail}` } : ok(detail);
}

/** Describes a daemon that does not listen. */
async function withoutSocket({ paths }: Context): Promise<Result> {
  const { daemonPid } = await import('./daemon-pid.js');
  const pid = daemonPid(paths);
  if (pid === null) return ok('not running; `orchd start` starts it');
  const detail = `pid ${pid} does not listen on ${paths.socket}: it is starting, or the socket was removed`;
  return { state: 'warning', detail: `${detail}; \`orchd start\` waits for it or has it make the socket again` };
}

const describeLost = ({ pid, journals }: RunningHost): string =>
  `the host ${pid} runs although its folder ${journals} was removed; \`kill ${pid}\` ends it and its programs`;

/** Returns, for example, `backup of version 4: PATH (12.4 MB, 2026-11-23)`. */
function describeBackup({ path, version, bytes, madeAt }: StoreBackup): string {
  const date = new Date(madeAt).toISOString().slice(0, 10);
  return `backup of version ${version}: ${path} (${(bytes / 1e6).toFixed(1)} MB, ${date})`;
}

function privateDirectory(dir: string): Result {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (!stat) return ok(`${dir} (made at the first start)`);
  const problem = directoryProblem(dir, stat, process.getuid?.() ?? 0);
  if (problem !== null) return { state: 'problem', detail: `${problem}; until then no daemon starts` };
  if ((stat.mode & 0o077) !== 0) {
    return { state: 'warning', detail: `others can look into ${dir}; \`chmod 700 ${dir}\` stops that` };
  }
  return ok(dir);
}

/** Returns null for a folder that does not exist. */
function freeBytesOf(dir: string): number | null {
  if (!existsSync(dir)) return null;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
