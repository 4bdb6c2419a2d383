/** What agents of runs without a terminal ask: items of their sessions, which outlive these until the run goes on. */
import { answerWords, isAsked, isOfRun, OPENS_ITEM, type RunBook, type RunQuestion } from '../../lifecycle/index.js';
import { type Item, type Run, subjectOf } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry.js';
import type { SessionEntry } from '../session-entry.js';

export interface AskedPorts {
  readonly registry: Registry;
  readonly log: Log;
  readonly now: () => number;
}

/** What a session's agent has asked its run's person, as far as it is answered by now. */
export function questionsIn(registry: Registry, entry: SessionEntry): RunQuestion[] {
  const asked = registry.itemsOf(entry).filter((item) => isOfRun(item) && item.state !== 'withdrawn');
  return asked.map((item) => ({ itemId: item.id, question: subjectOf(item), answer: answerIn(item) }));
}

const answerIn = ({ answer }: Item): string | null => answer && answerWords(textOf(answer));

/** Null: declined. */
export interface GivenAnswer {
  readonly itemId: string;
  readonly answer: string | null;
}

/** To those that are not open any more. One that is not there, or withdrawn, nobody will answer. */
export function answersTo(registry: Registry, itemIds: readonly string[]): GivenAnswer[] {
  const known = new Map(registry.items().map((item) => [item.id, item]));
  return itemIds.flatMap((itemId) => {
    const item = known.get(itemId);
    return item?.state === 'open' ? [] : [{ itemId, answer: textOf(item?.answer ?? null) }];
  });
}

const textOf = (answer: Item['answer']): string | null => (answer === null || answer.declined ? null : answer.text);

/** Whether a final text asks something itself. Of a plain program it is all that was printed. */
export async function asksIn({ adapter }: Pick<Run, 'adapter'>, text: string | null): Promise<boolean> {
  if (text === null || adapter === 'shell') return text !== null;
  const { hearText } = await import('../../session/index.js');
  return hearText(text).some((event) => event.event_type === 'message' && OPENS_ITEM.has(event.message.type));
}

/** It needs no answer any more. */
export function withdrawAsked({ registry, log, now }: AskedPorts, sessionId: string): void {
  const entry = registry.get(sessionId);
  for (const { item } of entry?.book.items ?? []) {
    if (item.state !== 'open' || !isOfRun(item)) continue;
    entry
      ?.apply({ kind: 'question_withdrawn', itemId: item.id, reason: 'run_went_on', time: now() })
      .catch((error: unknown) => log.error('a question of a run could not be withdrawn', error, { item: item.id }));
  }
}

/** A daemon before us died before it could withdraw them. */
export function withdrawUnasked(ports: AskedPorts, bookOf: (runId: string) => RunBook | undefined): void {
  for (const item of ports.registry.items()) {
    if (item.state !== 'open' || !isOfRun(item)) continue;
    const book = bookOf(item.run_id ?? '');
    if (!book || !isAsked(book, item)) withdrawAsked(ports, item.session_id);
  }
}
