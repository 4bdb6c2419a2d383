/**
 * An interview: question → inbox → answer → the model server received it → next …, → TASK_COMPLETE.
 *
 * Out:  the messages heard and answers received, with their delays, and every problem. If a question is not heard, the
 *       answer is typed, so that the others are still tested.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import { GENERIC } from '../../src/session/adapters/index.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Problem, type Trial } from './host-agent.js';
import { COMPLETE, interview, isReceived, PROMPT, type Round, wordsOf } from './interview.js';
import { type Judged, judge } from './judge.js';
import type { Exchange } from './model-server.js';
import { recordTimes } from './records.js';
import { usageProblems } from './usage.js';
import { waitUntilReady } from './wait-until-ready.js';

export interface Result extends Omit<Judged, 'wrong'> {
  /** Number of answers that the model server received exactly. */
  readonly received: number;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

/**
 * Timeout from the model's request to the event. After a crash, the daemon may first have to read a long session again.
 */
const HEAR_MS = 90_000;
/** Timeout for the agent's first request: on a busy machine an agent may take long. */
const RECEIVE_MS = 60_000;
/** Timeout for the start: some agents are very slow on a busy machine without a network. */
export const START_MS = 180_000;
/** Delay before an answer, like a person who reads first. */
const READING_MS = 300;
/** How long to wait for events that must not come. */
const AFTERMATH_MS = 1_500;

/**
 * @param agentsDir The folder in which the agents of sessions write files for the daemon.
 * @param isScreened True to host it like a program without an adapter (`--adapter shell`), so that only its screen is
 *   read.
 */
export async function drive(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  asked: readonly Round[],
  { agentsDir, isScreened }: { agentsDir: string; isScreened: boolean },
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  let result = { heard: [], acknowledged: {}, received: 0 } as Pick<Result, 'heard' | 'acknowledged' | 'received'>;
  const wrong: Problem[] = [];
  const start = isScreened ? { adapter: GENERIC.name } : {};
  const full: Trial = { ...trial, start, script: interview(asked) };
  const problems = await hostAgent(client, log, full, signal, async (hosted) => {
    await waitUntilReady(hosted);
    await converse(hosted, asked);
    await pause(AFTERMATH_MS, undefined, { signal });
    const { exchanges } = hosted.server;
    wrong.push(...(await usageProblems(hosted)));
    const said = [...asked.map(({ question }) => question), COMPLETE].map((message) =>
      JSON.stringify(message, null, 2),
    );
    const records = recordTimes(trial.agent.adapter, [hosted.home, `${agentsDir}/${hosted.id}`], said);
    // For a program without an adapter, orchd cannot know a transcript or states.
    const hasTranscript = !isScreened && trial.agent.adapter !== GENERIC.name;
    const evidence = { sessionId: hosted.id, told: log.told, exchanges, records, hasTranscript };
    const { wrong: all, ...judged } = judge(evidence, asked);
    wrong.push(...all.map((what) => ({ what, screen: '' })));
    result = { ...judged, received: receivedBy(exchanges, asked) };
  });
  return { ...result, problems: [...problems, ...wrong], seconds: (Date.now() - began) / 1000 };
}

async function converse(hosted: Hosted, asked: readonly Round[]): Promise<void> {
  const { id, server, log, call, problem, within, signal } = hosted;
  const isOurs = (event: Event): boolean => 'session_id' in event && event.session_id === id;
  const asksAfter = (answers: number) => {
    // A program that has just started may load for minutes before it asks its model.
    const limit = within(answers === 0 ? START_MS : RECEIVE_MS);
    return server.exchange(({ turns }) => wordsOf(turns).length === answers + 1, limit).catch(() => null);
  };
  // The place is determined before the prompt is sent: a fast agent can ask its question before this call returns.
  let place = log.told.length;
  await call('session.send', { session: id, text: PROMPT, wait_ms: START_MS });
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
  return asked.filter(({ expected }, index) => isReceived(longest[index + 1], expected)).length;
}
