/** The last part: the API, and the end of the daemon at a client's request. */
import { existsSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HubShare } from '../../hub/index.js';
import { acceptedNeeds, labelsOf } from '../../protocol/index.js';
import { createHandlers } from '../handlers/index.js';
import { HubMembership } from '../machines/index.js';
import { createWatchers } from '../metrics/index.js';
import { type DaemonServer, serve, type WantedTcp } from '../server/index.js';
import { readToken } from '../startup/index.js';
import { Devices } from '../web/index.js';
import type { Base } from './base.js';
import type { DelegationParts } from './delegation-parts.js';
import type { InteractionParts } from './interaction-parts.js';
import type { RegistryParts } from './registry-parts.js';
import type { SessionParts } from './session-parts.js';
import type { Storage } from './storage.js';

/** Maximum time for which a stop reads the last output of the ended sessions. */
const LAST_OUTPUT_MS = 3_000;

type Earlier = Base & Storage & RegistryParts & InteractionParts & SessionParts & DelegationParts;

/**
 * Opens the socket and the TCP address of the daemon, and connects the daemon to its hub unless it was only started to
 * stop programs.
 *
 * @returns The open server. The lifetime of the daemon closes it.
 */
export async function openService(earlier: Earlier, tcp: WantedTcp): Promise<DaemonServer> {
  const { paths, log, config, lifetime, now } = earlier;
  /** Null until the socket is open. A request can arrive before `listen` returns. */
  let server: DaemonServer | null = null;
  const devices = new Devices({ file: paths.webDevicesFile, now, log });
  const secrets = { token: readToken(paths, log), registry: earlier.registry, devices };
  const watchers = createWatchers();
  const accept = acceptedNeeds(config.hub.accept);
  const labels = labelsOf(config.hub.labels);
  const membership = new HubMembership({
    ...earlier,
    watchers,
    share: config.hub.share as HubShare, // checked when the config was read
    rate: config.hub.rate,
    accept,
    labels: accept.includes('start') ? labels : [],
    labelsProblem: labels.length > 0 && !accept.includes('start') ? 'hub.accept has no "start"' : null,
    // the name determines the input's type, which the caller has checked
    run: async (operation, input, caller) => {
      await earlier.catchingUp.need(operation, input);
      return (handlers[operation] as (i: object, c: object) => Promise<unknown>)(input, caller);
    },
    onPlacedOver: (workflowId, run) => earlier.workflows.onPlacedOver(workflowId, run),
  });
  const ports = {
    ...earlier,
    membership,
    watchers,
    killGraceMs: config.sessions.kill_grace_ms,
    childrenAnswer: config.sessions.children_answer,
    readOthers: config.sessions.read_others,
    devices,
  };
  const handlers = createHandlers({
    ...ports,
    url: () => server?.tcp.url ?? null,
    web: () => server?.web ?? null,
    tcp: () => ({ ...tcp, ...(server?.tcp.problem && { problem: server.tcp.problem }) }),
    stop: (keepSessions, client) => stop(earlier, keepSessions, client),
  });
  lifetime.onClose(() => {
    if (existsSync(paths.socket)) unlinkSync(paths.socket);
  });
  const personWaits = () => earlier.connection.personWaits();
  server = await serve({ ...ports, handlers, secrets, socketPath: paths.socket, tcp, web: config.web, personWaits });
  lifetime.onClose(() => server?.close());
  if (!earlier.isToStop) {
    membership.begin();
    earlier.remoteRuns.use(membership.places);
  }
  lifetime.onClose(() => membership.close());
  return server;
}

/** @returns The number of programs that were ended. */
async function stop(earlier: Earlier, keepSessions: boolean, client: string): Promise<number> {
  const { config, lifetime, brake, outbox, sessions, connection, catchingUp } = earlier;
  lifetime.isStopping = true;
  brake.close();
  let killed = 0;
  if (!keepSessions) {
    // It may be this write that finds the disk full.
    if (!outbox.isFull) await Promise.race([sessions.endingAll(client), outbox.whenFull()]);
    const host = await connection.whenThere();
    killed = (await host.call('shutdown', { graceMs: config.sessions.kill_grace_ms })).killed;
    // Reads the last output of the sessions. If that takes longer than this allows, the next daemon reads the rest.
    if (!outbox.isFull && catchingUp.behind.sessions === 0)
      await Promise.race([sessions.caughtUp(), sleep(LAST_OUTPUT_MS)]);
  }
  setImmediate(() => void lifetime.end('stopped by request'));
  return killed;
}
