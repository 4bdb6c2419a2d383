import { timestamp } from '../../lifecycle/index.js';
import { OrchdError, WEB_PATH } from '../../protocol/index.js';
import type { Devices } from '../web/index.js';
import type { Handlers } from './handler.js';

export interface WebPorts {
  readonly devices: Devices;
  readonly url: () => string | null;
}

export const webHandlers = ({ devices, url }: WebPorts) =>
  ({
    'web.link': async ({ role = 'all', name = '' }) => {
      const at = url();
      if (at === null)
        throw new OrchdError('ORCHD_NO_TCP', 'browsers need a TCP address, and the daemon listens on its socket only');
      const { code, expiresAt } = devices.invite(role, name);
      return { url: `${at}${WEB_PATH}#code=${code}`, role, expires_at: timestamp(expiresAt) };
    },
    'web.enter': async ({ code }) => {
      const { token, device } = devices.enter(code);
      return { token, expires_at: device.expires_at, role: device.role, device };
    },
    'web.list': async () => devices.list(),
    'web.revoke': async ({ device }) => devices.revoke(device),
  }) satisfies Partial<Handlers>;
