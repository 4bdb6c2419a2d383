/** Calls of operations on other machines: `--machine NAME`, or `NAME/SESSION` in the place of a session or an item. */

import { type Client, callMachine } from '../../client/index.js';
import {
  displayLine,
  type InputOf,
  type Item,
  type OperationName,
  OrchdError,
  type OutputOf,
} from '../../protocol/index.js';
import type { Cell } from '../printing/paint.js';
import { type OptionSpec, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

/** Means every machine. */
export const ALL = 'all';
/** The options of commands that read data of one machine, or of all machines. */
export const ONE_MACHINE: OptionSpec = ['--machine <name>', 'on this machine of the hub'];
export const ANY_MACHINE: OptionSpec = ['--machine <name>', 'of this machine of the hub; all: of all machines', [ALL]];

export interface RemoteTarget {
  /** The machine; undefined for this one. */
  readonly machine: string | undefined;
  /** Id, name, or beginning of an id, as the daemon of that machine resolves it. */
  readonly selector: string;
}

/** Returns the machine that --machine names. @throws {OrchdError} ORCHD_USAGE for all of them. */
export function machineOf(options: Options): string | undefined {
  const machine = text(options, 'machine');
  if (machine === ALL) throw new OrchdError('ORCHD_USAGE', 'name one machine: `orchd hub status` lists them');
  return machine;
}

/** Returns an id for a command line: after the name of its machine, if that is another one. */
export const idOn = (id: string, machine: string | undefined): string =>
  machine === undefined ? id : `${machine}/${id}`;

/** @throws {OrchdError} ORCHD_USAGE for two different machines, or for all of them. */
export function targetOf(selector: string, options: Options): RemoteTarget {
  const wanted = machineOf(options);
  const at = selector.indexOf('/');
  const named = at > 0 ? { machine: selector.slice(0, at), selector: selector.slice(at + 1) } : null;
  if (named && wanted !== undefined && wanted !== named.machine) {
    throw new OrchdError('ORCHD_USAGE', `'${selector}' is on '${named.machine}', and --machine names '${wanted}'`);
  }
  const place = named ?? { machine: wanted, selector };
  if (place.machine === ALL) throw new OrchdError('ORCHD_USAGE', 'name one machine: `orchd hub status` lists them');
  return place;
}

type Called<N extends OperationName> =
  | { readonly state: 'done'; readonly output: OutputOf<N> }
  /** The machine is away. It gets the command when it is back. */
  | { readonly state: 'on_its_way'; readonly commandId: string };

/** @throws {OrchdError} The error of the operation on that machine. */
async function callOn<N extends OperationName>(
  context: Context,
  machine: string,
  operation: N,
  input: InputOf<N>,
): Promise<Called<N>> {
  const given = input as Record<string, unknown>; // every input is a JSON object
  const called = await context.client().call('hub.call', { machine, operation, input: given });
  if (called.state === 'on_its_way') return { state: 'on_its_way', commandId: called.command_id ?? '' };
  return { state: 'done', output: called.output as OutputOf<N> }; // the operation determines it
}

/** Calls an operation that does not wait for a machine that is away. */
export const outputOn = <N extends OperationName>(
  context: Context,
  machine: string,
  operation: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> => callMachine(context.client(), machine, operation, input);

const HUB_AWAY: readonly string[] = ['ORCHD_HUB_UNREACHABLE', 'ORCHD_DAEMON_UNREACHABLE', 'ORCHD_DAEMON_SILENT'];

/** True while the hub or the daemon of this machine cannot be reached. */
export const isHubAway = (error: unknown): error is OrchdError =>
  error instanceof OrchdError && HUB_AWAY.includes(error.code);

/** Returns a client whose calls go to a machine of the hub; that of this machine if none is named. */
export function clientOn(context: Context, machine: string | undefined): Pick<Client, 'call'> {
  if (machine === undefined) return context.client();
  return { call: (operation, input) => outputOn(context, machine, operation, input) };
}

/** An entry of a list. It names its machine if `--machine` was given. */
export type OnMachine<T> = T & { readonly machine?: string };

export const onMachine = <T extends object>(one: T, machine: string | undefined): OnMachine<T> =>
  machine === undefined ? one : { ...one, machine };

/** The column with the machine in a table, if `--machine` was given. */
export const machineHead = (machine: string | undefined): string[] => (machine === undefined ? [] : ['MACHINE']);
export const machineCell = ({ machine }: { readonly machine?: string | undefined }): Cell[] =>
  machine === undefined ? [] : [{ text: machine }];

/** Returns the list of one machine, or of all that can be reached; a note names the others. */
export async function listOn<T extends object>(
  context: Context,
  machine: string | undefined,
  load: (client: Pick<Client, 'call'>) => Promise<readonly T[]>,
): Promise<OnMachine<T>[]> {
  if (machine === undefined) return [...(await load(context.client()))];
  const names =
    machine === ALL ? (await context.client().call('hub.status', {})).machines.map(({ name }) => name) : [machine];
  const lists = await Promise.all(
    names.map(async (name) => {
      const found = await load(clientOn(context, name)).catch((error: unknown) => {
        if (machine !== ALL || !(error instanceof OrchdError)) throw error;
        context.note(`${name}: ${error.message}`);
        return [];
      });
      return found.map((one) => ({ ...one, machine: name }));
    }),
  );
  return lists.flat();
}

/**
 * Finds an open item by the beginning of its id, or by the name or the id of the session that asks.
 *
 * @param machine  The machine; undefined for any machine of the hub.
 * @throws {OrchdError} ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS
 */
async function findMachineItem(
  context: Context,
  machine: string | undefined,
  selector: string,
): Promise<{ readonly machine: string; readonly item: Item }> {
  const open = await context.client().call('hub.items', machine === undefined ? {} : { machine });
  const asked = open.filter(({ item }) => item.session_name === selector || item.session_id === selector);
  const found = asked.length > 0 ? asked : open.filter(({ item }) => isBeginning(selector, item.id));
  const [one = await closedItem(context, machine, selector), other] = found;
  const where = machine === undefined ? 'on the machines of the hub' : `on '${machine}'`;
  if (!one) throw new OrchdError('ORCHD_ITEM_UNKNOWN', `there is no open item of '${selector}' ${where}`);
  if (!other) return one;
  const candidates = found.slice(0, MAX_CANDIDATES).map(({ machine: name, item }) => `${name}/${item.id}`);
  throw new OrchdError('ORCHD_AMBIGUOUS', `several items fit, give an id: ${candidates.join(', ')}`, { candidates });
}

/**
 * Finds an item that was closed meanwhile: the hub lists open ones only, so the machines are asked. An answer to it is
 * then refused by its machine, with the answer that was faster.
 *
 * @param selector  The id of an item; with a machine also a session, for its item that was answered last.
 * @returns Undefined if no machine that can be reached has it.
 */
async function closedItem(context: Context, machine: string | undefined, selector: string) {
  if (!selector.startsWith('itm_')) {
    if (machine === undefined) return undefined;
    const items = await outputOn(context, machine, 'inbox.list', { all: true, session: selector }).catch(() => []);
    const item = items.findLast(({ state }) => state === 'answered');
    return item && { machine, item };
  }
  const { name: own, machines } = await context.client().call('hub.status', {});
  const asked = machines.filter(({ name, away }) => !away && (machine === undefined ? name !== own : name === machine));
  const found = asked.map(async ({ name }) => ({
    machine: name,
    item: await outputOn(context, name, 'inbox.show', { item: selector }),
  }));
  return Promise.any(found).catch(() => undefined);
}

const MAX_CANDIDATES = 5;
const isBeginning = (selector: string, id: string): boolean =>
  id.startsWith(selector) || id.startsWith(`itm_${selector}`);

/** Answers an item of another machine, and prints what became of the answer. */
export async function answerOn(
  context: Context,
  { machine, selector }: { readonly machine: string | undefined; readonly selector: string },
  request: Omit<InputOf<'inbox.answer'>, 'item' | 'by'>,
): Promise<undefined> {
  const { machine: name, item } = await findMachineItem(context, machine, selector);
  const called = await callOn(context, name, 'inbox.answer', { item: item.id, ...request });
  const asking = `${name}/${item.session_name}`;
  if (called.state === 'done') {
    const words = displayLine(called.output.answer?.text ?? '');
    await context.print({ ...called.output, machine: name }, () =>
      context.isQuiet ? `${item.id}\n` : `answered ${asking}: ${words}\n`,
    );
    return undefined;
  }
  const { commandId } = called;
  await context.print({ machine: name, item: item.id, state: 'on_its_way', command_id: commandId }, () =>
    context.isQuiet
      ? `${item.id}\n`
      : `the answer to ${asking} is on its way, and is delivered as soon as ${name} can be reached (\`orchd hub commands\`)\n`,
  );
  return undefined;
}
