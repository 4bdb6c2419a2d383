/**
 * Half-typed text: a person has typed into the composer, or types while an answer arrives. The model must never receive
 * both as one text.
 *
 * Each turn tests one case: the text is removed later, removed before, sent by the person, or typed while the answer
 * arrives.
 * Out:  every mixture, every lost answer, and every acknowledged answer that the model did not receive.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Problem, type Trial } from './host-agent.js';
import { PROMPT, saidOf, wordsOf } from './interview.js';
import type { Turn } from './model/conversation.js';
import { compareAnswer } from './received.js';
import { eventsOf, type RoundsResult, refusalOf, sendText } from './rounds.js';
import { total } from './verdict.js';
import { waitUntilReady } from './wait-until-ready.js';

type Case = 'removed later' | 'removed before' | 'sent by the person' | 'typed meanwhile';

const CASES: readonly Case[] = ['removed later', 'removed before', 'sent by the person', 'typed meanwhile'];
const TURN_MS = 40_000;
const HEAR_MS = 30_000;
/** Milliseconds between two keys of a person who types fast. */
const KEY_MS = 60;
/** Milliseconds between the last key and the answer. */
const LOOK_MS = 600;
/** A shorter beginning of a draft is not searched on the screen. */
const BEGUN_CHARS = 4;
/** How long the person leaves the text in the composer. */
const STAND_MS = 4_000;

interface Draft {
  readonly draft: string;
  /** True if the person pastes it through an attached terminal, instead of pressing keys. */
  readonly isPasted?: true;
}

/** The first three are typed for each case. `--times 6` also has the others. */
const DRAFTS: readonly Draft[] = [
  { draft: 'half a thought' },
  { draft: 'wait, I' },
  { draft: 'und dann noch ü' },
  { draft: 'pasted, but not sent', isPasted: true },
  { draft: 'the first line\nand the second', isPasted: true },
  { draft: '   ' },
];

interface Round extends Draft {
  readonly which: Case;
  readonly question: string;
  readonly answer: string;
}

const roundsOf = (times: number): Round[] =>
  CASES.flatMap((which, place) =>
    Array.from({ length: times }, (_, time) => ({
      which,
      question: `Colour ${place * times + time + 1}: which one shall the ${['door', 'roof', 'wall', 'gate'][place]} have?`,
      ...(DRAFTS[time % DRAFTS.length] ?? { draft: '' }),
      // The number makes it differ from the answers of other rounds, which the conversation also contains.
      answer: `${['blue please', 'grün – oder rot', 'number 7, as always'][(place + time) % 3]}, ${place * times + time + 1}.`,
    })),
  );

/** @param times  How often each case is played. */
export async function driveDrafts(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  times: number,
  signal: AbortSignal,
): Promise<RoundsResult> {
  const began = Date.now();
  const problems: Problem[] = [];
  const count = { asked: 0, given: 0, received: 0, refused: 0, acknowledged: 0 };
  let left = roundsOf(times);
  const paste: Paste = async (session, text) => {
    const terminal = await client.terminal(session, { signal });
    terminal.onBytes(() => undefined);
    await terminal.sendBytes(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`);
    await pause(LOOK_MS, undefined, { signal });
    terminal.close();
  };
  for (let session = 1; left.length > 0; session++) {
    const rounds = left;
    let played = 0;
    const full = { ...trial, home: `${trial.home}-${session}`, script: scriptOf(rounds) };
    problems.push(
      ...(await hostAgent(client, log, full, signal, async (hosted) => {
        await waitUntilReady(hosted);
        if (!(await sendText(hosted, PROMPT))) return;
        for (const round of rounds) {
          played++;
          count.asked++;
          if (!(await play(hosted, round, count, paste))) return;
        }
      })),
    );
    if (played === 0) break;
    left = rounds.slice(played);
  }
  const tally = { ...total([]), ...count, exact: count.asked };
  return { tally, problems, seconds: (Date.now() - began) / 1000 };
}

/** The model asks the next question as soon as it has received the answer to the last one, in any message. */
const scriptOf =
  (rounds: readonly Round[]) =>
  ({ turns }: Parameters<Trial['script']>[0]) => {
    const said = wordsOf(turns);
    if (said.length === 0) return { text: 'I will begin when you say so.' };
    const next = placeIn(rounds, said);
    const round = rounds[next];
    if (!round) return { text: 'That was all, thank you.' };
    const data = { question: round.question };
    const block = `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data }, null, 2)}\n\`\`\``;
    const isAsked = turns.some(({ role, text }) => role === 'assistant' && text.includes(round.question));
    return { text: isAsked ? 'I still wait for the answer.' : `Next.\n\n${block}\n` };
  };

/** Returns the number of completed rounds in the conversation. Each answer is searched for after the previous one. */
function placeIn(rounds: readonly Round[], said: readonly string[]): number {
  let from = 1;
  for (const [index, { answer }] of rounds.entries()) {
    const place = said.findIndex((text, at) => at >= from && text.includes(answer));
    if (place === -1) return index;
    from = place + 1;
  }
  return rounds.length;
}

type Paste = (session: string, text: string) => Promise<void>;

/** @returns False if the session cannot be used for the next round. */
async function play(hosted: Hosted, round: Round, count: Record<string, number>, paste: Paste): Promise<boolean> {
  const { id, log, call, problem, within, signal, server } = hosted;
  const { which, draft, isPasted, answer } = round;
  const isItem = (event: Event): boolean =>
    event.event_type === 'item_opened' && event.session_id === id && event.data['question'] === round.question;
  const opened = await log.next(isItem, 0, within(HEAR_MS));
  if (opened?.event.event_type !== 'item_opened') {
    await problem(`"${round.question}" was not heard`);
    return false;
  }
  const item = opened.event.item_id;
  await pause(LOOK_MS * 2, undefined, { signal });
  const before = server.exchanges.length;
  const type = async (): Promise<void> => {
    if (isPasted) return paste(id, draft);
    for (const key of draft) {
      await call('session.keys', { session: id, keys: [key === ' ' ? 'Space' : key] });
      await pause(KEY_MS, undefined, { signal });
    }
  };
  // Deletes everything at once, which programs made with Ink take for text. Then deletes one character at a time, for
  // the draft and for that text, and some more.
  const remove = async (): Promise<void> => {
    const keys = [...draft].map(() => 'BSpace');
    await call('session.keys', { session: id, keys });
    await pause(LOOK_MS * 2, undefined, { signal });
    const { text } = await call('session.capture', { session: id });
    if (!text.includes(draft.slice(0, BEGUN_CHARS))) return;
    for (const key of [...keys, ...keys, ...keys]) {
      await call('session.keys', { session: id, keys: [key] });
      await pause(KEY_MS * 2, undefined, { signal });
    }
  };
  const say = () =>
    call('inbox.answer', { item, text: answer }).then(
      () => null,
      (error: unknown) => refusalOf(error),
    );
  let refusal: string | null;
  if (which === 'typed meanwhile') {
    const typing = type();
    await pause(KEY_MS * 3, undefined, { signal });
    refusal = await say();
    await typing;
  } else {
    await type();
    await pause(LOOK_MS, undefined, { signal });
    if (which === 'removed before') {
      await remove();
      await pause(LOOK_MS, undefined, { signal });
    }
    refusal = await say();
  }
  if (refusal === null) count['given'] = (count['given'] ?? 0) + 1;
  else count['refused'] = (count['refused'] ?? 0) + 1;
  if (which !== 'removed before') {
    await pause(STAND_MS, undefined, { signal });
    const isFree = server.exchanges.length === before;
    if (which === 'sent by the person') {
      await call('session.keys', { session: id, keys: ['Enter'] });
    } else if (isFree) await remove();
  }
  if (refusal !== null) return false;
  const received = await server
    .exchange(({ turns }) => saidOf(turns).some(({ text }) => text.includes(answer)), within(TURN_MS))
    .catch(() => null);
  return judge(hosted, round, item, received !== null, count);
}

async function judge(
  hosted: Hosted,
  { which, draft, answer, question }: Round,
  item: string,
  isReceived: boolean,
  count: Record<string, number>,
): Promise<boolean> {
  const { id, log, problem, server } = hosted;
  const about = eventsOf(log, id).filter((event) => 'item_id' in event && event.item_id === item);
  const isAcknowledged = about.some(({ event_type }) => event_type === 'answer_acknowledged');
  const stalled = about.flatMap((event) => (event.event_type === 'answer_stalled' ? [event.reason] : []));
  if (isAcknowledged) count['acknowledged'] = (count['acknowledged'] ?? 0) + 1;
  const turns = server.exchanges.flatMap((exchange) => saidOf(exchange.turns).slice(1));
  const isTouched = (turn: Turn) => turn.text.includes(answer) && compareAnswer(turn, answer, [draft]) === 'changed';
  const halves = draft.split(' ').filter((word) => word.length > 2);
  const mixture = turns.find((turn) => isTouched(turn) || isMixed(turn.text, answer, halves))?.text;
  if (mixture !== undefined) {
    const word = isAcknowledged ? ', and the answer is acknowledged' : '';
    await problem(`${which}: the model received ${JSON.stringify(mixture)} for ${JSON.stringify(answer)}${word}`);
    return false;
  }
  if (isReceived) {
    count['received'] = (count['received'] ?? 0) + 1;
    return true;
  }
  const state = stalled.length > 0 ? `stalled: ${stalled.join(', ')}` : isAcknowledged ? 'acknowledged' : 'silent';
  await problem(`${which}: the answer to "${question}" was not received (${state})`);
  return false;
}

/** True if a message contains a word of the draft and a part of the answer. */
const isMixed = (text: string, answer: string, halves: readonly string[]): boolean =>
  halves.some((word) => text.includes(word)) &&
  answer.split(/\W+/u).some((word) => word.length > 2 && text.includes(word));
