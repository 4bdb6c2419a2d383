/**
 * An interview: question → inbox → answer → the model server received it → next …, → TASK_COMPLETE.
 *
 * Out:  what was heard and received, how soon, and every problem. A question that is not heard is answered by typing, so that the others
 *       are still tried.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Problem, type Trial } from './host-agent.js';
import { interview, PROMPT, type Round, wordsOf } from './interview.js';
import { type Heard, judge } from './judge.js';
import type { Exchange } from './model-server.js';

export interface Result {
  readonly heard: readonly Heard[];
  /** Answers that the model server received exactly. */
  readonly received: number;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

/** From the request of the model to the event, and from the answer to the request. */
const HEAR_MS = 30_000;
/** On a busy machine an agent may take long to ask its model for the first time. */
const RECEIVE_MS = 60_000;
/** A person reads before answering. */
const READING_MS = 300;
/** For what should not come. */
const AFTERMATH_MS = 1_500;

export async function drive(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  asked: readonly Round[],
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  let heard: Heard[] = [];
  let received = 0;
  const wrong: Problem[] = [];
  const problems = await hostAgent(client, log, { ...trial, script: interview(asked) }, signal, async (hosted) => {
    await converse(hosted, asked);
    await pause(AFTERMATH_MS, undefined, { signal });
    const judged = judge(hosted.id, log.told, hosted.server.exchanges, asked);
    heard = judged.heard;
    wrong.push(...judged.wrong.map((what) => ({ what, screen: '' })));
    received = receivedBy(hosted.server.exchanges, asked);
  });
  return { heard, received, problems: [...problems, ...wrong], seconds: (Date.now() - began) / 1000 };
}

async function converse(hosted: Hosted, asked: readonly Round[]): Promise<void> {
  const { id, server, log, call, problem, within, signal } = hosted;
  const isOurs = (event: Event): boolean => 'session_id' in event && event.session_id === id;
  const asksAfter = (answers: number) =>
    server.exchange(({ turns }) => wordsOf(turns).length === answers + 1, within(RECEIVE_MS)).catch(() => null);
  await call('session.send', { session: id, text: PROMPT });
  let place = log.told.length;
  for (const [index, { answer, expected }] of asked.entries()) {
    const exchange = await asksAfter(index);
    if (!exchange) return problem(index === 0 ? 'the first prompt did not arrive' : `answer ${index} did not arrive`);
    const opened = await log.next(
      (event) => isOurs(event) && event.event_type === 'item_opened',
      place,
      within(HEAR_MS),
    );
    while (exchange.endedAt === null) await pause(20, undefined, { signal });
    await pause(READING_MS, undefined, { signal });
    place = log.told.length;
    if (opened?.event.event_type !== 'item_opened') {
      await problem(`question ${index + 1} was not heard`);
      await call('session.send', { session: id, text: expected });
      continue;
    }
    const { state } = await call('session.show', { session: id });
    if (state !== 'waiting') await problem(`state ${state} while question ${index + 1} waits`);
    await call('inbox.answer', { item: opened.event.item_id, ...answer });
  }
  if (!(await asksAfter(asked.length))) return problem(`answer ${asked.length} did not arrive`);
  const done = (event: Event) =>
    isOurs(event) && event.event_type === 'session_state_changed' && event.state === 'done';
  if (!(await log.next(done, place, within(HEAR_MS)))) await problem('the state is not done at the end');
}

function receivedBy(exchanges: readonly Exchange[], asked: readonly Round[]): number {
  const longest = exchanges
    .map(({ turns }) => wordsOf(turns))
    .reduce((most, words) => (words.length > most.length ? words : most), []);
  return asked.filter(({ expected }, index) => longest[index + 1] === expected).length;
}
