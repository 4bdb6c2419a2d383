/** The lists with `--machine`: the sessions and the open items of other machines. */
import { awayWords, displayLine, OrchdError, type Session } from '../../protocol/index.js';
import { itemText } from '../printing/item-text.js';
import { columns } from '../printing/output.js';
import type { Cell } from '../printing/paint.js';
import type { Context } from '../program/context.js';
import { ALL } from './remote-target.js';

type Of<T> = T & { readonly machine: string };

interface MachineSessions {
  readonly sessions: readonly Of<Session>[];
  /** Returns the cell with the name of the machine of a session, and its age if it is away. */
  readonly cellOf: (session: Session) => Cell;
}

/** Returns the sessions of a machine, or of all. The filters are those of `orchd ls`. */
export async function machineSessions(
  context: Context,
  machine: string,
  wanted: { readonly isLiving: boolean; readonly tag: string | undefined },
): Promise<MachineSessions> {
  const found = await context.client().call('hub.sessions', machine === ALL ? {} : { machine });
  const cells = new Map(found.map(({ session, ...where }) => [session.id, machineCell(where)]));
  const sessions = found
    .map(({ machine: name, session }) => ({ ...session, machine: name }))
    .filter(({ ended_at }) => !wanted.isLiving || ended_at === null)
    .filter(({ tags = [] }) => wanted.tag === undefined || tags.includes(wanted.tag));
  return { sessions, cellOf: ({ id }) => cells.get(id) ?? { text: '-' } };
}

function machineCell({ machine, away, age_ms }: { machine: string; away: boolean; age_ms: number }): Cell {
  return away ? { text: `${machine}, ${awayWords(age_ms)}`, style: 'yellow' } : { text: machine };
}

interface WantedItems {
  /** The id of one item, or its beginning. */
  readonly item: string | undefined;
  /** The name or the id of a session. */
  readonly session: string | undefined;
}

/** Prints the open items of a machine, or of all; with `item` that one in full. */
export async function printMachineItems(context: Context, machine: string, wanted: WantedItems): Promise<undefined> {
  const all = await context.client().call('hub.items', machine === ALL ? {} : { machine });
  const found = all
    .filter(({ item }) => wanted.item === undefined || item.id.startsWith(wanted.item))
    .filter(({ item: { session_id: id, session_name: name } }) => [undefined, id, name].includes(wanted.session));
  if (wanted.item !== undefined) requireOne(wanted.item, found.length);
  const items = found.map(({ machine: name, item, on_its_way: sent }) => ({
    ...item,
    machine: name,
    ...(sent && { on_its_way: sent }),
  }));
  const isWhole = wanted.item !== undefined;
  const shown = (): string => {
    if (context.isQuiet) return items.map(({ id }) => `${id}\n`).join('');
    const options = { paint: context.paint, columns: columns(), now: Date.now(), isWhole };
    const texts = found.map(({ machine: name, away, age_ms, item, on_its_way: sent }) => {
      const place = away ? `${name} (${awayWords(age_ms)})` : name;
      const text = itemText({ ...item, session_name: `${place}/${item.session_name}` }, options);
      return sent ? `${text}\n  on its way to ${name}: ${displayLine(sent.text)} (${sent.by})\n` : `${text}\n`;
    });
    return texts.join('') || 'nothing waits for you\n';
  };
  await context.print(isWhole ? items[0] : items, shown);
  return undefined;
}

function requireOne(item: string, count: number): void {
  if (count === 0) throw new OrchdError('ORCHD_ITEM_UNKNOWN', `there is no open item '${item}' on these machines`);
  if (count > 1) throw new OrchdError('ORCHD_AMBIGUOUS', `${count} items begin with '${item}'`);
}
