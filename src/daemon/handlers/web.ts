/**
 * Handlers of the `web.*` operations: links that let a browser into the dashboard, the listener for other devices, and
 * the list of devices.
 */
import { timestamp } from '../../lifecycle/index.js';
import { OrchdError, WEB_PATH } from '../../protocol/index.js';
import type { Devices, WebListener } from '../web/index.js';
import type { DaemonPorts } from './daemon.js';
import type { Handlers } from './handler.js';

export interface WebPorts {
  readonly devices: Devices;
  readonly url: () => string | null;
  readonly tcp: DaemonPorts['tcp'];
  /** Null until the server is open. */
  readonly web: () => WebListener | null;
}

export const webHandlers = ({ devices, url, tcp, web }: WebPorts) =>
  ({
    'web.link': async ({ role = 'all', name = '', elsewhere = false }) => {
      const outside = web()?.state.url ?? null;
      const at = elsewhere ? outside : (url() ?? outside);
      if (at === null && elsewhere)
        throw new OrchdError('ORCHD_WEB_LOCAL', 'the dashboard can be reached from this machine only');
      if (at === null) {
        const why = tcp().problem ?? 'the daemon listens on its socket only';
        throw new OrchdError('ORCHD_NO_TCP', `browsers need a TCP address, and there is none: ${why}`);
      }
      const { code, expiresAt } = devices.invite(role, name);
      return { url: `${at}${WEB_PATH}#code=${code}`, role, expires_at: timestamp(expiresAt) };
    },
    'web.listen': async ({ listen = '', tls_cert = '', tls_key = '', behind_proxy = '' }) => {
      const listener = web();
      if (!listener) throw new OrchdError('ORCHD_BUSY', 'the daemon is still opening its listeners');
      return listener.listen({ listen, tls_cert, tls_key, behind_proxy }, 'command');
    },
    'web.enter': async ({ code }) => {
      const { token, device } = devices.enter(code);
      return { token, expires_at: device.expires_at, role: device.role, device };
    },
    'web.list': async () => devices.list(),
    'web.revoke': async ({ device }) => devices.revoke(device),
  }) satisfies Partial<Handlers>;
