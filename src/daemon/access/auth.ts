/**
 * Authentication. On the Unix socket (mode 0600), every client that can open it is accepted; on TCP, every client with
 * the token. A session's own token, on either, identifies the caller as that session, and a browser's as that browser.
 * Both have fewer permissions.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { OrchdError, type Scope, type WebDevice } from '../../protocol/index.js';
import { hashToken } from '../program/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Devices } from '../web/index.js';
import { checkAddress, type ListenerAddress } from './listener-address.js';

/**
 * The caller: a program inside of a session, a browser, or, if both are null, a person with the socket or the token.
 */
export interface Identity {
  readonly session: SessionEntry | null;
  readonly device: WebDevice | null;
}

export interface Secrets {
  readonly token: string;
  readonly registry: Registry;
  readonly devices: Pick<Devices, 'byToken'>;
}

const PERSON: Identity = { session: null, device: null };

/**
 * @param place The TCP listener of the request; null for the Unix socket.
 * @throws {OrchdError} ORCHD_UNAUTHORIZED, ORCHD_FOREIGN
 */
export function identify(request: IncomingMessage, place: ListenerAddress | null, secrets: Secrets): Identity {
  if (place) checkAddress(request, place);
  const sent = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (sent !== undefined) return identifyToken(sent, secrets);
  if (place) throw new OrchdError('ORCHD_UNAUTHORIZED', 'a Bearer token is needed over TCP');
  return PERSON;
}

/** @throws {OrchdError} ORCHD_UNAUTHORIZED */
export function identifyToken(sent: string, { token, registry, devices }: Secrets): Identity {
  if (isSame(sent, token)) return PERSON;
  const session = registry.byTokenHash(hashToken(sent));
  if (session) return { session, device: null };
  const device = devices.byToken(sent);
  if (device) return { session: null, device };
  throw new OrchdError('ORCHD_UNAUTHORIZED', 'the token is not valid (or its session has ended)');
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
