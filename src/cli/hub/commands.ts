/** Commands between machines: those that were sent, and the keys of the machines that may send them. */
import { displayLine, type OutputOf } from '../../protocol/index.js';
import { rowTime } from '../printing/local-time.js';
import { columns } from '../printing/output.js';
import { type Cell, table } from '../printing/paint.js';
import type { Context } from '../program/context.js';

type Sent = OutputOf<'hub.commands'>[number];

export async function printCommands(context: Context): Promise<undefined> {
  const sent = await context.client().call('hub.commands', {});
  if (context.isJson || context.isQuiet || sent.length === 0) {
    const ids = sent.map(({ id }) => `${id}\n`).join('');
    await context.print(sent, () => (context.isQuiet ? ids : 'no command was sent to another machine\n'));
    return undefined;
  }
  await context.write(await table(context.paint, HEAD, sent.map(row), columns(), LESS_NEEDED));
  return undefined;
}

const HEAD = ['AT', 'MACHINE', 'COMMAND', 'ON', 'STATE'];
const LESS_NEEDED = ['AT', 'COMMAND'];
const STYLE = { on_its_way: 'yellow', running: 'cyan', delivered: 'green', refused: 'red', expired: 'red' } as const;

function row({ at, to, operation, input, state, error }: Sent): Cell[] {
  const words = error === undefined ? state.replaceAll('_', ' ') : `${state}: ${displayLine(error)}`;
  return [
    { text: rowTime(at), style: 'dim' },
    { text: to, style: 'bold' },
    { text: operation },
    { text: displayLine(aboutOf(input)) },
    { text: words, style: STYLE[state] },
  ];
}

const ABOUT = ['item', 'session', 'run', 'id', 'workflow', 'command', 'blueprint', 'prompt', 'name'] as const;
const MAX_ABOUT = 40;

/** Returns what a command is about: the id of something, or the beginning of what it starts. */
function aboutOf(input: Sent['input']): string {
  const value = ABOUT.map((name) => input[name]).find((one) => one !== undefined) ?? '-';
  const chars = [...(Array.isArray(value) ? value.join(' ') : String(value))];
  return chars.length <= MAX_ABOUT ? chars.join('') : `${chars.slice(0, MAX_ABOUT - 1).join('')}…`;
}

export async function printKeys(context: Context): Promise<undefined> {
  await print(context, await context.client().call('hub.keys', {}));
  return undefined;
}

export async function enroll(context: Context, name: string, key: string): Promise<undefined> {
  await print(context, await context.client().call('hub.enroll', { name, key }));
  return undefined;
}

export async function unenroll(context: Context, name: string): Promise<undefined> {
  await print(context, await context.client().call('hub.unenroll', { name }));
  return undefined;
}

async function print(context: Context, found: OutputOf<'hub.keys'>): Promise<void> {
  const { keys, accept } = found;
  const list = keys.map(({ name, key }) => `${name}  ${key}\n`).join('');
  const may = accept.length === 0 ? 'may do nothing' : `may: ${accept.join(', ')}`;
  await context.print(found, () => {
    if (context.isQuiet) return keys.map(({ name }) => `${name}\n`).join('');
    return keys.length === 0
      ? 'no key is enrolled: other machines may do nothing here\n'
      : `${list}they ${may} (hub.accept)\n`;
  });
}
