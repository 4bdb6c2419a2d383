/** Finds the item that a person means: by its id, or by the name of the session that asks. */
import type { Client } from '../../client/index.js';
import { displayLine, type Item, OrchdError, subjectOf } from '../../protocol/index.js';

const ITEM = 'itm_';
const MAX_CANDIDATES = 5;

/**
 * Returns the id, or its beginning, of the open item. The exact name or id of a session goes before the beginning of an
 * item's id.
 *
 * @throws {OrchdError} ORCHD_AMBIGUOUS if the session has several open items; ORCHD_ITEM_UNKNOWN if it has none.
 */
export async function findOpenItem(client: Client, selector: string): Promise<string> {
  if (selector.startsWith(ITEM)) return selector;
  const open = await client.call('inbox.list', {});
  const named = open.filter(({ session_name, session_id }) => session_name === selector || session_id === selector);
  if (named.length === 0 && open.some(({ id }) => id.startsWith(ITEM + selector))) return selector;
  const { id, name } = await sessionLike(client, selector);
  const own = named.length > 0 ? named : open.filter(({ session_id }) => session_id === id);
  const [item, other] = own;
  if (!item) throw new OrchdError('ORCHD_ITEM_UNKNOWN', `session '${name}' has no open item`);
  if (!other) return item.id;
  const candidates = own.slice(0, MAX_CANDIDATES).map(asCandidate);
  const more = own.length > candidates.length ? ', …' : '';
  const message = `session '${name}' has ${own.length} open items, give an id: ${candidates.join(', ')}${more}`;
  throw new OrchdError('ORCHD_AMBIGUOUS', message, { candidates });
}

/** Returns the id of the last answered item of a session, or `selector` if it is the id of an item. */
export async function findAnsweredItem(client: Client, selector: string): Promise<string> {
  if (selector.startsWith(ITEM)) return selector;
  const { id, name } = await sessionLike(client, selector);
  const answered = (await client.call('inbox.list', { session: id, all: true })).filter(({ answer }) => answer);
  const last = answered.sort((a, b) => (a.answer?.at ?? '').localeCompare(b.answer?.at ?? '')).at(-1);
  if (!last) throw new OrchdError('ORCHD_ITEM_UNKNOWN', `no item of session '${name}' was answered`);
  return last.id;
}

/** @throws {OrchdError} ORCHD_ITEM_UNKNOWN that names both kinds of selectors. */
async function sessionLike(client: Client, selector: string): Promise<{ readonly id: string; readonly name: string }> {
  try {
    return await client.call('session.show', { session: selector });
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_SESSION_UNKNOWN') throw error;
    throw new OrchdError('ORCHD_ITEM_UNKNOWN', `no item and no session '${selector}'`);
  }
}

function asCandidate(item: Item): string {
  const words = displayLine(subjectOf(item));
  return `${item.id} (${words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words})`;
}

const MAX_WORDS = 30;
