/** The status row of an attached terminal: the session, what waits for an answer, and the latest notice. Pure. */
import type { Size } from '../../protocol/index.js';
import { type Connection, type Model, openItems, openItemsOf } from '../model/model.js';
import { cut, fill, plainLine, widthOf } from '../paint/text.js';
import { attachable } from './attach-places.js';

interface StatusInput {
  readonly name: string;
  readonly sessionId: string;
  readonly model: Model;
  /** The prefix key, such as `Ctrl-]`. */
  readonly prefix: string;
  readonly isReadOnly: boolean;
  /** The session's size if it differs from this terminal's; otherwise null. */
  readonly foreignSize: Size | null;
  /** A notice that replaces the rest of the row. */
  readonly notice: string | null;
}

/** Returns a text of exactly `columns` columns, without attributes. */
export function statusRow(input: StatusInput, columns: number): string {
  const { notice, model, sessionId, prefix } = input;
  if (notice !== null) return fill(` ${notice}`, columns);
  const living = attachable(model);
  const index = living.findIndex(({ id }) => id === sessionId);
  const open = openItems(model).length;
  const own = openItemsOf(model, sessionId).length;
  const size = input.foreignSize;
  const left = [
    plainLine(input.name),
    living[index]?.state,
    living[index]?.mode === 'batch' ? 'batch' : null,
    input.isReadOnly ? 'read-only' : null,
    size && `${size.cols}x${size.rows} of another client`,
    CONNECTIONS[model.connection.kind],
  ];
  const right = [
    open === 0 ? null : `${open} open`,
    index < 0 ? null : `${index + 1}/${living.length}`,
    own > 0 ? `${prefix} a answers` : `${prefix} ? helps`,
  ];
  const end = ` ${joined(right)} `;
  const room = columns - widthOf(end);
  // A very narrow terminal shows the name alone.
  if (room < NARROW) return fill(` ${joined(left)}`, columns);
  return fill(` ${joined(left)}`, room) + cut(end, columns);
}

const NARROW = 12;
const CONNECTIONS: Readonly<Record<Connection['kind'], string | null>> = {
  connecting: null,
  connected: null,
  away: 'the daemon is away',
};

const joined = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
