/**
 * Questions and answers in turn: each round is a question of the model, its item in the inbox, and an answer that the
 * model must receive.
 *
 * In:   rounds, an agent, a size.
 * Out:  orchd's statements about each round, and those that were wrong (verdict.ts). If an answer ends the program or
 *       is never sent, the remaining rounds run in a new session.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import { type Event, OrchdError } from '../../src/protocol/index.js';
import { START_MS } from './drive.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Problem, type Trial } from './host-agent.js';
import { FILLER, PROMPT, saidOf } from './interview.js';
import type { Reply } from './model/conversation.js';
import type { Exchange, Script } from './model-server.js';
import { isRecorded } from './records.js';
import type { TextRound } from './texts.js';
import { type Outcome, placeOf, type Tally, tallyOf, total, verdict } from './verdict.js';
import { waitUntilReady } from './wait-until-ready.js';

export interface RoundsResult {
  readonly tally: Tally;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

export interface RoundsOptions {
  /** Runs during each reply of the model, from the request until the signal aborts. */
  readonly meanwhile?: (hosted: Hosted, signal: AbortSignal) => Promise<void>;
}

/** Timeout from the model's request to the item. */
const HEAR_MS = 30_000;
/** Timeout from the answer to the model's next request. */
const RECEIVE_MS = 45_000;
/** The timeout that applies after orchd has acknowledged the answer. */
const ACKNOWLEDGED_MS = 12_000;
/** How long a stalled answer may still be sent, for example after the wait for a busy agent. */
const STALLED_MS = 34_000;
/** The timeout that applies after the driver has pressed Enter itself. */
const PUSHED_MS = 10_000;
/** Delay before an answer, like a person who reads first. */
const READING_MS = 400;
/** How long to wait for events that must not come. */
const AFTERMATH_MS = 2_500;
const FENCE = '```';
/** Files to which an `@` in an answer can be completed. */
const FILES = { 'README.md': '# Demo\n', 'notes.md': 'Buy milk.\n', 'package.json': '{"name": "demo"}\n' };
export async function driveRounds(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  rounds: readonly TextRound[],
  signal: AbortSignal,
  options: RoundsOptions = {},
): Promise<RoundsResult> {
  const began = Date.now();
  const problems: Problem[] = [];
  const tallies: Tally[] = [];
  for (let next = 0, session = 1; next < rounds.length; session++) {
    const part = rounds.slice(next);
    const full = { ...trial, files: FILES, home: `${trial.home}-${session}`, script: scriptOf(part) };
    const outcomes: Outcome[] = [];
    const screens = new Map<string, string>();
    problems.push(
      ...(await hostAgent(client, log, full, signal, async (hosted) => {
        await playRounds(hosted, part, { outcomes, screens }, options);
        await pause(AFTERMATH_MS, undefined, { signal });
        const { transcript } = await hosted.call('session.show', { session: hosted.id });
        const events = eventsOf(log, hosted.id);
        const recorded = part.map(({ question }) => isRecorded(hosted.home, question.data));
        const { exchanges } = hosted.server;
        const judged = verdict({ rounds: part, outcomes, events, exchanges, transcript, recorded });
        tallies.push(tallyOf(judged));
        problems.push(...judged.problems.map(({ what, round }) => ({ what, screen: screens.get(round ?? '') ?? '' })));
      })),
    );
    if (outcomes.length === 0) break; // The first prompt did not arrive, so the others would not arrive either.
    next += outcomes.length;
  }
  return { tally: total(tallies), problems, seconds: (Date.now() - began) / 1000 };
}

const scriptOf =
  (rounds: readonly TextRound[]): Script =>
  ({ turns }): Reply => {
    const answers = saidOf(turns).length - 1;
    if (answers < 0) return { text: 'I will begin when you say so.' };
    const round = rounds[answers];
    if (!round) return { text: 'That was all, thank you.' };
    const block = `${FENCE}orchestrator-message\n${JSON.stringify(round.question, null, 2)}\n${FENCE}`;
    return { text: `${round.before}\n\n${block}\n${round.after && `\n${round.after}\n`}` };
  };

interface Played {
  /** The outcome of each played round. */
  readonly outcomes: Outcome[];
  /** The screens at which an answer did not arrive, by the name of the round. */
  readonly screens: Map<string, string>;
}

async function playRounds(
  hosted: Hosted,
  rounds: readonly TextRound[],
  { outcomes, screens }: Played,
  { meanwhile }: RoundsOptions,
): Promise<void> {
  const { id, log, call, problem, signal } = hosted;
  await waitUntilReady(hosted);
  const from = log.told.length;
  if (!(await sendText(hosted, PROMPT))) return;
  for (const [index, round] of rounds.entries()) {
    // A program that has just started may load for minutes before it asks its model.
    const askMs = index === 0 ? START_MS : RECEIVE_MS;
    const exchange = (await askedAfter(hosted, index, askMs)) ?? (await push(hosted, index));
    if (!exchange) return problem('orchd send: the model was not asked');
    const end = new AbortController();
    const beside = meanwhile?.(hosted, AbortSignal.any([signal, end.signal]));
    while (exchange.endedAt === null) await pause(20, undefined, { signal });
    end.abort();
    await beside;
    const item = await itemOf(hosted, rounds, index, from);
    await pause(READING_MS, undefined, { signal });
    const outcome = item === null ? await skip(hosted) : await answer(hosted, item, round);
    outcomes.push(outcome);
    if (outcome.sent === 'nothing') return;
    if (await hasArrived(hosted, outcome, index)) continue;
    const { state } = await call('session.show', { session: id });
    const ended = ['exited', 'failed', 'lost'].includes(state);
    outcomes[index] = { ...outcome, ended, stuck: wordOf(eventsOf(log, id), outcome.item) };
    if (!ended) screens.set(round.name, (await call('session.capture', { session: id })).text.trimEnd());
    if (ended || !(await push(hosted, index + 1, 'quiet'))) return;
  }
}

/** Presses Enter, as a person would who sees the text in the composer. */
async function push(hosted: Hosted, answers: number, isTold?: 'quiet'): Promise<Exchange | null> {
  if (isTold === undefined) await hosted.problem('orchd send: the model was not asked until Enter was pressed again');
  await hosted.call('session.keys', { session: hosted.id, keys: ['Enter'] });
  return askedAfter(hosted, answers, PUSHED_MS);
}

/** Returns orchd's last statement about an answer. */
function wordOf(events: readonly Event[], item: string | null): Outcome['stuck'] {
  const last = events.findLast(
    (event) =>
      (event.event_type === 'answer_acknowledged' || event.event_type === 'answer_stalled') && event.item_id === item,
  );
  if (last === undefined) return 'written';
  return last.event_type === 'answer_acknowledged' ? 'acknowledged' : 'stalled';
}

/**
 * Waits for the model's next request or for the end of the program. Gives up if orchd's state of the answer has not
 * changed for the timeout of that state.
 */
async function hasArrived(hosted: Hosted, { item }: Outcome, index: number): Promise<boolean> {
  const { id, log, within } = hosted;
  const over = new AbortController();
  const limit = AbortSignal.any([over.signal, within(RECEIVE_MS)]);
  const isEnd = (event: Event): boolean => isOf(event, id) && event.event_type === 'session_exited';
  const endAfter = async (type: 'answer_stalled' | 'answer_acknowledged', ms: number): Promise<void> => {
    const isWord = (event: Event): boolean => event.event_type === type && event.item_id === item;
    if (!(await log.next(isWord, 0, limit))) return;
    await pause(ms, undefined, { signal: limit }).catch(() => null);
    over.abort();
  };
  const [arrived] = await Promise.all([
    hosted.server
      .exchange(({ turns }) => saidOf(turns).length > index + 1, limit)
      .then(() => true)
      .catch(() => false)
      .finally(() => over.abort()),
    log.next(isEnd, 0, limit).then((told) => told && over.abort()),
    endAfter('answer_stalled', STALLED_MS),
    endAfter('answer_acknowledged', ACKNOWLEDGED_MS),
  ]);
  return arrived;
}

async function answer(hosted: Hosted, item: string, round: TextRound): Promise<Outcome> {
  const outcome: Outcome = { item, sent: 'answer', refusal: null, ended: false, stuck: null };
  const refusal = await hosted.call('inbox.answer', { item, ...round.answer }).then(
    () => null,
    (error: unknown) => refusalOf(error),
  );
  if (refusal === null) return outcome;
  const again = await hosted.call('inbox.answer', { item, text: FILLER }).then(
    () => null,
    (error: unknown) => refusalOf(error),
  );
  return { ...outcome, refusal, sent: again === null ? 'filler' : 'nothing' };
}

async function skip(hosted: Hosted): Promise<Outcome> {
  const isSent = await sendText(hosted, FILLER);
  return { item: null, sent: isSent ? 'filler' : 'nothing', refusal: null, ended: false, stuck: null };
}

/** @returns False if orchd did not send the text. The problem is recorded. */
export async function sendText({ id, call, problem }: Hosted, text: string): Promise<boolean> {
  try {
    await call('session.send', { session: id, text, wait_ms: text === PROMPT ? START_MS : HEAR_MS });
    return true;
  } catch (error) {
    await problem(`orchd send "${text}": ${refusalOf(error)}`);
    return false;
  }
}

/** @throws An error that is not orchd's. */
export function refusalOf(error: unknown): string {
  if (error instanceof OrchdError) return `${error.code}: ${error.message}`;
  throw error;
}

export const askedAfter = ({ server, within }: Hosted, answers: number, ms: number): Promise<Exchange | null> =>
  server.exchange(({ turns }) => saidOf(turns).length === answers + 1, within(ms)).catch(() => null);

/** Returns the id of the item that asks a round's question; null if none is opened in time. */
async function itemOf(
  { id, log, within }: Hosted,
  rounds: readonly TextRound[],
  index: number,
  from: number,
): Promise<string | null> {
  const isIt = (event: Event): boolean =>
    isOf(event, id) &&
    event.event_type === 'item_opened' &&
    event.type === 'QUESTION' &&
    placeOf(rounds, event.data['question']) === index;
  const opened = await log.next(isIt, from, within(HEAR_MS));
  return opened?.event.event_type === 'item_opened' ? opened.event.item_id : null;
}

const isOf = (event: Event, id: string): boolean => 'session_id' in event && event.session_id === id;

export const eventsOf = (log: EventLog, id: string): Event[] =>
  log.told.flatMap(({ event }) => (isOf(event, id) ? [event] : []));
