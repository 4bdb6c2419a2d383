import { join } from 'node:path';
import { displayLine, type InputOf, OrchdError, type WebDevice } from '../../protocol/index.js';
import { openBrowser } from '../daemon/open-browser.js';
import { type CommandSpec, flag, text } from '../program/command.js';
import type { Context } from '../program/context.js';

const ROLES = ['read', 'answer', 'all'] as const;

export const web: CommandSpec = {
  name: 'web',
  group: 'Daemon',
  summary: 'Open the dashboard in a browser, or list and sign out browsers.',
  options: [
    ['--no-open', 'only print the link, which works once and for a minute'],
    ['--role <role>', 'what the browser may do: read, answer or all (default)'],
    ['--name <name>', 'a name for the browser, which its answers carry'],
    ['--list', 'list the browsers that are signed in'],
    ['--revoke <device>', 'sign out a browser, at once'],
  ],
  examples: [
    'orchd web',
    'orchd web --no-open --json',
    'orchd web --no-open --role answer --name tablet',
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
    const role = roleOf(text(options, 'role'));
    const name = text(options, 'name');
    const link = await client.call('web.link', { ...(role && { role }), ...(name !== undefined && { name }) });
    const problem = options['open'] === false ? null : await open(context, link.url);
    if (problem !== null) context.note(`The browser was not opened: ${problem}. Open this link yourself:`);
    const isPrinted = options['open'] === false || problem !== null;
    await context.print(link, () => (isPrinted ? `${link.url}\n` : 'The dashboard opens in your browser.\n'));
    if (isPrinted) context.note('The link works once, and for a minute. `orchd web` makes a new one.');
    return undefined;
  },
};

const open = ({ env, paths }: Context, url: string): Promise<string | null> =>
  openBrowser(env, join(paths.stateDir, 'open-dashboard.html'), url);

/** @throws {OrchdError} ORCHD_USAGE */
function roleOf(given: string | undefined): InputOf<'web.link'>['role'] {
  const role = ROLES.find((one) => one === given);
  if (given !== undefined && !role) throw new OrchdError('ORCHD_USAGE', `--role ${given} is none of read, answer, all`);
  return role;
}

function table(devices: readonly WebDevice[]): string {
  if (devices.length === 0) return 'no browser is signed in; `orchd web` opens the dashboard\n';
  const rows = devices.map(({ id, name, role, last_seen_at, expires_at }) =>
    [id, role.padEnd(6), `seen ${last_seen_at}`, `until ${expires_at}`, displayLine(name)].join('  ').trimEnd(),
  );
  return `${rows.join('\n')}\n`;
}
