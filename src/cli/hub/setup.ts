/** Commands that set a hub up: its keys, the configuration of its server, and its streams. They need no daemon. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeDirectory } from '../../host/index.js';
import { type HubRole, type HubUser, initHub, publicKey, serverConfig } from '../../hub/index.js';
import { isLabelName, OrchdError } from '../../protocol/index.js';
import { parseAge, parseByteSize, parseWhole } from '../input/parse-values.js';
import { list, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { connectionOptions } from './membership.js';

const ROLES: readonly HubRole[] = ['machine', 'viewer', 'admin'];
const DEFAULT_STORE = '/var/lib/orchd-hub';
const DEFAULT_STORE_SIZE = '10GB';
const DEFAULT_MESSAGE_SIZE = '1MB';
const DEFAULT_AGE = '30d';
const DEFAULT_EVENTS_SIZE = '4GB';
const MAX_REPLICAS = 5;

export async function printKey(context: Context): Promise<undefined> {
  const { hubKeyFile } = context.paths;
  makeDirectory(dirname(hubKeyFile), 0o700);
  const key = publicKey(hubKeyFile);
  await context.print({ key, file: hubKeyFile }, () => `${key}\n`);
  return undefined;
}

export async function printConfig(context: Context, options: Options): Promise<undefined> {
  const labels = list(options, 'label').map(parseLabel);
  const users = ROLES.flatMap((role) => list(options, role).map((given) => parseUser(role, given))).map((user) => ({
    ...user,
    ...(user.role === 'machine' && {
      labels: labels.filter(({ name }) => name === user.name).map(({ label }) => label),
    }),
  }));
  const unknown = labels.find(({ name }) => !users.some((user) => user.role === 'machine' && user.name === name));
  if (unknown) throw new OrchdError('ORCHD_USAGE', `--label names '${unknown.name}', and there is no such --machine`);
  if (users.length === 0) {
    throw new OrchdError('ORCHD_USAGE', 'name at least one --machine NAME=KEY; `orchd hub key` prints the key');
  }
  const [cert, key] = [text(options, 'tlsCert'), text(options, 'tlsKey')];
  if ((cert === undefined) !== (key === undefined)) {
    throw new OrchdError('ORCHD_USAGE', '--tls-cert and --tls-key go together');
  }
  const config = serverConfig({
    users,
    listen: text(options, 'listen') ?? (cert === undefined ? '127.0.0.1:4222' : '0.0.0.0:4222'),
    storeDir: resolve(context.cwd, text(options, 'store') ?? DEFAULT_STORE),
    maxStoreBytes: parseByteSize('--max-store', text(options, 'maxStore') ?? DEFAULT_STORE_SIZE),
    maxMessageBytes: parseByteSize('--max-message', text(options, 'maxMessage') ?? DEFAULT_MESSAGE_SIZE),
    ...(cert !== undefined &&
      key !== undefined && { tls: { cert: resolve(context.cwd, cert), key: resolve(context.cwd, key) } }),
  });
  await context.print({ config }, () => config);
  return undefined;
}

function parseUser(role: HubRole, given: string): HubUser {
  const [name, key, ...rest] = given.split('=');
  if (!name || !key || rest.length > 0) {
    throw new OrchdError('ORCHD_USAGE', `--${role} takes NAME=KEY, not '${given}'; \`orchd hub key\` prints the key`);
  }
  return { role, name, key };
}

function parseLabel(given: string): { readonly name: string; readonly label: string } {
  const [name, label, ...rest] = given.split('=');
  if (name && label && rest.length === 0 && isLabelName(label)) return { name, label };
  throw new OrchdError('ORCHD_USAGE', `--label takes NAME=LABEL, such as build-7=gpu, not '${given}'`);
}

export async function initialize(context: Context, url: string, options: Options): Promise<undefined> {
  const { hubKeyFile } = context.paths;
  const created = await initHub(
    {
      url,
      name: text(options, 'name') ?? 'admin',
      ...(existsSync(hubKeyFile) && { creds: hubKeyFile }),
      ...connectionOptions(context, options),
    },
    {
      maxAgeMs: parseAge('--max-age', text(options, 'maxAge') ?? DEFAULT_AGE),
      maxBytes: parseByteSize('--max-bytes', text(options, 'maxBytes') ?? DEFAULT_EVENTS_SIZE),
      replicas: parseWhole('--replicas', text(options, 'replicas') ?? '1', { least: 1, most: MAX_REPLICAS }),
    },
  );
  await context.print({ created }, () =>
    created.length === 0
      ? 'the streams were there; they have these limits now\n'
      : `created ${created.join(', ')}; \`orchd hub join ${url}\` joins from each machine\n`,
  );
  return undefined;
}
