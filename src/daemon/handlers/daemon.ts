import { CONTRACT_VERSION } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { COMMIT } from '../../protocol/index.js';
import { collectMetrics } from '../metrics/index.js';
import type { Handlers } from './context.js';

export const daemonHandlers = {
  'daemon.status': async (house) => {
    const { welcome } = house.host();
    return {
      daemon: { pid: process.pid, version: house.version, commit: COMMIT, started_at: timestamp(house.startedAt) },
      host: {
        pid: welcome.pid,
        version: welcome.version,
        commit: welcome.commit ?? null,
        started_at: timestamp(welcome.startedAt),
        contract: welcome.contract,
        outdated: welcome.contract < CONTRACT_VERSION || welcome.version !== house.version,
      },
      socket: house.paths.socket,
      url: house.url(),
      tcp: house.tcp(),
      home: house.paths.stateDir,
      disk: house.disk.report(),
      journals: [...house.registry.entries].flatMap(({ id, runner, hasEnded }) =>
        hasEnded || !runner ? [] : [{ session_id: id, ...house.loads.of(id, runner.position) }],
      ),
      sessions: house.registry.sessions().filter(({ ended_at }) => ended_at === null).length,
      open_items: house.registry.items().filter(({ state }) => state === 'open').length,
      last_seq: house.hub.lastSeq,
      ...(house.catchingUp.behind.sessions > 0 && { catching_up: house.catchingUp.behind }),
    };
  },
  'daemon.metrics': async (house) => collectMetrics(house),
  'daemon.stop': async (house, { keep_sessions = false }, { client }) => ({
    stopped: true,
    killed: await house.stop(keep_sessions, client),
  }),
  'daemon.prune': async (house, input) => house.prune.run(input),
} satisfies Partial<Handlers>;
