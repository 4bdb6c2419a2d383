/**
 * The daemon's connection to its host, which is replaced when the host dies.
 *
 * In:   the sessions that a host holds (`connect`).
 * Out:  the connected host (`current`, `whenThere`). The sessions are notified when their journals grow and when the
 *       host dies.
 */
import { join } from 'node:path';
import { directoryId, grownIn, type HostClient, PERSON_CONTRACT } from '../../host/index.js';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { linkHost } from './host-link.js';
import type { Lifetime } from './lifetime.js';

interface HostConnectionPorts {
  readonly paths: Paths;
  readonly log: Log;
  readonly lifetime: Lifetime;
  /** Ends the daemon after an error. */
  readonly die: (error: unknown) => never;
}

interface HostedSessions {
  grew(sessionId: string, position: number): void;
  /** Called when the host died. */
  hostDied(): Promise<void>;
  /** Called when there is another host. */
  orphaned(): Promise<void>;
}

/** The host's bundle is in the same folder as the daemon's. */
const HOST_FILE = join(import.meta.dirname, 'host.js');

/** Holds the connection to the host, and replaces it when the host dies. */
export class HostConnection {
  readonly #ports: HostConnectionPorts;
  #client: HostClient | null = null;
  /** Resolves when there is a host again after one has died. */
  #linking: Promise<unknown> = Promise.resolve();

  readonly #journalsId: string | null;

  constructor(ports: HostConnectionPorts) {
    this.#ports = ports;
    this.#journalsId = directoryId(ports.paths.journalsDir);
  }

  /** @throws {OrchdError} ORCHD_HOST_UNREACHABLE while there is no host. */
  readonly current = (): HostClient => {
    if (this.#client) return this.#client;
    throw new OrchdError('ORCHD_HOST_UNREACHABLE', 'the host is gone; a new one is being started');
  };

  /** Resolves when there is a host again after one has died. */
  readonly whenThere = (): Promise<HostClient> => this.#linking.then(this.current);

  /** Tells the host that a person waits for a command. Hosts of older contracts are not told. */
  personWaits(): void {
    const host = this.#client;
    if (host && host.welcome.contract >= PERSON_CONTRACT) host.tell('person_waits', {});
  }

  /** Connects to the host. Whenever the host dies, starts the next one and connects to it. */
  async connect(sessions: HostedSessions): Promise<HostClient> {
    const { paths, log } = this.#ports;
    const client = await linkHost({
      paths,
      log,
      hostFile: HOST_FILE,
      onNotice: (notice) => {
        for (const [sessionId, position] of grownIn(notice)) sessions.grew(sessionId, position);
      },
      onClose: (reason) => this.#replace(sessions, reason),
    });
    this.#client = client;
    return client;
  }

  #replace(sessions: HostedSessions, reason: OrchdError): void {
    const { paths, log, lifetime, die } = this.#ports;
    if (lifetime.isStopping) return;
    this.#client = null;
    if (reason.code === 'ORCHD_LEASE_LOST') die(reason);
    // A host that this daemon started could take the socket from the next daemon.
    if (directoryId(paths.journalsDir) !== this.#journalsId)
      die(new OrchdError('ORCHD_FILE', `${paths.journalsDir} was removed, and the host has ended`));
    log.error('the host died', reason);
    this.#linking = sessions
      .hostDied()
      .then(() => this.connect(sessions))
      .then(() => sessions.orphaned())
      .catch(die);
  }

  close(): void {
    this.#client?.close();
  }
}
