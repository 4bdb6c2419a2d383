/**
 * Questions of a run's agent that has no terminal: whether the end of its program is a question, and what it is told of
 * the answers. Pure.
 *
 *     a result that satisfies its form      is the result, whatever was asked on the way
 *     a text that is no result, or no text  what was asked and not answered is why
 *     a text where any text is a result     is a question if it holds one
 *     the end without the call that it owes what was asked is why
 *     an error, a limit                     counts for itself
 */
import type { Item, Run } from '../protocol/index.js';
import { OPENS_ITEM } from './items.js';
import type { AttemptEnd, RunBook, RunDecision, RunQuestion } from './run-book.js';
import { asWords, type InputRules } from './typed-text.js';

/** What an agent is told that was refused an answer. */
const DECLINED = 'declined: decide this yourself';

/** @param answer  Null: declined. */
export const answerWords = (answer: string | null): string => answer ?? DECLINED;

/** Of a text that a program is told of that remembers nothing. */
const MAX_QUOTED_CHARS = 100_000;

/** What has to be answered before the run goes on; null where its end is none that an answer helps. */
export function questionsAtEnd(
  { tool }: Pick<Run, 'tool'>,
  { asked, error, limit, verdict, text }: AttemptEnd,
): readonly RunQuestion[] | null {
  if (!asked || asked.questions.length === 0 || error !== null || limit !== null) return null;
  if (tool !== undefined) return asked.questions;
  const isNoResult =
    verdict === null ? text === null || asked.isLast : !verdict.ok || (asked.isLast && isQuestion(verdict.value));
  return isNoResult ? asked.questions : null;
}

/** A message is JSON as well: it may satisfy a schema that asks for little. */
function isQuestion(value: Run['result_data']): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { type, data } = value;
  return typeof type === 'string' && OPENS_ITEM.has(type) && typeof data === 'object';
}

export const withAnswer = (
  questions: readonly RunQuestion[],
  itemId: string,
  answer: string | null,
): readonly RunQuestion[] =>
  questions.map((one) =>
    one.itemId === itemId && one.answer === null ? { ...one, answer: answerWords(answer) } : one,
  );

export const unanswered = (questions: readonly RunQuestion[]): string[] =>
  questions.filter(({ answer }) => answer === null).map(({ itemId }) => itemId);

/** With a program again when nothing is left to be answered. */
export function waitOrGoOn(book: RunBook, questions: readonly RunQuestion[]): RunDecision {
  const { asking: _before, ...run } = book.run;
  const asking = unanswered(questions);
  return asking.length > 0
    ? { book: { ...book, questions, run: { ...run, asking } }, events: [], effects: [{ kind: 'ask', itemIds: asking }] }
    : { book: { ...book, questions, run: { ...run, state: 'queued' } }, events: [], effects: [{ kind: 'queue' }] };
}

/** The table of an agent without a terminal: it may run its prompt as a command, but completes nothing. */
const BATCH_INPUT: InputRules = {
  actions: [],
  commands: '/!',
  marks: '#@&$',
  endings: '',
  afterBackslash: ' ',
  tab: '\t',
};

/** The answer, or all of them. */
export function answerPrompt(run: Run, questions: readonly RunQuestion[]): string {
  const all = questions.map(({ question, answer }) => `- ${question}\n  ${answer ?? ''}`).join('\n');
  if (run.adapter !== 'shell') return asWords(questions.length === 1 ? (questions[0]?.answer ?? '') : all, BATCH_INPUT);
  return wholePrompt(run, run.attempts.at(-1)?.text ?? null, `## Answers to your questions\n\n${all}`);
}

/** A plain program remembers nothing: it is told everything once more. @param text  What it said. */
export function wholePrompt({ attempts, prompt }: Run, text: string | null, more: string): string {
  const said = text === null ? [] : [`## Your response was\n\n${quoted(cut(text))}`];
  return [attempts.at(-1)?.prompt ?? prompt, ...said, more].join('\n\n');
}

/** As Markdown quotes: a message in it is none. Else the same question, asked again, would pass for an echo of this. */
const quoted = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function cut(text: string): string {
  const left = text.length - MAX_QUOTED_CHARS;
  return left > 0 ? `${text.slice(0, MAX_QUOTED_CHARS)}\n[${left} more characters]` : text;
}

/** Whether an answer to an open item of its still counts: the program that asked runs, or the run waits for it. */
export function isAsked({ run }: RunBook, { id, session_id }: Pick<Item, 'id' | 'session_id'>): boolean {
  const attempt = run.attempts.at(-1);
  return run.asking?.includes(id) ?? (attempt?.session_id === session_id && attempt.ended_at === null);
}
