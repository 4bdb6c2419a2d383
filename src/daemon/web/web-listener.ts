/**
 * The listener for browsers on other devices, beside the one on 127.0.0.1.
 *
 * Beyond this machine it speaks TLS, or a reverse proxy with TLS stands before it. With a proxy and no address, the
 * proxy passes browsers on to 127.0.0.1. The configuration opens it, or an operation, until the daemon ends.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import {
  type Config,
  isLoopback,
  type ListenAddress,
  OrchdError,
  type OutputOf,
  parseListen,
  parseProxy,
  portProblem,
} from '../../protocol/index.js';
import { eitherAddress, type ListenerAddress, loopbackAddress, proxyAddress, tlsAddress } from '../access/index.js';
import type { Log } from '../log.js';
import { type Loaded, loadCertificate, nameOf, watchCertificate } from './certificate.js';

export type WantedWeb = Config['web'];
type State = OutputOf<'web.listen'>;

interface Plan {
  readonly address: ListenAddress | null;
  readonly proxyHost: string | null;
  readonly loaded: Loaded | null;
}

/** Strangers can open connections. Each browser needs two or three. */
const MAX_CONNECTIONS = 500;
/** A browser sends a request in one go. */
const REQUEST_MS = 60_000;
const nowhere: ListenerAddress = () => null;
const NONE: State = { listen: '', tls_cert: '', tls_key: '', behind_proxy: '', by: 'configuration', url: null };

interface WebListenerPorts {
  /** Opens a server. With `tls` it speaks HTTPS. */
  readonly open: (address: ListenAddress, place: ListenerAddress, tls: TlsOptions | null) => Promise<Server>;
  /** True if the daemon listens on 127.0.0.1. */
  readonly hasTcp: () => boolean;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Interval for checking whether the files of the certificate have changed. */
  readonly lookMs?: number;
}

/** Opens, changes and closes the listener for browsers on other devices. */
export class WebListener {
  readonly #ports: WebListenerPorts;
  #state = NONE;
  #proxy = nowhere;
  #close = (): void => {};
  /** Requests are carried out one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: WebListenerPorts) {
    this.#ports = ports;
  }

  get state(): State {
    return this.#state;
  }

  /** The names of the listener on 127.0.0.1: a proxy on this machine calls it by the proxy's name. */
  readonly loopback: ListenerAddress = (host) => loopbackAddress(host) ?? this.#proxy(host);

  /** Opens what the configuration wants. A problem does not end the daemon; the state has it. */
  async begin(wanted: WantedWeb): Promise<void> {
    await this.listen(wanted, 'configuration').catch((error: Error) => {
      this.#ports.log.error('other devices cannot reach the dashboard', error);
      this.#state = { ...NONE, ...wanted, problem: error.message };
    });
  }

  /**
   * Closes what was open, with its connections, and opens what is wanted.
   * @throws {OrchdError} ORCHD_WEB_LISTEN, before anything is closed; ORCHD_PORT
   */
  listen(wanted: WantedWeb, by: State['by']): Promise<State> {
    const listening = this.#last.then(() => this.#listen(wanted, by));
    this.#last = listening.catch(() => {});
    return listening;
  }

  close(): void {
    this.#close();
    this.#close = () => {};
    this.#proxy = nowhere;
    this.#state = NONE;
  }

  async #listen(wanted: WantedWeb, by: State['by']): Promise<State> {
    const plan = planOf(wanted);
    if (plan.proxyHost !== null && !plan.address && !this.#ports.hasTcp())
      throw new OrchdError(
        'ORCHD_WEB_LISTEN',
        'the daemon does not listen on 127.0.0.1 (daemon.tcp), so the proxy needs an address in web.listen',
      );
    this.close();
    const port = plan.address && (await this.#open(plan.address, plan, wanted));
    if (plan.proxyHost !== null) this.#proxy = proxyAddress(plan.proxyHost);
    this.#state = { ...wanted, by, url: urlOf(plan, port) };
    return this.#state;
  }

  /** @returns The port. */
  async #open(address: ListenAddress, { proxyHost, loaded }: Plan, wanted: WantedWeb): Promise<number> {
    let certificate = loaded?.certificate;
    const own = certificate ? tlsAddress(() => certificate as NonNullable<typeof certificate>) : nowhere;
    const plain = isLoopback(address.host) && !loaded ? loopbackAddress : own;
    const place = proxyHost === null ? plain : eitherAddress(plain, proxyAddress(proxyHost));
    const server = await this.#ports
      .open(address, place, loaded && { ...loaded, minVersion: 'TLSv1.2' })
      .catch((error: unknown) => {
        throw new OrchdError('ORCHD_PORT', portProblem(address.port, error), { ...address }, error);
      });
    server.maxConnections = MAX_CONNECTIONS;
    server.requestTimeout = REQUEST_MS;
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    const use = (renewed: Loaded): void => {
      certificate = renewed.certificate;
      if ('setSecureContext' in server) (server as unknown as SecureServer).setSecureContext(renewed);
      this.#ports.log.info('the certificate of the dashboard was renewed', { file: wanted.tls_cert });
    };
    const { log, lookMs } = this.#ports;
    const onProblem = (error: unknown): void => log.error('the changed certificate is not used', error);
    const files = { cert: wanted.tls_cert, key: wanted.tls_key };
    const unwatch = loaded ? watchCertificate(files, use, onProblem, lookMs) : () => {};
    this.#close = () => {
      unwatch();
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    const at = server.address();
    return typeof at === 'object' && at !== null ? at.port : address.port;
  }
}

interface SecureServer {
  setSecureContext(options: Pick<Loaded, 'cert' | 'key'>): void;
}

/** @throws {OrchdError} ORCHD_WEB_LISTEN */
function planOf({ listen: listenText, tls_cert: cert, tls_key: key, behind_proxy: proxy }: WantedWeb): Plan {
  const refuse = (words: string): never => {
    throw new OrchdError('ORCHD_WEB_LISTEN', words);
  };
  const address = listenText === '' ? null : parseListen(listenText);
  if (listenText !== '' && address === null) refuse(`'${listenText}' is not ADDRESS:PORT, such as 0.0.0.0:8443`);
  const proxyHost = proxy === '' ? null : parseProxy(proxy);
  if (proxy !== '' && proxyHost === null) refuse(`the proxy '${proxy}' is not an https:// address without a path`);
  if ((cert === '') !== (key === '')) refuse('a certificate needs its key, and a key its certificate');
  if (cert !== '' && address === null) refuse('a certificate needs an address to listen on, such as 0.0.0.0:8443');
  if (address && !isLoopback(address.host) && cert === '' && proxyHost === null)
    refuse(`${listenText} can be reached from other machines, so it needs TLS or a proxy with TLS`);
  const loaded = cert === '' ? null : loadCertificate({ cert, key });
  if (loaded && proxyHost === null && nameOf(loaded.certificate, address?.host ?? '') === null)
    refuse(`the certificate ${cert} names no host`);
  return { address, proxyHost, loaded };
}

/** Returns the address for the links of other devices. */
function urlOf({ address, proxyHost, loaded }: Plan, port: number | null): string | null {
  if (proxyHost !== null) return `https://${proxyHost}`;
  if (!address || port === null) return null;
  if (!loaded) return `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`;
  return `https://${nameOf(loaded.certificate, address.host)}${port === 443 ? '' : `:${port}`}`;
}
