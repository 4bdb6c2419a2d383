/**
 * Authentication. On the Unix socket (mode 0600), every client that can open it is accepted; on TCP, every client with
 * the token. A session's own token, on either, identifies the caller as that session, which has fewer permissions.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { OrchdError, type Scope } from '../../protocol/index.js';
import { hashToken } from '../program/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

/** Host names of a loopback listener. Any other name may be a DNS rebinding attack by a web page. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * @param isTcp True if the request came over TCP.
 * @returns The session whose token was sent; null for a person.
 * @throws {OrchdError} ORCHD_UNAUTHORIZED, ORCHD_FOREIGN
 */
export function identify(
  request: IncomingMessage,
  isTcp: boolean,
  token: string,
  registry: Registry,
): SessionEntry | null {
  const { host, origin, authorization } = request.headers;
  if (isTcp) {
    // Node keeps the first of several Host headers, and a proxy may have checked another one.
    if ((request.headersDistinct['host']?.length ?? 0) > 1)
      throw new OrchdError('ORCHD_FOREIGN', 'the request has more than one Host header');
    if (!LOOPBACK_HOST.test(host ?? ''))
      throw new OrchdError('ORCHD_FOREIGN', `the host '${host}' is not this machine`);
    if (origin !== undefined && origin !== `http://${host}`) {
      throw new OrchdError('ORCHD_FOREIGN', `pages of '${origin}' may not call orchd`);
    }
  }
  const sent = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (sent !== undefined) {
    if (isSame(sent, token)) return null;
    const entry = registry.byTokenHash(hashToken(sent));
    if (entry) return entry;
    throw new OrchdError('ORCHD_UNAUTHORIZED', 'the token is not valid (or its session has ended)');
  }
  if (isTcp) throw new OrchdError('ORCHD_UNAUTHORIZED', 'a Bearer token is needed over TCP');
  return null;
}

/** @throws {OrchdError} ORCHD_FORBIDDEN unless a session may do this to `target`. */
export function permit(
  caller: SessionEntry | null,
  scope: Scope,
  target: SessionEntry | null,
  registry: Registry,
): void {
  if (!caller || scope === 'any') return;
  const isWithin = target !== null && registry.isWithin(target, caller);
  if (scope === 'own' && isWithin) return;
  if (scope === 'self' && target === caller) return;
  if (scope === 'started' && isWithin && target !== caller) return;
  throw new OrchdError('ORCHD_FORBIDDEN', `you are inside session '${caller.view.name}': ${ALLOWS[scope]}`);
}

const ALLOWS: Readonly<Record<Exclude<Scope, 'any'>, string>> = {
  own: 'it may do this only to itself and to sessions it started',
  started: 'it may do this only to sessions it started',
  self: 'it may do this only as itself',
  person: 'this is for a person to do',
};

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
