/** The usage of a session: recorded as the agent reports it, with an item when its budget is used up. Pure. */
import { countWords, dollarWords, type RunUsage, tokensOf } from '../../protocol/index.js';
import type { Draft } from './draft.js';
import { hasRoom, openItem } from './items.js';

/** Limits of one session; 0: none. */
export interface Budget {
  readonly usd: number;
  readonly tokens: number;
}

export interface UsageReport {
  /** The usage of the whole session. */
  readonly usage: RunUsage;
  /** The session's budget, and the id of the item that may be opened; null if there is no budget. */
  readonly limit: { readonly budget: Budget; readonly itemId: string } | null;
  readonly time: number;
}

export function takeUsage(draft: Draft, { usage, limit, time }: UsageReport): void {
  const { usage: before, ended_at } = draft.session;
  if (before !== undefined && isEqual(before, usage)) {
    draft.because('this usage is recorded already');
    return;
  }
  draft.session = { ...draft.session, usage };
  draft.emit('session_usage_changed', time, { usage });
  if (limit === null || ended_at !== null) return;
  const words = overBudget(before ?? null, usage, limit.budget);
  if (words !== null && hasRoom(draft.items)) openBudgetItem(draft, words, limit.itemId, time);
}

const isEqual = (one: RunUsage, other: RunUsage): boolean =>
  one.input_tokens === other.input_tokens &&
  one.output_tokens === other.output_tokens &&
  one.cached_input_tokens === other.cached_input_tokens &&
  one.cost_usd === other.cost_usd;

/** Returns a sentence if a multiple of a limit was reached since `before`; null if none was. */
function overBudget(before: RunUsage | null, after: RunUsage, { usd, tokens }: Budget): string | null {
  const [cost, count] = [after.cost_usd ?? 0, tokensOf(after) ?? 0];
  if (isReached(before?.cost_usd ?? 0, cost, usd)) {
    return `It has cost ${dollarWords(cost)}, and its budget is ${dollarWords(usd)} (budget.session_usd).`;
  }
  if (isReached((before && tokensOf(before)) ?? 0, count, tokens)) {
    return `It has used ${countWords(count)} tokens, and its budget is ${countWords(tokens)} (budget.session_tokens).`;
  }
  return null;
}

const isReached = (before: number, after: number, limit: number): boolean =>
  limit > 0 && Math.floor(after / limit) > Math.floor(before / limit);

/** One open item is enough: a later one replaces its words. */
function openBudgetItem(draft: Draft, text: string, itemId: string, time: number): void {
  const data = { text, source: 'budget' };
  const known = draft.items.find(({ item }) => item.state === 'open' && item.data['source'] === 'budget');
  if (known) {
    draft.changeItems(
      (entry) => entry === known,
      (entry) => ({ ...entry, item: { ...entry.item, data } }),
    );
    draft.emit('item_changed', time, { item_id: known.item.id, data });
    return;
  }
  const at = draft.session.journal_position;
  openItem(draft, { itemId, time, type: 'attention', data, origin: { ear: 'transcript', from: at, to: at } });
}
