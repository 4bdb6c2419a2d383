/**
 * Questions of a run's agent without a terminal: decides if the end of its program is a question, and builds the prompt
 * with the answers. Pure.
 *
 *     a result that satisfies its format       is the result, even if questions were asked before
 *     a text that is no result, or no text     the run waits for the answers to its questions
 *     any text, if the run has no format       the run waits if the text contains a question
 *     the end without the required tool call   the run waits for the answers to its questions
 *     an error, a limit                        is handled as such, and the questions are ignored
 */
import { type InputRules, type Item, OPENS_ITEM, type Run } from '../../protocol/index.js';
import { asWords } from '../typing/index.js';
import type { AttemptEnd, RunAggregate, RunDecision, RunQuestion } from './run-aggregate.js';

/** The text that an agent gets for a declined question. */
const DECLINED = 'declined: decide this yourself';

/** @param answer  Null for a declined question. */
export const answerWords = (answer: string | null): string => answer ?? DECLINED;

/** Maximum length of the program's own text in a new prompt, for programs without a memory. */
const MAX_QUOTED_CHARS = 100_000;

/** Returns the questions to answer before the run continues; null if answers would not help. */
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

/** True for a message with a question. It is also JSON, so a very permissive schema might accept it as a result. */
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

/** Waits for answers, or starts the program again if no question is unanswered. */
export function waitOrGoOn(aggregate: RunAggregate, questions: readonly RunQuestion[]): RunDecision {
  const { asking: _before, ...run } = aggregate.run;
  const asking = unanswered(questions);
  return asking.length > 0
    ? {
        aggregate: { ...aggregate, questions, run: { ...run, asking } },
        events: [],
        effects: [{ kind: 'ask', itemIds: asking }],
      }
    : {
        aggregate: { ...aggregate, questions, run: { ...run, state: 'queued' } },
        events: [],
        effects: [{ kind: 'queue' }],
      };
}

/** Rules for the input of an agent in batch mode: it may run a prompt as a command, but has no completion. */
const BATCH_INPUT: InputRules = {
  actions: [],
  commands: '/!',
  marks: '#@&$',
  endings: '',
  afterBackslash: ' ',
  changes: [],
};

/** Returns the prompt with the answer, or with all answers. */
export function answerPrompt(run: Run, questions: readonly RunQuestion[]): string {
  const all = questions.map(({ question, answer }) => `- ${question}\n  ${answer ?? ''}`).join('\n');
  if (run.adapter !== 'shell') return asWords(questions.length === 1 ? (questions[0]?.answer ?? '') : all, BATCH_INPUT);
  return wholePrompt(run, run.attempts.at(-1)?.text ?? null, `## Answers to your questions\n\n${all}`);
}

/**
 * Returns a complete prompt for a plain program, which remembers nothing.
 * @param text The program's previous output.
 */
export function wholePrompt({ attempts, prompt }: Run, text: string | null, more: string): string {
  const said = text === null ? [] : [`## Your response was\n\n${quoted(cut(text))}`];
  return [attempts.at(-1)?.prompt ?? prompt, ...said, more].join('\n\n');
}

/**
 * Quotes a text as Markdown does, so that the grammar finds no message in it. Otherwise the same question, asked again,
 * would look like an echo of this prompt.
 */
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

/** True if an answer to the item is still useful: the program that asked runs, or the run waits for the answer. */
export function isAsked({ run }: RunAggregate, { id, session_id }: Pick<Item, 'id' | 'session_id'>): boolean {
  const attempt = run.attempts.at(-1);
  return run.asking?.includes(id) ?? (attempt?.session_id === session_id && attempt.ended_at === null);
}
