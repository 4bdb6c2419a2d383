/** Prints a list: a table for people, ids with `--quiet`, everything with `--json`. */
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
