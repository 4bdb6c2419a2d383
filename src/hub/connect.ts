/**
 * One connection to the server. It never reconnects by itself: a new connection begins with a look at what the server
 * has (member.ts).
 */
import { readFileSync, statSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { OrchdError } from '../protocol/index.js';
import { readSeed } from './key.js';
import { inboxPrefix } from './names.js';

export interface HubAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`; several of a cluster are separated by commas. */
  readonly url: string;
  /** The name of the machine or the person. */
  readonly name: string;
  /** A file with the seed of a key, or a NATS credentials file. */
  readonly creds?: string;
  /** A file with the certificates to trust. Default: those of Node. */
  readonly ca?: string;
  /** True: a connection beyond loopback may be without TLS. */
  readonly insecure?: boolean;
}

const CONNECT_MS = 5_000;
/** After two pings without a reply the connection ends. */
const PING_MS = 5_000;
const MAX_PINGS = 2;
const DEFAULT_PORT = '4222';
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

interface Server {
  readonly host: string;
  readonly isTls: boolean;
  readonly user: string;
  readonly pass: string;
}

/** @throws {OrchdError} ORCHD_INVALID if an address is malformed, or needs TLS because it is beyond loopback. */
export function parseServers({ url, insecure }: Pick<HubAddress, 'url' | 'insecure'>): Server[] {
  const servers = url.split(',').map((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (!parsed || !/^(nats|tls):$/.test(parsed.protocol) || parsed.hostname === '') {
      throw new OrchdError(
        'ORCHD_INVALID',
        `'${text}' is not an address of a server: nats://HOST:PORT or tls://HOST:PORT`,
      );
    }
    const isTls = parsed.protocol === 'tls:';
    if (!isTls && !insecure && !LOOPBACK.test(parsed.hostname)) {
      throw new OrchdError(
        'ORCHD_INVALID',
        `${parsed.hostname} is another machine, so the connection needs TLS: tls://${parsed.hostname}:` +
          `${parsed.port || DEFAULT_PORT}, or --insecure in a network that you trust`,
      );
    }
    const host = `${parsed.hostname}:${parsed.port || DEFAULT_PORT}`;
    try {
      return { host, isTls, user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) };
    } catch {
      throw new OrchdError('ORCHD_INVALID', `the user or the password for ${host} has a % that must be written %25`);
    }
  });
  if (new Set(servers.map(({ isTls }) => isTls)).size > 1) {
    throw new OrchdError('ORCHD_INVALID', 'the addresses of a cluster are either all tls:// or all nats://');
  }
  return servers;
}

/** Returns the address without a password. */
export const shownUrl = (url: string): string => url.replace(/\/\/[^,/]*@/g, '//');

/** @throws {OrchdError} ORCHD_HUB_UNREACHABLE with the reason in words. */
export async function openConnection(address: HubAddress): Promise<NatsConnection> {
  const servers = parseServers(address);
  const { user, pass, isTls } = servers[0] as Server; // split returns at least one
  try {
    return await connect({
      servers: servers.map(({ host }) => host),
      name: `orchd ${address.name}`,
      inboxPrefix: inboxPrefix(address.name),
      reconnect: false,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: MAX_PINGS,
      ...(user !== '' && { user, pass }),
      ...(isTls && { tls: tlsOptions(servers, address.ca) }),
      ...(address.creds !== undefined && { authenticator: authenticatorOf(address.creds) }),
    });
  } catch (error) {
    if (error instanceof OrchdError) throw error;
    throw new OrchdError('ORCHD_HUB_UNREACHABLE', `${shownUrl(address.url)}: ${reasonOf(error)}`, undefined, error);
  }
}

/**
 * The certificate has to be one for an address that was given. The client itself checks it for `localhost` if the
 * address is a number.
 */
function tlsOptions(servers: readonly Server[], ca: string | undefined): NonNullable<ConnectionOptions['tls']> {
  const identity = (_host: string, certificate: PeerCertificate): Error | undefined => {
    const problems = servers.map(({ host }) => checkServerIdentity(new URL(`tls://${host}`).hostname, certificate));
    return problems.includes(undefined) ? undefined : problems[0];
  };
  // `ConnectionOptions` does not declare what it passes on to node:tls.
  const options = { ...(ca !== undefined && { caFile: ca }), checkServerIdentity: identity };
  return options;
}

function authenticatorOf(file: string): NonNullable<ConnectionOptions['authenticator']> {
  let bytes: Buffer;
  try {
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    bytes = readFileSync(file);
  } catch (cause) {
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${reasonOf(cause)}`, undefined, cause);
  }
  return bytes.includes('BEGIN NATS USER JWT') ? credsAuthenticator(bytes) : nkeyAuthenticator(readSeed(file));
}

/** The server's words for a stream or a store that has reached its limit. */
const FULL = /^(maximum (bytes|messages)|insufficient (storage|memory)|resource limits|no space left)/i;

/** Returns the reason of an error of the client, which may be in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? reasonOf(error.cause) : '';
  const words = error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
  return FULL.test(words) ? `the hub is full (${words}); \`orchd hub init URL --max-bytes\` sets its limit` : words;
}

/** @throws {OrchdError} ORCHD_HUB_REFUSED if the server does not permit the reading, ORCHD_HUB_UNREACHABLE. */
export function refuseReading(error: unknown): never {
  if (error instanceof OrchdError) throw error;
  const reason = reasonOf(error);
  if (!reason.includes('Permissions Violation')) throw new OrchdError('ORCHD_HUB_UNREACHABLE', reason);
  throw new OrchdError('ORCHD_HUB_REFUSED', 'the key of this machine may publish, but not read other machines');
}
