/**
 * Questions of runs' agents without a terminal: items that stay open after their session has ended, until the run
 * continues.
 */
import { answerWords, isAsked, isOfRun, type RunAggregate, type RunQuestion } from '../../lifecycle/index.js';
import { type Item, OPENS_ITEM, type Run, subjectOf } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';

interface AskedPorts {
  readonly registry: Registry;
  readonly log: Log;
  readonly now: () => number;
}

/** Returns the questions that a session's agent asked for its run, with the answers given so far. */
export function questionsIn(registry: Registry, entry: SessionEntry): RunQuestion[] {
  const asked = registry.itemsOf(entry).filter((item) => isOfRun(item) && item.state !== 'withdrawn');
  return asked.map((item) => ({ itemId: item.id, question: subjectOf(item), answer: answerIn(item) }));
}

const answerIn = ({ answer }: Item): string | null => answer && answerWords(textOf(answer));

/** Null if the question was declined. */
export interface GivenAnswer {
  readonly itemId: string;
  readonly answer: string | null;
}

/** Returns the answers to items that are no longer open. A missing or withdrawn item counts as declined. */
export function answersTo(registry: Registry, itemIds: readonly string[]): GivenAnswer[] {
  const known = new Map(registry.items().map((item) => [item.id, item]));
  return itemIds.flatMap((itemId) => {
    const item = known.get(itemId);
    return item?.state === 'open' ? [] : [{ itemId, answer: textOf(item?.answer ?? null) }];
  });
}

const textOf = (answer: Item['answer']): string | null => (answer === null || answer.declined ? null : answer.text);

/** True if a final text contains a question. For a plain program, the text is everything it printed. */
export async function asksIn({ adapter }: Pick<Run, 'adapter'>, text: string | null): Promise<boolean> {
  if (text === null || adapter === 'shell') return text !== null;
  const { hearText } = await import('../../session/index.js');
  return hearText(text).some((event) => event.event_type === 'message' && OPENS_ITEM.has(event.message.type));
}

/** Withdraws the session's questions, which need no answer any more. */
export function withdrawAsked({ registry, log, now }: AskedPorts, sessionId: string): void {
  const entry = registry.get(sessionId);
  for (const { item } of entry?.aggregate.items ?? []) {
    if (item.state !== 'open' || !isOfRun(item)) continue;
    entry
      ?.apply({ kind: 'question_withdrawn', itemId: item.id, reason: 'run_went_on', time: now() })
      .catch((error: unknown) => log.error('a question of a run could not be withdrawn', error, { item: item.id }));
  }
}

/** Withdraws questions that a previous daemon had not withdrawn when it died. */
export function withdrawUnasked(ports: AskedPorts, aggregateOf: (runId: string) => RunAggregate | undefined): void {
  for (const item of ports.registry.items()) {
    if (item.state !== 'open' || !isOfRun(item)) continue;
    const aggregate = aggregateOf(item.run_id ?? '');
    if (!aggregate || !isAsked(aggregate, item)) withdrawAsked(ports, item.session_id);
  }
}
