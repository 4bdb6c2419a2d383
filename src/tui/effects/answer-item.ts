/** Answers an item of this machine or another, and says why an answer was not taken. */
import type { Client } from '../../client/index.js';
import { type InputOf, OrchdError, type OutputOf } from '../../protocol/index.js';
import { entryOfItem } from '../model/model.js';
import { plainLine, wordsOf } from '../paint/text.js';
import type { Store } from '../view/store.js';

/** Sends an answer. The store shows whether it was taken. Never rejects. */
export async function answerItem(
  client: Client,
  store: Store,
  itemId: string,
  request: InputOf<'inbox.answer'>,
): Promise<void> {
  try {
    const elsewhere = entryOfItem(store.get().model, itemId)?.elsewhere;
    if (elsewhere) await answerThere(client, store, elsewhere.machine, request);
    else await client.call('inbox.answer', request);
    store.answered(itemId, null);
  } catch (error) {
    store.answered(itemId, answerProblem(error));
  }
}

/** Answers an item of another machine. If that is away, the answer is on its way. */
async function answerThere(
  client: Client,
  store: Store,
  machine: string,
  request: InputOf<'inbox.answer'>,
): Promise<void> {
  const called = await client.call('hub.call', { machine, operation: 'inbox.answer', input: { ...request } });
  if (called.state === 'on_its_way')
    return store.say(`the answer is on its way: ${machine} gets it as soon as it is back`);
  const item = called.output as OutputOf<'inbox.answer'>; // the operation determines it
  store.take({ kind: 'answered_there', item, at: Date.now() });
}

/** Returns why an answer failed. If another client answered first, its answer is named. */
function answerProblem(error: unknown): string {
  if (!(error instanceof OrchdError) || error.code !== 'ORCHD_ITEM_CLOSED') return `not answered: ${wordsOf(error)}`;
  const first = error.details?.['answer'];
  if (typeof first !== 'object' || first === null) return 'not answered: the item was withdrawn';
  // The daemon sends the item as it is.
  const { by, text } = first as { readonly by?: unknown; readonly text?: unknown };
  return `already answered by ${plainLine(String(by))}: “${plainLine(String(text ?? ''))}”`;
}
