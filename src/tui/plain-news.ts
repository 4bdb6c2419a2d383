/**
 * What the plain mode announces by itself: what a change of the model means to somebody who listens. Pure but for the
 * numbers.
 */

import { outcomeOf } from './item-words.js';
import { type ItemEntry, isAlive, type Model } from './model.js';
import { closedLine, itemLine, sessionLine, statusLine } from './plain-words.js';

/** Each item has a number for as long as the TUI runs. */
export interface Numbers {
  of(itemId: string): number;
}

export function createNumbers(): Numbers {
  const numbers = new Map<string, number>();
  return {
    of(itemId) {
      const known = numbers.get(itemId) ?? numbers.size + 1;
      numbers.set(itemId, known);
      return known;
    },
  };
}

export function newsOf(before: Model, after: Model, numbers: Numbers): string[] {
  if (before === after) return [];
  return [...connectionNews(before, after), ...itemNews(before, after, numbers), ...sessionNews(before, after)];
}

function connectionNews({ connection: before }: Model, after: Model): string[] {
  const { connection } = after;
  if (connection.kind === before.kind) return [];
  if (connection.kind === 'away') return ['The daemon is away; your sessions go on, and it is waited for.'];
  return before.kind === 'away' ? ['The daemon is there again.', statusLine(after)] : [statusLine(after)];
}

/** What opens is said with its number; of an answer how far it came, once it is more than on its way. */
function itemNews(before: Model, after: Model, numbers: Numbers): string[] {
  const known = new Map(before.items.map((entry) => [entry.item.id, entry]));
  return after.items.flatMap((entry) => {
    const { item } = entry;
    const old = known.get(item.id);
    if (item.state === 'open') return old ? [] : [itemLine(numbers.of(item.id), entry)];
    if (!old || item.answer?.delivery === 'accepted' || outcome(old) === outcome(entry)) return [];
    return [closedLine(numbers.of(item.id), entry)];
  });
}

const outcome = (entry: ItemEntry): string => (entry.item.state === 'open' ? '' : outcomeOf(entry));

function sessionNews(before: Model, after: Model): string[] {
  const living = new Set(before.sessions.filter(isAlive).map(({ id }) => id));
  return after.sessions
    .filter((session) => living.has(session.id) && !isAlive(session))
    .map((session) => `Ended: ${sessionLine(session, 0)}.`);
}
