/** Calls of operations on other machines: `--machine NAME`, or `NAME/SESSION` in the place of a session or an item. */
import {
  displayLine,
  type InputOf,
  type Item,
  type OperationName,
  OrchdError,
  type OutputOf,
} from '../../protocol/index.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export interface Place {
  /** The machine; undefined for this one. */
  readonly machine: string | undefined;
  /** What is meant on that machine. */
  readonly selector: string;
}

/** @throws {OrchdError} ORCHD_USAGE for two different machines, or for all of them. */
export function placeOf(selector: string, options: Options): Place {
  const wanted = text(options, 'machine');
  const at = selector.indexOf('/');
  const named = at > 0 ? { machine: selector.slice(0, at), selector: selector.slice(at + 1) } : null;
  if (named && wanted !== undefined && wanted !== named.machine) {
    throw new OrchdError('ORCHD_USAGE', `'${selector}' is on '${named.machine}', and --machine names '${wanted}'`);
  }
  const place = named ?? { machine: wanted, selector };
  if (place.machine === 'all') throw new OrchdError('ORCHD_USAGE', 'name one machine: `orchd hub status` lists them');
  return place;
}

type Called<N extends OperationName> =
  | { readonly state: 'done'; readonly output: OutputOf<N> }
  /** The machine is away, and gets it when it is back. */
  | { readonly state: 'on_its_way'; readonly commandId: string };

/** @throws {OrchdError} The error of the operation on that machine. */
export async function callOn<N extends OperationName>(
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
export async function outputOn<N extends OperationName>(
  context: Context,
  machine: string,
  operation: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  const called = await callOn(context, machine, operation, input);
  if (called.state === 'done') return called.output;
  throw new OrchdError('ORCHD_MACHINE_AWAY', `'${machine}' is away`);
}

/**
 * Finds an open item by the beginning of its id, or by the name or the id of the session that asks.
 *
 * @param machine  Undefined: on any machine of the hub.
 * @throws {OrchdError} ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS
 */
export async function findMachineItem(
  context: Context,
  machine: string | undefined,
  selector: string,
): Promise<{ readonly machine: string; readonly item: Item }> {
  const open = await context.client().call('hub.items', machine === undefined ? {} : { machine });
  const asked = open.filter(({ item }) => item.session_name === selector || item.session_id === selector);
  const found = asked.length > 0 ? asked : open.filter(({ item }) => isBeginning(selector, item.id));
  const [one, other] = found;
  const where = machine === undefined ? 'on the machines of the hub' : `on '${machine}'`;
  if (!one) throw new OrchdError('ORCHD_ITEM_UNKNOWN', `there is no open item of '${selector}' ${where}`);
  if (!other) return one;
  const candidates = found.slice(0, MAX_CANDIDATES).map(({ machine: name, item }) => `${name}/${item.id}`);
  throw new OrchdError('ORCHD_AMBIGUOUS', `several items fit, give an id: ${candidates.join(', ')}`, { candidates });
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
