/** Commands for the membership of this machine in a hub. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { EXIT, notOnHub, type OutputOf, spanWords } from '../../protocol/index.js';
import { parseWhole } from '../input/parse-values.js';
import { bytesInWords } from '../printing/counts.js';
import { columns } from '../printing/output.js';
import { type Cell, table } from '../printing/paint.js';
import { flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

type HubStatus = OutputOf<'hub.status'>;
type Machine = HubStatus['machines'][number];

export async function join(context: Context, url: string, options: Options): Promise<undefined> {
  const since = text(options, 'since');
  const found = await context.client().call('hub.join', {
    url,
    name: text(options, 'name') ?? ownName(),
    ...(since !== undefined && { since: parseWhole('--since', since) }),
    ...(flag(options, 'replace') && { replace: true }),
    ...connectionOptions(context, options),
  });
  await context.print(found, () => `this machine is '${found.name}' on ${found.url}\n`);
  return undefined;
}

/** Returns the first part of the host name, in characters that a name may have. */
const ownName = (): string => (hostname().split('.')[0] ?? '').replace(/[^A-Za-z0-9_-]/g, '-');

export async function leave(context: Context): Promise<undefined> {
  const found = await context.client().call('hub.leave', {});
  await context.print(found, () => 'this machine is on no hub now; what it published stays there\n');
  return undefined;
}

export async function status(context: Context): Promise<number | undefined> {
  const found = await context.client().call('hub.status', {});
  if (!found.joined && found.problem === undefined && !context.isJson) throw notOnHub();
  if (context.isJson || context.isQuiet) {
    const here = (): string => found.machines.flatMap(({ name, away }) => (away ? [] : [`${name}\n`])).join('');
    await context.print(found, here);
  } else {
    await context.write(ownLines(found));
    if (found.machines.length > 0) {
      const rows = found.machines.map(machineRow);
      await context.write(`\n${await table(context.paint, HEAD, rows, columns(), LESS_NEEDED)}`);
    }
  }
  return found.problem === undefined ? undefined : EXIT.failed;
}

function ownLines(found: HubStatus): string {
  const { last_contact_ms: contact = null, published_seq: published = null, lag = null } = found;
  const lines = [
    `hub        ${found.url ?? '-'}`,
    `machine    ${found.name ?? '-'}, shares ${found.share === 'screens' ? 'screens' : 'its inbox'}`,
    `state      ${found.problem ?? found.state}`,
    `published  ${published === null ? 'not known before the first contact' : `event ${published}`}${lag ? `, ${lag} events behind` : ''}`,
    `contact    ${contact === null ? 'none yet' : `${spanWords(contact / 1000)} ago`}`,
  ];
  if (found.limits) lines.push(`limits     ${limitsInWords(found.limits)}`);
  if (found.labels?.length) lines.push(`labels     ${found.labels.join(', ')}`);
  if (found.labels_problem !== undefined) lines.push(`labels     work cannot be taken: ${found.labels_problem}`);
  if (found.unreadable !== undefined) lines.push(`machines   cannot be read: ${found.unreadable}`);
  if (found.commands_problem !== undefined) lines.push(`commands   cannot be exchanged: ${found.commands_problem}`);
  for (const words of found.warnings ?? []) lines.push(`warning    ${words}`);
  return `${lines.join('\n')}\n`;
}

function limitsInWords(limits: NonNullable<HubStatus['limits']>): string {
  const { max_age_ms: age, max_bytes: most, bytes, max_message_bytes: message, events_per_second: rate } = limits;
  const kept = age > 0 ? `events are kept for ${spanWords(age / 1_000)}` : 'events are kept';
  const size = most > 0 ? ` and ${bytesInWords(most)}` : '';
  const pace = rate > 0 ? `; ${rate} events a second from here` : '';
  return `${kept}${size} (now ${bytesInWords(bytes)}); messages of ${bytesInWords(message)}${pace}`;
}

const HEAD = ['MACHINE', 'STATE', 'VERSION', 'SESSIONS', 'OPEN', 'LAG', 'LABELS'];
const LESS_NEEDED = ['VERSION', 'LAG', 'LABELS'];

function machineRow(machine: Machine): Cell[] {
  const lag = machine.last_seq - machine.published_seq;
  return [
    { text: machine.name, style: 'bold' },
    machine.away
      ? { text: `away for ${spanWords(machine.age_ms / 1000)}`, style: 'yellow' }
      : { text: 'here', style: 'green' },
    { text: machine.version, style: 'dim' },
    { text: String(machine.sessions) },
    { text: machine.open_items > 0 ? String(machine.open_items) : '-' },
    { text: lag > 0 ? String(lag) : '-' },
    { text: (machine.labels ?? []).join(', ') || '-' },
  ];
}

/** Reads the options of a connection to a server. Paths of files become absolute: the daemon reads them. */
export function connectionOptions(context: Context, options: Options) {
  const path = (name: string): string | undefined => {
    const given = text(options, name);
    return given === undefined ? undefined : resolve(context.cwd, given);
  };
  const [creds, ca] = [path('creds'), path('ca')];
  return {
    ...(creds !== undefined && { creds }),
    ...(ca !== undefined && { ca }),
    ...(flag(options, 'insecure') && { insecure: true }),
  };
}
