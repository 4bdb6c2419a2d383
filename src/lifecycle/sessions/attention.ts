/** Inbox items for requests of the program itself (a dialog, a notification, a bell): opening, choosing, closing. */
import type { AttentionFinding, AttentionOverFinding } from '../../ears/index.js';
import { type Item, optionsOf } from '../../protocol/index.js';
import type { TrackedAsk, TrackedItem } from './aggregate.js';
import { canChoose, change, isShown, type Offer, offerOf, place } from './asks.js';
import type { Draft } from './draft.js';
import { answerFromTerminal, confirm, fail, isOpenAttention, openItem, withdraw } from './items.js';
import { STOPS } from './run-turn.js';

export function takeAttention(draft: Draft, finding: AttentionFinding, itemId: string): void {
  const { source, text, ask } = finding;
  const offer = offerOf(finding, null);
  if (source === 'bell' && draft.items.some(isOpenQuestion)) {
    draft.because('the bell calls for the answer to an open item');
    return;
  }
  if (ask) takeAsk(draft, finding, { ...ask, text, itemId: null }, itemId);
  else if (draft.items.some((entry) => isOpenAttention(entry) && isSame(entry.item, source, offer)))
    draft.because('an item with this text is open already');
  else if (source === 'dialog') takeDialog(draft, finding, itemId);
  // A hook of an agent whose dialogs orchd can read opens no item here: the dialog is reported separately, before or
  // after.
  else if (source !== 'hook' || draft.standing.beneath === undefined) open(draft, finding, offer, itemId, null);
}

function takeDialog(draft: Draft, finding: AttentionFinding, itemId: string): void {
  const { text, choices, time } = finding;
  const waiting = openOf(draft, 'hook').find(({ item }) => item.call_id !== undefined);
  const isFree = (one: TrackedAsk): boolean => one.itemId === null || one.itemId === waiting?.item.id;
  const shown = draft.asks.find((one) => isFree(one) && isShown(one, text)) ?? null;
  if (waiting && shown && shown.itemId !== null) {
    change(draft, waiting, offerOf(finding, shown, optionsOf(waiting.item)), shown, time);
    return;
  }
  // The item of the hook stays, because the dialog has less information and offers no choice.
  if (waiting && !canChoose(choices)) {
    draft.because('the item of the hook stands for the dialog');
    return;
  }
  for (const entry of openOf(draft, 'hook')) giveWay(draft, entry, time);
  open(draft, finding, offerOf(finding, shown), itemId, shown);
}

function takeAsk(draft: Draft, finding: AttentionFinding, ask: TrackedAsk, itemId: string): void {
  if (draft.asks.some(({ callId }) => callId === ask.callId)) {
    draft.because(`call ${ask.callId} waits already`);
    return;
  }
  const dialogs = openOf(draft, 'dialog').filter(({ item }) => item.call_id === undefined);
  const shown = dialogs.find(({ item }) => isShown(ask, String(item.data['text'])));
  const unreadable = dialogs.find(({ item }) => !item.data['options']);
  const entry = shown ?? unreadable;
  if (entry) change(draft, entry, offerOf(asDialog(entry), ask), ask, finding.time);
  else if (draft.standing.beneath === undefined) open(draft, finding, offerOf(finding, ask), itemId, ask);
  else place(draft, ask, null);
}

const asDialog = ({ item, keys = [] }: TrackedItem): Parameters<typeof offerOf>[0] => ({
  source: 'dialog',
  text: String(item.data['text']),
  choices: optionsOf(item).map((label, at) => ({ label, keys: keys[at] ?? null })),
});

function open(draft: Draft, finding: AttentionFinding, offer: Offer, itemId: string, ask: TrackedAsk | null): void {
  const { origin, time } = finding;
  const { data, ...how } = offer;
  openItem(draft, { itemId, time, type: 'attention', data, origin, callId: ask?.callId }, how);
  if (ask) place(draft, ask, itemId);
  if (stopsIt({ data })) draft.observe({ kind: 'attention' }, time);
}

/** Withdraws a hook's item while a dialog about something else is open. The hook continues to wait. */
function giveWay(draft: Draft, entry: TrackedItem, time: number): void {
  const ask = draft.asks.find(({ itemId }) => itemId === entry.item.id);
  if (ask) place(draft, ask, null);
  withdraw(draft, entry, 'gone', time);
}

/**
 * True if the program waits until the request is answered, as with a dialog. After a bell or a notification it may
 * continue.
 */
const stopsIt = ({ data }: Pick<Item, 'data'>): boolean => STOPS.has(String(data['source']));

export function endAttention(draft: Draft, { source, wasTyped, isAgain, time }: AttentionOverFinding): void {
  const isMeant = ({ item }: TrackedItem): boolean => item.type === 'attention' && item.data['source'] === source;
  if (isAgain) {
    askAgain(draft, draft.items.filter(isMeant), time);
    return;
  }
  for (const entry of openOf(draft, source)) {
    if (wasTyped) answerFromTerminal(draft, entry, time);
    else withdraw(draft, entry, 'gone', time);
  }
  const isHeldUp = draft.items.some((entry) => isOpenAttention(entry) && stopsIt(entry.item));
  if (STOPS.has(source) && !isHeldUp) draft.observe({ kind: 'attention_over' }, time);
  // The dialog closed after the keys of a choice were typed. The keys therefore had their effect.
  for (const entry of draft.items.filter(isMeant)) {
    if (entry.item.answer && entry.isWritten) confirm(draft, entry, 'the dialog is gone', time);
  }
}

/** Withdraws a bell before a question: the program rang because it asks. */
export function endBell(draft: Draft, time: number): void {
  for (const entry of openOf(draft, 'bell')) withdraw(draft, entry, 'gone', time);
}

/** True for an open message of the program. */
const isOpenQuestion = ({ item }: TrackedItem): boolean => item.state === 'open' && item.message_id !== null;

const openOf = (draft: Draft, source: AttentionFinding['source']): TrackedItem[] =>
  draft.items.filter((entry) => isOpenAttention(entry) && entry.item.data['source'] === source);

/**
 * Handles a dialog that is shown again. An open item continues. An answer that was typed without effect is reported as
 * failed, and a new item replaces its item.
 */
function askAgain(draft: Draft, entries: readonly TrackedItem[], time: number): void {
  for (const { item, writeId, isWritten } of entries) {
    if (item.state === 'answered' && writeId !== null && isWritten) fail(draft, item.id, writeId, 'dialog_stays', time);
  }
}

const isSame = ({ data }: Item, source: AttentionFinding['source'], offer: Offer): boolean =>
  data['source'] === source && data['text'] === offer.data['text'];
