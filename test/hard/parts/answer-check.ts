/**
 * Accounts for every accepted answer of a crash test: each was read by its program, or an event says why it was not.
 *
 * In:   all events in order, and the answers that the programs have read.
 * Out:  for each answer, its fate. `unexplained` and `overdue` must be empty.
 */
import type { Event } from '../../../src/protocol/index.js';

export interface AnswerAccount {
  /** Number of answers that were accepted, in the event log. */
  readonly accepted: number;
  /** Number of answers that their program has read. */
  readonly read: number;
  /** Not typed: the session was lost before, and the answer is stalled with `session_lost` or `session_ended`. */
  readonly lostBefore: number;
  /** Number of answers that were typed into a program that then ended with its host before it read them. */
  readonly lostAfter: number;
  /** Unread answers for which no event gives a reason. */
  readonly unexplained: readonly string[];
  /** Answers whose first state (written, or stalled with a reason) came later than the limit. */
  readonly overdue: readonly string[];
}

interface Answer {
  readonly itemId: string;
  readonly sessionId: string;
  readonly text: string;
  readonly acceptedAt: number;
  /** Time of the first event that says whether the answer was written, or why not. */
  toldAt: number | null;
  fate: 'accepted' | 'written' | 'stalled';
  /** True if its session was lost before the answer was written, or before the program's next message. */
  isLost: boolean;
}

const LOST: ReadonlySet<string> = new Set(['session_lost', 'session_ended']);

/** @param limitMs  An accepted answer must be written, or stalled, within this time. */
export function accountForAnswers(events: readonly Event[], read: ReadonlySet<string>, limitMs: number): AnswerAccount {
  const texts = new Map<string, string>();
  const answers = new Map<string, Answer>();
  /** The answers that each session's program may still have to read. */
  const pending = new Map<string, Set<Answer>>();
  const of = (sessionId: string): Set<Answer> => {
    const known = pending.get(sessionId) ?? new Set();
    pending.set(sessionId, known);
    return known;
  };
  const tell = (itemId: string, at: string, fate: Answer['fate']): Answer | null => {
    const answer = answers.get(itemId);
    if (!answer) return null;
    answer.toldAt ??= Date.parse(at);
    answer.fate = fate;
    return answer;
  };
  for (const event of events) {
    if (event.event_type === 'item_answered') texts.set(event.item_id, event.answer.text);
    else if (event.event_type === 'answer_accepted') {
      const { item_id: itemId, session_id: sessionId } = event;
      const acceptedAt = Date.parse(event.timestamp);
      const text = texts.get(itemId) ?? '';
      const answer: Answer = { itemId, sessionId, text, acceptedAt, toldAt: null, fate: 'accepted', isLost: false };
      answers.set(itemId, answer);
      of(sessionId).add(answer);
    } else if (event.event_type === 'answer_written') tell(event.item_id, event.timestamp, 'written');
    else if (event.event_type === 'answer_stalled') {
      const answer = tell(event.item_id, event.timestamp, 'stalled');
      if (answer && LOST.has(event.reason)) answer.isLost = true;
    } else if (event.event_type === 'session_lost') {
      for (const answer of of(event.session_id)) answer.isLost = true;
      of(event.session_id).clear();
    } else if (event.event_type === 'item_opened') {
      // The program asks again, so it has read the answers before.
      for (const answer of of(event.session_id)) if (answer.fate === 'written') of(event.session_id).delete(answer);
    }
  }
  const all = [...answers.values()];
  const unread = all.filter(({ text }) => !read.has(text));
  const isExplained = ({ isLost, fate }: Answer): boolean => isLost && fate !== 'accepted';
  return {
    accepted: all.length,
    read: all.length - unread.length,
    lostBefore: unread.filter((answer) => isExplained(answer) && answer.fate === 'stalled').length,
    lostAfter: unread.filter((answer) => isExplained(answer) && answer.fate === 'written').length,
    unexplained: unread.filter((answer) => !isExplained(answer)).map(({ itemId }) => itemId),
    overdue: all
      .filter(({ acceptedAt, toldAt }) => toldAt === null || toldAt - acceptedAt > limitMs)
      .map(({ itemId }) => itemId),
  };
}
