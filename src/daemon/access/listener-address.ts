/** The names under which a TCP listener serves requests. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { OrchdError } from '../../protocol/index.js';

/** Returns the origin of the pages that a listener serves under a Host header; null if that is not its name. */
export type ListenerAddress = (host: string) => string | null;

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** On loopback, any other name may be a DNS rebinding attack by a web page. */
export const loopbackAddress: ListenerAddress = (host) => (LOOPBACK_HOST.test(host) ? `http://${host}` : null);

/** Returns the place with the names in the current certificate. */
export const tlsAddress =
  (certificate: () => X509Certificate): ListenerAddress =>
  (host) =>
    isNamed(certificate(), host.replace(/:\d+$/, '')) ? `https://${host}` : null;

/** @param name  A name or an address; IPv6 in brackets, as in a Host header. */
export function isNamed(certificate: X509Certificate, name: string): boolean {
  const address = name.replace(/^\[(.*)\]$/, '$1');
  // Both throw for a text of another form, and this one comes from strangers.
  if (isIP(address) !== 0) return certificate.checkIP(address) !== undefined;
  return /^[\w.-]+$/.test(name) && certificate.checkHost(name) !== undefined;
}

/** @param proxyHost  The Host header that browsers send to the proxy, in small letters. */
export const proxyAddress =
  (proxyHost: string): ListenerAddress =>
  (host) =>
    host.toLowerCase().replace(/:443$/, '') === proxyHost ? `https://${proxyHost}` : null;

/** Returns the place with the names of both. */
export const eitherAddress =
  (one: ListenerAddress, other: ListenerAddress): ListenerAddress =>
  (host) =>
    one(host) ?? other(host);

/**
 * Refuses requests over TCP from a web page of another origin, or under a foreign host name that resolves to this
 * machine.
 * @throws {OrchdError} ORCHD_FOREIGN
 */
export function checkAddress({ headers, headersDistinct }: IncomingMessage, place: ListenerAddress): void {
  const { host = '', origin } = headers;
  // Node keeps the first of several Host headers, and a proxy may have checked another one.
  if ((headersDistinct['host']?.length ?? 0) > 1)
    throw new OrchdError('ORCHD_FOREIGN', 'the request has more than one Host header');
  const own = place(host);
  if (own === null) throw new OrchdError('ORCHD_FOREIGN', `the host '${host}' is not this machine`);
  if (origin !== undefined && origin !== own)
    throw new OrchdError('ORCHD_FOREIGN', `pages of '${origin}' may not call orchd`);
}
