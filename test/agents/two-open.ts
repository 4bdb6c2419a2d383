/**
 * Two questions in one reply, answered in reverse order: the model must be able to assign each answer to its question.
 *
 * Out:  a problem if an answer does not name its question although both were open, is lost, or is acknowledged but was
 *       not received.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Problem, type Trial } from './host-agent.js';
import { PROMPT, saidOf, wordsOf } from './interview.js';
import { eventsOf, type RoundsResult, refusalOf, sendText } from './rounds.js';
import { total } from './verdict.js';
import { waitUntilReady } from './wait-until-ready.js';

interface Pair {
  readonly questions: readonly [string, string];
  readonly answers: readonly [string, string];
}

const PAIRS: readonly Pair[] = [
  {
    questions: ['Which database shall hold the orders?', 'Which cache shall stand before it?'],
    answers: ['postgres, please', 'redis'],
  },
  {
    questions: ['May I delete the branch "old_api" (it is merged)?', 'Soll der Dienst über Nacht laufen?'],
    answers: ['no, keep it until Monday', 'ja, ab 22 Uhr'],
  },
];
const TURN_MS = 40_000;
const HEAR_MS = 30_000;
const READING_MS = 600;
const AFTERMATH_MS = 2_500;
/** Minimum part of a question, counted in letters and digits, that an answer has to quote. */
const NAMED_CHARS = 20;
const FENCE = '```';

const block = (question: string): string =>
  `${FENCE}orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question } }, null, 2)}\n${FENCE}`;

const script: Trial['script'] = ({ turns }) => {
  const said = wordsOf(turns);
  if (said.length === 0) return { text: 'I will begin when you say so.' };
  const isOver = ({ answers }: Pair): boolean => answers.every((answer) => said.some((text) => text.includes(answer)));
  const open = PAIRS.find((pair) => !isOver(pair));
  if (!open) return { text: 'That was all, thank you.' };
  const [first, second] = open.questions;
  const isAsked = turns.some(({ role, text }) => role === 'assistant' && text.includes(JSON.stringify(first)));
  if (isAsked) return { text: 'Noted; the other answer is still due.' };
  return { text: `Two things are open.\n\n${block(first)}\n\nAnd the other:\n\n${block(second)}\n` };
};

export async function driveTwoOpen(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  signal: AbortSignal,
): Promise<RoundsResult> {
  const began = Date.now();
  const count = { asked: 0, exact: 0, given: 0, received: 0, refused: 0, acknowledged: 0 };
  const full = { ...trial, script };
  const problems: Problem[] = await hostAgent(client, log, full, signal, async (hosted) => {
    await waitUntilReady(hosted);
    if (!(await sendText(hosted, PROMPT))) return;
    for (const pair of PAIRS) if (!(await playPair(hosted, pair, count))) return;
    await pause(AFTERMATH_MS, undefined, { signal });
    const isQuestion = (event: Event): boolean => event.event_type === 'item_opened' && event.type === 'QUESTION';
    const opened = eventsOf(log, hosted.id).filter(isQuestion).length;
    if (opened !== PAIRS.length * 2) await hosted.problem(`${opened} items instead of ${PAIRS.length * 2}`);
  });
  return { tally: { ...total([]), ...count }, problems, seconds: (Date.now() - began) / 1000 };
}

async function playPair(hosted: Hosted, { questions, answers }: Pair, count: Record<string, number>): Promise<boolean> {
  const { id, log, call, problem, within, signal } = hosted;
  const items: string[] = [];
  for (const question of questions) {
    count['asked'] = (count['asked'] ?? 0) + 1;
    const isItem = (event: Event): boolean =>
      event.event_type === 'item_opened' && event.session_id === id && event.data['question'] === question;
    const opened = await log.next(isItem, 0, within(HEAR_MS));
    if (opened?.event.event_type !== 'item_opened') {
      await problem(`"${question}" was not heard`);
      return false;
    }
    count['exact'] = (count['exact'] ?? 0) + 1;
    items.push(opened.event.item_id);
  }
  await pause(READING_MS, undefined, { signal });
  for (const index of [1, 0] as const) {
    const refusal = await call('inbox.answer', { item: items[index] ?? '', text: answers[index] }).then(
      () => null,
      (error: unknown) => refusalOf(error),
    );
    if (refusal !== null) {
      count['refused'] = (count['refused'] ?? 0) + 1;
      await problem(`the answer to "${questions[index]}" was refused: ${refusal}`);
      return false;
    }
    count['given'] = (count['given'] ?? 0) + 1;
  }
  const pair = { questions, answers };
  return (await received(hosted, pair, 1, items, count)) && (await received(hosted, pair, 0, items, count));
}

async function received(
  { id, server, log, problem, within }: Hosted,
  { questions, answers }: Pair,
  index: 0 | 1,
  items: readonly string[],
  count: Record<string, number>,
): Promise<boolean> {
  const answer = answers[index];
  const question = questions[index];
  const hasIt = (text: string): boolean => text.includes(answer);
  const exchange = await server
    .exchange(({ turns }) => saidOf(turns).some(({ text }) => hasIt(text)), within(TURN_MS))
    .catch(() => null);
  const isAcknowledged = eventsOf(log, id).some(
    (event) => event.event_type === 'answer_acknowledged' && event.item_id === items[index],
  );
  if (isAcknowledged) count['acknowledged'] = (count['acknowledged'] ?? 0) + 1;
  if (!exchange) {
    await problem(`the answer to "${question}" was not received${isAcknowledged ? ', but is acknowledged' : ''}`);
    return false;
  }
  count['received'] = (count['received'] ?? 0) + 1;
  const text = saidOf(exchange.turns).find((turn) => hasIt(turn.text))?.text ?? '';
  if (text.includes(answers[1 - index] ?? '')) await problem(`both answers arrived as one: ${JSON.stringify(text)}`);
  const isNamed = letters(text).startsWith(letters(question).slice(0, NAMED_CHARS));
  // Only while the first answer was given, another question was open.
  if (index === 1 && !isNamed)
    await problem(`${JSON.stringify(text)} does not name its question, "${question}", while two were open`);
  return true;
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
