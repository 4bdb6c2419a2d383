/**
 * Gives a program the open items of the inbox, one call each, and sends what it answers.
 *
 * In:   the items that are open, oldest first, then each one that opens.
 * Out:  one call of the handler for each item. Its result is the answer; without a result the item stays open for a
 *       person. An item that another client has answered, or that its program has withdrawn, is passed over.
 * Several handlers may run at a time. When the daemon is restarted, what was opened meanwhile is found in the inbox,
 * and an answer that could not be sent is sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Item, type ItemType, OrchdError, optionsOf, subjectOf } from '../protocol/index.js';
import type { Client } from './client.js';
import type { ByItemType } from './item-types.js';

/** An answer: text, the number of an option from 1, or `declined`. */
export type GivenAnswer = string | { readonly option: number } | { readonly decline: true };

/** An open item, with what its program asks. `type` determines its data. */
export type Question = ByItemType<Item> & QuestionWords;

interface QuestionWords {
  /** The question, the reason, or the description, as the program wrote it. Untrusted. */
  readonly text: string;
  /** The answers to choose from, as the program wrote them; empty without options. */
  readonly options: readonly string[];
}

export type QuestionHandler = (question: Question) => GivenAnswer | undefined | Promise<GivenAnswer | undefined>;

export interface QuestionOptions {
  /** Default: `['QUESTION']`. */
  readonly type?: readonly ItemType[];
  /** Only the items of this session: its id or name. */
  readonly session?: string;
  /** When it aborts, no more questions are answered. Running handlers are awaited. */
  readonly signal?: AbortSignal;
}

/** Pause before a call is repeated that found no daemon. */
const RETRY_MS = 200;

/** Errors of answers that came too late: another client was faster. */
const TOO_LATE = new Set(['ORCHD_ITEM_CLOSED', 'ORCHD_ITEM_WITHDRAWN']);

/**
 * @throws {OrchdError} ORCHD_ITEM_CLOSED if it was already answered; ORCHD_INVALID if it does not accept this answer.
 */
export function answerItem(client: Client, item: string | Pick<Item, 'id'>, answer: GivenAnswer): Promise<Item> {
  const id = typeof item === 'string' ? item : item.id;
  return client.call('inbox.answer', { item: id, ...(typeof answer === 'string' ? { text: answer } : answer) });
}

/** Resolves when the signal aborts or the client is closed. Throws what a handler throws. */
export async function answerQuestions(
  client: Client,
  handler: QuestionHandler,
  { type = ['QUESTION'], session, signal }: QuestionOptions = {},
): Promise<void> {
  const of = session === undefined ? {} : { session };
  const asked = new Set<string>();
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const signals = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const errors: unknown[] = [];

  /** Calls the daemon again after it was away. */
  const persist = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    while (!signals.aborted) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') throw error;
        await sleep(RETRY_MS, undefined, { signal: signals }).catch(() => {});
      }
    }
    return undefined;
  };
  const ask = async (item: Item): Promise<void> => {
    // The daemon has checked the item, so its data fits its type.
    const answer = await handler({ ...item, text: subjectOf(item), options: optionsOf(item) } as Question);
    if (answer === undefined) return;
    try {
      await persist(() => answerItem(client, item, answer));
    } catch (error) {
      if (!(error instanceof OrchdError && TOO_LATE.has(error.code))) throw error;
    }
  };
  /** Runs concurrently with reading the stream: the stream reconnects only while it is read. */
  const begin = (work: () => Promise<void>): void => {
    const pending: Promise<void> = work()
      .catch((error: unknown) => {
        errors.push(error);
        stop.abort();
      })
      .finally(() => running.delete(pending));
    running.add(pending);
  };
  const askOnce = (item: Item): void => {
    if (item.state !== 'open' || !type.includes(item.type) || asked.has(item.id)) return;
    asked.add(item.id);
    begin(() => ask(item));
  };
  const askAll = async (): Promise<void> => {
    for (const item of (await persist(() => client.call('inbox.list', of))) ?? []) askOnce(item);
  };
  const askById = async (id: string): Promise<void> => {
    const item = await persist(() => client.call('inbox.show', { item: id }));
    if (item) askOnce(item);
  };

  const { last_seq: since } = await client.call('daemon.status', {});
  begin(askAll);
  for await (const event of client.events({ ...of, since, follow: true, type: ['item_opened'], signal: signals })) {
    begin(event.event_type === 'gap' ? askAll : () => askById(event.item_id));
  }
  stop.abort(); // without a signal, the client was closed
  while (running.size > 0) await Promise.all(running);
  if (errors.length > 0) throw errors[0];
}
