/** The status row of an attached terminal: the session, what waits for an answer, and the latest notice. Pure. */
import {
  type AttachSegment,
  costWords,
  counted,
  lineWords,
  type Segments,
  type Size,
  shownState,
} from '../../../protocol/index.js';
import { type Connection, type Model, openItems, openItemsOf } from '../../model/model.js';
import { cut, fill, plainLine, widthOf } from '../../paint/text.js';
import { attachable } from '../reachable-sessions.js';

interface StatusInput {
  readonly name: string;
  readonly sessionId: string;
  readonly model: Model;
  /** The prefix key, such as `Ctrl-]`. */
  readonly prefix: string;
  readonly isReadOnly: boolean;
  /** The session's size if it differs from this terminal's; otherwise null. */
  readonly foreignSize: Size | null;
  /** The other clients that show this session; null if there are none. */
  readonly guests: string | null;
  readonly segments: Segments<AttachSegment>;
  /** A notice that replaces the rest of the row. */
  readonly notice: string | null;
}

/** Returns a text of exactly `columns` columns, without attributes. */
export function statusRow(input: StatusInput, columns: number): string {
  const { notice } = input;
  if (notice !== null) return fill(` ${notice}`, columns);
  const { segments } = input;
  const words = wordsOf(input);
  const left = joined(segments.left.map((name) => words[name]));
  const end = ` ${joined(segments.right.map((name) => words[name]))} `;
  const room = columns - widthOf(end);
  // A very narrow terminal shows the left part alone.
  if (room < NARROW) return fill(` ${left}`, columns);
  return fill(` ${left}`, room) + cut(end, columns);
}

type Words = Readonly<Record<AttachSegment, string | null | undefined>>;

function wordsOf({ name, sessionId, model, prefix, isReadOnly, foreignSize, guests }: StatusInput): Words {
  const living = attachable(model);
  const index = living.findIndex(({ id }) => id === sessionId);
  const here = living[index];
  const session = here ?? model.sessions.find(({ id }) => id === sessionId);
  const change = model.changes.get(sessionId);
  const open = openItems(model).length;
  const own = openItemsOf(model, sessionId).length;
  return {
    name: plainLine(name),
    state: here && shownState(here).word,
    mode: joined([here?.mode === 'batch' ? 'batch' : null, isReadOnly ? 'read-only' : null]),
    size: foreignSize && `${foreignSize.cols}x${foreignSize.rows} of another client`,
    link: CONNECTIONS[model.connection.kind],
    branch: change?.branch && plainLine(change.branch),
    changes: change && lineWords(change),
    cost: costWords(session?.usage),
    tags: (session?.tags ?? []).map((tag) => `#${tag}`).join(' '),
    folder: session && plainLine(session.cwd.slice(session.cwd.lastIndexOf('/') + 1)),
    open: open === 0 ? null : `${open} open`,
    place: index < 0 ? null : `${index + 1}/${living.length}`,
    guests,
    keys: own > 0 ? `${prefix} a answers` : `${prefix} ? helps`,
  };
}

/** The other clients that are attached to a session: those that may type, and those that only read. */
export interface Others {
  readonly others: number;
  readonly readers: number;
}

export const NO_OTHERS: Others = { others: 0, readers: 0 };

/** Returns `2 others`, `1 guest` for a client that only reads, or null without any. */
export function guestWords({ others, readers }: Others): string | null {
  const count = (number: number, word: string): string | null => (number === 0 ? null : counted(number, word));
  return joined([count(others, 'other'), count(readers, 'guest')]) || null;
}

const NARROW = 12;
const CONNECTIONS: Readonly<Record<Connection['kind'], string | null>> = {
  connecting: null,
  connected: null,
  away: 'the daemon is away',
};

const joined = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
