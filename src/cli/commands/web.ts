import { join, resolve } from 'node:path';
import {
  displayLine,
  type InputOf,
  OrchdError,
  type OutputOf,
  WEB_ROLES,
  type WebDevice,
} from '../../protocol/index.js';
import { openBrowser } from '../daemon/open-browser.js';
import { type CommandSpec, flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const web: CommandSpec = {
  name: 'web',
  group: 'Daemon',
  summary: 'Open the dashboard in a browser, let other devices in, or list and sign out browsers.',
  options: [
    ['--no-open', 'only print the link, which works once and for a minute'],
    ['--role <role>', 'what the browser may do: read, answer or all (default)'],
    ['--name <name>', 'a name for the browser, which its answers carry'],
    ['--qr', 'show the link for another device as a QR code; that needs one of the next two'],
    ['--listen <address:port>', 'let other devices in, until the daemon ends (off: no more), for example 0.0.0.0:8443'],
    ['--behind-proxy <url>', 'the https:// address of a reverse proxy that passes browsers on to the daemon'],
    ['--tls-cert <file>', 'with --listen: the certificate chain (PEM)'],
    ['--tls-key <file>', 'with --listen: its private key (PEM)'],
    ['--list', 'list the browsers that are signed in'],
    ['--revoke <device>', 'sign out a browser, at once'],
  ],
  examples: [
    'orchd web',
    'orchd web --no-open --json',
    'orchd web --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem',
    'orchd web --behind-proxy https://orchd.example.org',
    'orchd web --qr --role answer --name phone',
    'orchd web --list',
    'orchd web --revoke dev_Xk29sQ',
  ],
  async run(context, _args, options) {
    const client = context.client();
    if (flag(options, 'list')) {
      const devices = await client.call('web.list', {});
      await context.print(devices, () => table(devices));
      return undefined;
    }
    const revoked = text(options, 'revoke');
    if (revoked !== undefined) {
      const device = await client.call('web.revoke', { device: revoked });
      await context.print(device, () => `${device.id} is signed out\n`);
      return undefined;
    }
    const wanted = wantedListener(context, options);
    if (wanted) {
      const listener = await client.call('web.listen', wanted);
      const isQr = flag(options, 'qr') && listener.url !== null;
      if (!isQr) {
        await context.print(listener, () => described(listener));
        return undefined;
      }
      context.note(described(listener).trimEnd());
    }
    const role = roleOf(text(options, 'role'));
    const name = text(options, 'name');
    const about = { ...(role && { role }), ...(name !== undefined && { name }) };
    if (flag(options, 'qr')) {
      const link = await client.call('web.link', { ...about, elsewhere: true });
      const { qrLines } = await import('../printing/qr-lines.js');
      const code = qrLines(link.url, context.paint);
      await context.print(link, () => `${code}\n${link.url}\n`);
      context.note(`Scan it within a minute. It works once, and the browser ${MAY[link.role]}.`);
      return undefined;
    }
    const link = await client.call('web.link', about);
    const problem = options['open'] === false ? null : await open(context, link.url);
    if (problem !== null) context.note(`The browser was not opened: ${problem}. Open this link yourself:`);
    const isPrinted = options['open'] === false || problem !== null;
    await context.print(link, () => (isPrinted ? `${link.url}\n` : 'The dashboard opens in your browser.\n'));
    if (isPrinted) context.note('The link works once, and for a minute. `orchd web` makes a new one.');
    return undefined;
  },
};

const MAY = { read: 'may read', answer: 'may read and answer', all: 'may do everything' } as const;

/**
 * Returns the wanted listener for other devices; null if none of its options was given.
 * @throws {OrchdError} ORCHD_USAGE
 */
function wantedListener({ cwd }: Context, options: Options): InputOf<'web.listen'> | null {
  const [listen, proxy] = [text(options, 'listen'), text(options, 'behindProxy')];
  const [cert, key] = [text(options, 'tlsCert'), text(options, 'tlsKey')];
  if (listen === undefined && proxy === undefined) {
    if (cert === undefined && key === undefined) return null;
    throw new OrchdError('ORCHD_USAGE', '--tls-cert and --tls-key need --listen ADDRESS:PORT');
  }
  if (listen === 'off') return {};
  return {
    ...(listen !== undefined && { listen }),
    ...(proxy !== undefined && { behind_proxy: proxy }),
    ...(cert !== undefined && { tls_cert: resolve(cwd, cert) }),
    ...(key !== undefined && { tls_key: resolve(cwd, key) }),
  };
}

function described({ url }: OutputOf<'web.listen'>): string {
  if (url === null) return 'other devices cannot reach the dashboard any more\n';
  return (
    `other devices reach the dashboard at ${url}/ui/ until the daemon ends; [web] in the configuration keeps that\n` +
    '`orchd web --qr --role answer --name phone` lets one in\n'
  );
}

const open = ({ env, paths }: Context, url: string): Promise<string | null> =>
  openBrowser(env, join(paths.stateDir, 'open-dashboard.html'), url);

/** @throws {OrchdError} ORCHD_USAGE */
function roleOf(given: string | undefined): InputOf<'web.link'>['role'] {
  const role = WEB_ROLES.find((one) => one === given);
  if (given !== undefined && !role)
    throw new OrchdError('ORCHD_USAGE', `--role takes read, answer or all, not '${given}'`);
  return role;
}

function table(devices: readonly WebDevice[]): string {
  if (devices.length === 0) return 'no browser is signed in; `orchd web` opens the dashboard\n';
  const rows = devices.map(({ id, name, role, last_seen_at, expires_at }) =>
    [id, role.padEnd(6), `seen ${last_seen_at}`, `until ${expires_at}`, displayLine(name)].join('  ').trimEnd(),
  );
  return `${rows.join('\n')}\n`;
}
