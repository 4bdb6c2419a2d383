/**
 * The lines that the plain mode prints without a command: what a change of the model means for the person. Pure, except
 * for the numbers.
 */

import type { ItemEntry } from '../model/items/item-entry.js';
import { outcomeOf } from '../model/items/item-words.js';
import { isAlive, type Model } from '../model/model.js';
import { closedLine, itemLine, sessionLine, statusLine } from './plain-words.js';

/** Gives every item a number that it keeps while the TUI runs. */
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
  return [
    ...connectionNews(before, after),
    ...healthNews(before, after),
    ...itemNews(before, after, numbers),
    ...sessionNews(before, after),
  ];
}

/** Announces problems of the daemon, and their end. */
function healthNews({ health: before }: Model, { health: after }: Model): string[] {
  const known = new Set(before.map(({ brief }) => brief));
  const fresh = after.filter(({ brief }) => !known.has(brief)).map(({ words }) => sentence(words));
  return before.length > 0 && after.length === 0 ? ['The daemon has no more problems.'] : fresh;
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

function connectionNews({ connection: before }: Model, after: Model): string[] {
  const { connection } = after;
  if (connection.kind === before.kind) return [];
  if (connection.kind === 'away') return ['The daemon is away; your sessions go on. orchd waits until it is back.'];
  return before.kind === 'away' ? ['The daemon is there again.', statusLine(after)] : [statusLine(after)];
}

/** Announces new items with their numbers, and each progress of an answer after it was accepted. */
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
