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
import type { AgentReport } from '../../session/index.js';
import type { StoreBackup } from '../../store/index.js';
import { limitWarnings, writeProblem } from '../daemon/check-system.js';
import { daemonStatus } from '../daemon/daemon-process.js';
import type { CommandSpec } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
}

const RECOMMENDED_NODE = 24;

export const doctor: CommandSpec = {
  name: 'doctor',
  group: 'Daemon',
  summary:
    'Check that everything that orchd needs exists and works, and show what orchd does for each installed agent.',
  quiet: 'print problems only',
  examples: ['orchd doctor', 'orchd doctor --json'],
  async run(context) {
    const { paths } = context;
    const findings: Finding[] = [];
    const check = async (name: string, run: () => Promise<Omit<Finding, 'check'>> | Omit<Finding, 'check'>) => {
      try {
        findings.push({ check: name, ...(await run()) });
      } catch (error) {
        findings.push({
          check: name,
          state: 'problem',
          detail: errorMessage(error),
        });
      }
    };
    await check('node', () => {
      const major = Number(process.versions.node.split('.')[0]);
      const detail = `${process.version} at ${process.execPath}`;
      if (major >= 22) return { state: 'ok', detail };
      return {
        state: 'warning',
        detail: `${detail}; Node 20 gets no more fixes, Node ${RECOMMENDED_NODE} is recommended`,
      };
    });
    await check('pty', async () => {
      const { loadNative } = await import('../../host/index.js');
      loadNative();
      return { state: 'ok', detail: 'the native module loads' };
    });
    await check('sqlite', async () => {
      const name = Number(process.versions.node.split('.')[0]) >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
      await import(name);
      return { state: 'ok', detail: `${name} loads` };
    });
    await check('config', async () => {
      await readConfig(context);
      return {
        state: 'ok',
        detail: existsSync(paths.configFile) ? paths.configFile : `${paths.configFile} (not there; defaults)`,
      };
    });
    await check('store', async () => {
      const { checkUpgrade, DAMAGED, listBackups } = await import('../../store/index.js');
      checkUpgrade(paths.database);
      const backups = listBackups(paths.database).map(describeBackup);
      const detail = [paths.database, ...backups].join('; ');
      const file = `${paths.database}${DAMAGED}`;
      if (!existsSync(file)) return { state: 'ok', detail };
      const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
      const isWalLost = rows.some((row) => row.startsWith('{"kind":"wal"'));
      const lost = 'the newest events are lost, because the -wal file of the store was removed after a crash';
      const what = isWalLost ? lost : `${rows.length} damaged rows were set aside`;
      return {
        state: 'warning',
        detail: `${what}: see ${file}, then remove it; ${detail}`,
      };
    });
    await check('socket directory', () => privateDirectory(dirname(paths.socket)));
    await check('daemon', async () => {
      const status = await daemonStatus(context);
      if (!status) return withoutSocket(context);
      const { disk: _ownCheck, ...others } = status;
      const { daemon, host, url } = others;
      const findings = healthOf(others);
      if (findings.length > 0) return { state: 'warning', detail: findings.map(({ words }) => words).join('; ') };
      return {
        state: 'ok',
        detail: `pid ${daemon.pid}, host ${host.pid}, ${status.sessions} sessions, ${url ?? 'no TCP'}`,
      };
    });
    const { isDirectory, runningHosts } = await import('../../host/index.js');
    const lost = runningHosts().filter(({ journals }) => !isDirectory(journals));
    if (lost.length > 0)
      await check('lost hosts', () => ({ state: 'warning', detail: lost.map(describeLost).join('; ') }));
    await check('disk', async () => {
      const status = await daemonStatus(context).catch(() => null);
      const words = diskWords(status?.disk);
      if (words !== null) return { state: isDiskFull(status?.disk) ? 'problem' : 'warning', detail: words };
      const free = freeBytesOf(paths.stateDir);
      if (free === null) return { state: 'ok', detail: `${paths.stateDir} (made at the first start)` };
      const detail = `${bytesText(free)} free at ${paths.stateDir}`;
      return free < FULL_DISK_BYTES
        ? { state: 'problem', detail: `the disk is full: ${detail}` }
        : { state: 'ok', detail };
    });
    await check('folders', () => {
      const folders = [paths.stateDir, dirname(paths.database), dirname(paths.socket)];
      const problems = [...new Set(folders)].map(writeProblem).filter((problem) => problem !== null);
      if (problems.length > 0) return { state: 'problem', detail: `${problems.join('; ')}; ${PLACE_ADVICE}` };
      return { state: 'ok', detail: 'can be written' };
    });
    await check('limits', async () => {
      const status = await daemonStatus(context).catch(() => null);
      const pids = status ? [status.daemon.pid, status.host.pid] : (['self'] as const);
      const low = [...new Set(pids.flatMap(limitWarnings))];
      if (low.length === 0) return { state: 'ok', detail: 'enough address space and open files' };
      return {
        state: 'warning',
        detail: `few sessions fit: ${low.join('; ')}, then \`orchd stop\` and \`orchd start\``,
      };
    });
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const { ADAPTERS, checkAgents } = await import('../../session/index.js');
    const agents = await checkAgents(ADAPTERS, {
      env: context.env,
      cwd: context.cwd,
      cacheFile: paths.agentFlagsFile,
      agentsDir: paths.agentsDir,
    });
    await context.print({ findings, agents, ok: problems === 0 }, () => {
      const shown = context.isQuiet ? findings.filter(({ state }) => state !== 'ok') : findings;
      const marks = {
        ok: context.paint('green', '✓ ok     '),
        warning: context.paint('yellow', '! warning'),
        problem: context.paint('red', '✗ problem'),
      };
      const checks = shown.map(({ state, check, detail }) => `${marks[state]}  ${check.padEnd(17)} ${detail}\n`);
      if (context.isQuiet) return checks.join('');
      return [...checks, '\n', ...agents.map((agent) => describeAgent(agent, marks.warning))].join('');
    });
    return problems === 0 ? undefined : 1;
  },
};

/** Describes a daemon that does not listen. */
async function withoutSocket({ paths }: Context): Promise<Omit<Finding, 'check'>> {
  const { daemonPid } = await import('../daemon/daemon-pid.js');
  const pid = daemonPid(paths);
  if (pid === null) return { state: 'ok', detail: 'not running; `orchd start` starts it' };
  const detail = `pid ${pid} does not listen on ${paths.socket}: it is starting, or the socket was removed`;
  return { state: 'warning', detail: `${detail}; \`orchd start\` waits for it or has it make the socket again` };
}

const describeLost = ({ pid, journals }: RunningHost): string =>
  `the host ${pid} runs although its folder ${journals} was removed; \`kill ${pid}\` ends it and its programs`;

function describeAgent(agent: AgentReport, warning: string): string {
  const {
    name,
    label,
    path,
    problem,
    isScript,
    version,
    triedVersion,
    addedArguments,
    addedVariables,
    missingFlags,
    hears,
    teachable,
    tools,
  } = agent;
  if (path === null) return `${label}: not installed\n`;
  if (isScript) {
    const said = 'a shell script: it is not asked, nothing is added, and it is heard by its screen';
    return `${label}: ${path}\n    ${said}; \`--adapter ${name}\` if it starts the agent\n`;
  }
  const tried = version === triedVersion ? 'the version that was tried' : `tried with ${triedVersion}`;
  const added = [...addedArguments, ...addedVariables.map((name) => `${name}=…`)].join(' ');
  return [
    `${label}: ${version ?? 'does not tell its version'} (${tried}) at ${path}`,
    ...(problem === null ? [] : [`${warning}  ${problem}: run it yourself to see why, or install it again`]),
    `heard by its ${hears.join(' and its ')}; --teach ${teachable ? 'works' : 'does not work: use `orchd prompt`'}`,
    `the tools: ${tools ? 'offered by MCP with --teach or --tools' : 'by `orchd tool` in its shell'}`,
    `added at the start: ${added || 'nothing'}`,
    ...(missingFlags.length > 0 ? [`without ${missingFlags.join(', ')}: this version does not have it`] : []),
    ...agent.notes,
  ]
    .map((line, i) => `${i === 0 ? '' : '    '}${line}\n`)
    .join('');
}

/** Returns, for example, `backup of version 4: PATH (12.4 MB, 2026-11-23)`. */
function describeBackup({ path, version, bytes, madeAt }: StoreBackup): string {
  const date = new Date(madeAt).toISOString().slice(0, 10);
  return `backup of version ${version}: ${path} (${(bytes / 1e6).toFixed(1)} MB, ${date})`;
}

function privateDirectory(dir: string): Omit<Finding, 'check'> {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (!stat) return { state: 'ok', detail: `${dir} (made at the first start)` };
  const problem = directoryProblem(dir, stat, process.getuid?.() ?? 0);
  if (problem !== null) return { state: 'problem', detail: `${problem}; until then no daemon starts` };
  if ((stat.mode & 0o077) !== 0) {
    return { state: 'warning', detail: `others can look into ${dir}; \`chmod 700 ${dir}\` stops that` };
  }
  return { state: 'ok', detail: dir };
}

/** Returns null for a folder that does not exist. */
function freeBytesOf(dir: string): number | null {
  if (!existsSync(dir)) return null;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
