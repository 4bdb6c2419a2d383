/** Handlers of the operations on the daemon itself, such as its status and the check of the installed agents. */
import { join } from 'node:path';
import { CONTRACT_VERSION, type HostClient } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { COMMIT, type OutputOf, type Paths, type Setting, VERSION } from '../../protocol/index.js';
import type { AgentReport } from '../../session/index.js';
import { type DiskWatch, EndedJournals, type JournalLoads, journalBytes, type Prune } from '../disk/index.js';
import type { WorktreeSizes } from '../git/index.js';
import type { ClockGuard } from '../guard/index.js';
import type { HubMembership } from '../machines/index.js';
import { collectMetrics, type MetricsPorts } from '../metrics/index.js';
import { agentGaps, loginEnvironment } from '../program/index.js';
import type { CatchingUp } from '../sessions/index.js';
import type { WebListener } from '../web/index.js';
import type { Handlers } from './handler.js';

export interface DaemonPorts extends MetricsPorts {
  readonly paths: Paths;
  readonly settings: readonly Setting[];
  readonly url: () => string | null;
  readonly tcp: () => NonNullable<OutputOf<'daemon.status'>['tcp']>;
  /** Null until the server is open. */
  readonly web: () => Pick<WebListener, 'state'> | null;
  readonly host: () => HostClient;
  readonly disk: DiskWatch;
  readonly clock: Pick<ClockGuard, 'jump'>;
  readonly loads: JournalLoads;
  readonly catchingUp: CatchingUp;
  readonly prune: Prune;
  readonly membership: HubMembership;
  readonly worktrees: Pick<WorktreeSizes, 'of'>;
  /** Ends the daemon after the reply; `client` is the caller. */
  readonly stop: (keepSessions: boolean, client: string) => Promise<number>;
}

/** Returns the state of the dashboard for other devices; {} if it is not configured for other devices. */
function webOf(web: Pick<WebListener, 'state'> | null): Pick<OutputOf<'daemon.status'>, 'web'> {
  const isWanted = web && (web.state.listen !== '' || web.state.behind_proxy !== '');
  return isWanted ? { web: web.state } : {};
}

function installedAgent(report: AgentReport): OutputOf<'daemon.agents'>['agents'][number] {
  const { isScript, triedVersion, addedArguments, addedVariables, missingFlags, hears, notes, ...same } = report;
  return {
    ...same,
    is_script: isScript,
    tried_version: triedVersion,
    added_arguments: [...addedArguments],
    added_variables: [...addedVariables],
    missing_flags: [...missingFlags],
    hears: [...hears],
    notes: [...notes],
  };
}

export const daemonHandlers = (ports: DaemonPorts) => {
  /** Callers at the same time share one check, because it runs every agent. */
  let checking: Promise<OutputOf<'daemon.agents'>> | null = null;
  const check = async (): Promise<OutputOf<'daemon.agents'>> => {
    const { ADAPTERS, checkAgents } = await import('../../session/index.js'); // not needed to start
    const env = loginEnvironment();
    const { agentFlagsFile: cacheFile, agentsDir } = ports.paths;
    const reports = await checkAgents(ADAPTERS, { env, cwd: env.HOME, cacheFile, agentsDir });
    return { path: env.PATH, agents: reports.map(installedAgent) };
  };
  const endedJournals = new EndedJournals((id) => journalBytes(join(ports.paths.journalsDir, id)));
  return {
    'daemon.status': async () => statusOf(ports, endedJournals),
    'daemon.configuration': async () => ({ file: ports.paths.configFile, settings: [...ports.settings] }),
    'daemon.agents': () => {
      checking ??= check().finally(() => {
        checking = null;
      });
      return checking;
    },
    'daemon.metrics': async () => collectMetrics(ports),
    'daemon.stop': async ({ keep_sessions = false }, { client }) => ({
      stopped: true,
      killed: await ports.stop(keep_sessions, client),
    }),
    'daemon.prune': async (input) => ports.prune.run(input),
  } satisfies Partial<Handlers>;
};

async function statusOf(ports: DaemonPorts, endedJournals: EndedJournals): Promise<OutputOf<'daemon.status'>> {
  const { registry, host, bus, catchingUp, worktrees } = ports;
  const { welcome } = host();
  const machine = ports.membership.brief();
  const jump = ports.clock.jump();
  const own = registry.sessions().filter(({ imported }) => imported !== true);
  const gaps = await agentGaps(own, registry.items());
  const changes = await worktrees.of(own.map(({ id, cwd, ended_at }) => ({ id, cwd, isAlive: ended_at === null })));
  return {
    daemon: { pid: process.pid, version: VERSION, commit: COMMIT, started_at: timestamp(ports.startedAt) },
    host: {
      pid: welcome.pid,
      version: welcome.version,
      commit: welcome.commit ?? null,
      started_at: timestamp(welcome.startedAt),
      contract: welcome.contract,
      outdated: welcome.contract < CONTRACT_VERSION || welcome.version !== VERSION,
    },
    socket: ports.paths.socket,
    url: ports.url(),
    tcp: ports.tcp(),
    ...webOf(ports.web()),
    home: ports.paths.stateDir,
    disk: ports.disk.report(),
    journals: journalsOf(ports, endedJournals),
    changes,
    sessions: registry.sessions().filter(({ ended_at }) => ended_at === null).length,
    open_items: registry.items().filter(({ state }) => state === 'open').length,
    last_seq: bus.lastSeq,
    ...(machine && { hub: machine }),
    ...(gaps.length > 0 && { agent_gaps: gaps }),
    ...(jump && { clock: { jumped_from: timestamp(jump.from), jumped_to: timestamp(jump.to) } }),
    ...(catchingUp.behind.sessions > 0 && { catching_up: catchingUp.behind }),
  };
}

function journalsOf({ registry, loads }: DaemonPorts, endedJournals: EndedJournals) {
  const living = [...registry.entries].flatMap(({ id, reader, hasEnded }) =>
    hasEnded || !reader ? [] : [{ session_id: id, ...loads.of(id, reader.position) }],
  );
  const ended = registry.sessions().flatMap(({ id, ended_at }) => (ended_at ? [{ id, endedAt: ended_at }] : []));
  return [...living, ...endedJournals.of(ended)];
}
