/**
 * Prints the questions of a run or a workflow on standard error while a command waits for its result, with the command
 * that answers them.
 *
 * In:   whose questions to print, and those that are already open.
 * Out:  each question once, until the wait is over.
 */
import type { Event, Item } from '../../protocol/index.js';
import { CHECK, type FollowedDaemon } from '../hub/followed-daemon.js';
import { itemBody } from '../printing/item-text.js';
import { errorPaint, type Paint } from '../printing/paint.js';
import type { Context } from '../program/context.js';

export interface OpenQuestions {
  /** Ids of the items that are already open. */
  readonly items: readonly string[];
  readonly isMine: (event: AskingEvent) => boolean;
}

/** A run announces its question with its own event; a workflow opens an item. */
type AskingEvent = Extract<Event, { event_type: 'run_asking' | 'item_opened' }>;
const TYPES: readonly AskingEvent['event_type'][] = ['run_asking', 'item_opened'];

/** @returns The result of `wait`. */
export async function printingQuestions<T>(
  context: Context,
  daemon: FollowedDaemon,
  loadOpen: () => Promise<OpenQuestions>,
  wait: () => Promise<T>,
): Promise<T> {
  if (context.isJson || context.isQuiet) return wait();
  const over = new AbortController();
  // If the daemon is lost, `wait` reports that.
  const printing = printQuestions(context, daemon, loadOpen, AbortSignal.any([over.signal, context.signal])).catch(
    () => {},
  );
  try {
    return await wait();
  } finally {
    over.abort();
    await printing;
  }
}

async function printQuestions(
  context: Context,
  daemon: FollowedDaemon,
  loadOpen: () => Promise<OpenQuestions>,
  signal: AbortSignal,
): Promise<void> {
  const begin = async () => ({ since: await daemon.position(), ...(await loadOpen()) });
  const { since, items, isMine } = await daemon.lasting(begin, { isWaiting: true, signal });
  /** The event of an item that is already open may come after `since`, so the ids of the printed items are kept. */
  const noted = new Set<string>();
  const noteAll = async (ids: readonly string[]): Promise<void> => {
    for (const item of ids) {
      if (noted.has(item)) continue;
      noted.add(item);
      const found = await daemon.call('inbox.show', { item }, { signal });
      if (found.state === 'open') context.note(questionText(found, errorPaint(context)));
    }
  };
  await noteAll(items);
  for await (const event of daemon.events({ since, type: TYPES, signal, onAway: () => {} })) {
    if (event === CHECK) continue;
    if (event.event_type !== 'run_asking' && event.event_type !== 'item_opened') continue;
    if (isMine(event)) await noteAll(event.event_type === 'run_asking' ? event.item_ids : [event.item_id]);
  }
}

/** Formats a question, all texts that help to answer it, and the command that answers it, for standard error. */
export function questionText(item: Item, paint: Paint, who = 'it'): string {
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  return `${who} waits for an answer:\n${itemBody(item, { paint, columns, now: Date.now() })}`;
}
