/**
 * Prints a list or the state of one thing: a table or a line for people, ids with `--quiet`, everything with `--json`.
 */
import type { Context } from '../program/context.js';
import { columns } from './output.js';
import { type Cell, table } from './paint.js';

interface Listed<T> {
  readonly idOf: (one: T) => string;
  /** The text for an empty list: how to create an entry. */
  readonly none: string;
  readonly head: readonly string[];
  readonly row: (one: T) => Cell[];
}

export async function printList<T>(
  context: Context,
  all: readonly T[],
  { idOf, none, head, row }: Listed<T>,
): Promise<undefined> {
  if (context.isJson || context.isQuiet) await context.print(all, () => all.map((one) => `${idOf(one)}\n`).join(''));
  else if (all.length === 0) await context.write(`${none}\n`);
  else await context.write(await table(context.paint, head, all.map(row), columns()));
  return undefined;
}

/**
 * Prints what has become of one thing: its id and state for people, the id with `--quiet`, everything with `--json`.
 */
export async function printState(
  context: Context,
  one: { readonly id: string; readonly state: string },
): Promise<undefined> {
  await context.print(one, () => (context.isQuiet ? `${one.id}\n` : `${one.id} ${one.state}\n`));
  return undefined;
}
