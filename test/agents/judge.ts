/**
 * Evaluates a finished interview. Pure.
 *
 * In:   a daemon's events, the model server's requests and replies, the expected questions and answers.
 * Out:  how each message was heard, how the answers were acknowledged, and every error, in words.
 */
import type { Ear, Event, Message } from '../../src/protocol/index.js';
import type { Told } from './event-log.js';
import { COMPLETE, isReceived, PROMPT, type Round, wordsOf } from './interview.js';
import { printed, squashed } from './likeness.js';
import type { Exchange } from './model-server.js';

export interface Heard {
  /** The ear that reported it first. */
  readonly ear: Ear;
  /** `blanks`: equal except for blanks where rows wrap. `corrected`: exact at the end. */
  readonly as: 'exact' | 'blanks' | 'corrected' | 'other';
  /** Milliseconds from the model sending the block's last character to a subscriber getting the event. */
  readonly latencyMs: number;
  /** The part of `ms` that orchd needed: from the journal record that completed the message to the event. */
  readonly ownMs: number;
  /** The same, from the time in the agent's own record; null if there is no record or no time in it. */
  readonly recordMs: number | null;
}

export interface Judged {
  readonly heard: Heard[];
  /** Number of acknowledged answers, by evidence. */
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Every error, in words. */
  readonly wrong: string[];
}

export interface Evidence {
  readonly sessionId: string;
  readonly told: readonly Told[];
  readonly exchanges: readonly Exchange[];
  /** Times at which the agent recorded each message (milliseconds since the epoch), by index. */
  readonly records: readonly (number | null)[];
  /** True if a transcript is expected. */
  readonly hasTranscript: boolean;
}

const MAX_SHOWN_CHARS = 300;
/** A program's own renderer removes markdown marks, but no words. */
const LIKE_ENOUGH = 0.8;
/** States between the start and the first prompt: some agents work a little when they start. */
const BEGINNINGS = ['', 'waiting ', 'working waiting ', 'waiting working waiting '];

export function judge(evidence: Evidence, asked: readonly Round[]): Judged {
  const { sessionId, told, exchanges, records, hasTranscript } = evidence;
  const ours = told.filter(({ event }) => 'session_id' in event && event.session_id === sessionId);
  const events = ours.map(({ event }) => event);
  const wanted = [...asked.map(({ question }) => question), COMPLETE];
  const wrong: string[] = [];
  const heard: Heard[] = [];
  const places = new Set<number>();
  for (const { event, at } of ours) {
    if (event.event_type === 'message_rejected') {
      wrong.push(`rejected (${event.reason}, ${event.ear}): ${short(event.raw)}`);
    }
    if (event.event_type !== 'message') continue;
    const exact = correctionOf(events, event.message_id) ?? event.message;
    const place = placeOf(wanted, exact, places);
    if (typeof place === 'string') {
      wrong.push(`${place}: ${short(event.message)}`);
      continue;
    }
    if (place !== Math.max(-1, ...places) + 1)
      wrong.push(`message ${place + 1} came after ${Math.max(0, ...places) + 1}`);
    places.add(place);
    const as = grade(wanted[place], event.message, exact);
    if (as === 'other') wrong.push(`message ${place + 1} heard by ${event.ear} as ${short(event.message)}`);
    if (as === 'blanks' && event.ear !== 'screen') {
      wrong.push(`message ${place + 1} has other blanks, heard by ${event.ear}`);
    }
    const sent = exchanges.find(({ turns }) => wordsOf(turns).length === place + 1)?.blockSentAt ?? at;
    const recordedAt = event.ear === 'transcript' ? (records[place] ?? null) : null;
    const recordMs = recordedAt === null ? null : at - recordedAt;
    heard.push({ ear: event.ear, as, latencyMs: at - sent, ownMs: at - Date.parse(event.timestamp), recordMs });
  }
  for (const index of wanted.keys()) if (!places.has(index)) wrong.push(`message ${index + 1} was not heard`);
  const acknowledged: Record<string, number> = {};
  for (const event of events) {
    if (event.event_type === 'answer_acknowledged')
      acknowledged[event.evidence] = (acknowledged[event.evidence] ?? 0) + 1;
  }
  return {
    heard,
    acknowledged,
    wrong: [
      ...wrong,
      ...wrongWords(exchanges, asked),
      ...wrongAnswers(events),
      ...(hasTranscript ? [...wrongTranscript(events), ...wrongStates(events, asked.length)] : []),
    ],
  };
}

/**
 * Returns the index of the expected message: the one with the same content, or else the next one if its type matches.
 * Otherwise returns a description of the error.
 */
function placeOf(wanted: readonly unknown[], said: Message, places: ReadonlySet<number>): number | string {
  const same = wanted.findIndex((message) => squashed(message) === squashed(said));
  if (same !== -1) return places.has(same) ? `told twice (message ${same + 1})` : same;
  const next = wanted.findIndex((_, index) => !places.has(index));
  const isLike = next !== -1 && sharedWords(printed(wanted[next]), printed(said)) > LIKE_ENOUGH;
  return isLike ? next : 'heard what was not said';
}

/** Returns the share of the words of `one` that `other` contains. */
function sharedWords(one: string, other: string): number {
  const words = one.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => other.includes(word)).length / Math.max(1, words.length);
}

function correctionOf(events: readonly Event[], messageId: string): Message | undefined {
  const last = events.findLast((event) => event.event_type === 'message_corrected' && event.message_id === messageId);
  return last?.event_type === 'message_corrected' ? last.message : undefined;
}

function grade(wanted: unknown, first: Message, last: Message): Heard['as'] {
  if (printed(first) === printed(wanted)) return 'exact';
  if (printed(last) === printed(wanted)) return 'corrected';
  return squashed(last) === squashed(wanted) ? 'blanks' : 'other';
}

/** Every request must contain the first prompt and the expected answers, in order, and nothing else. */
function wrongWords(exchanges: readonly Exchange[], asked: readonly Round[]): string[] {
  const due = [PROMPT, ...asked.map(({ expected }) => expected)];
  const found = new Set<string>();
  for (const { turns } of exchanges) {
    for (const [index, words] of wordsOf(turns).entries()) {
      if (isReceived(words, due[index] ?? '')) continue;
      found.add(`the model received ${short(words)} instead of ${short(due[index] ?? null)} (message ${index})`);
    }
  }
  const times = exchanges.length - new Set(exchanges.map(({ turns }) => wordsOf(turns).length)).size;
  if (times > 0) found.add(`the model was asked ${times} times more than there were answers`);
  return [...found];
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN_CHARS);

/** Each item must be answered once, and its answer acknowledged. */
function wrongAnswers(events: readonly Event[]): string[] {
  const opened = events.flatMap((event) => (event.event_type === 'item_opened' ? [event] : []));
  return opened.flatMap(({ item_id, type }, index) => {
    const about = events.filter((event) => 'item_id' in event && event.item_id === item_id);
    const count = (name: string): number => about.filter(({ event_type }) => event_type === name).length;
    const stalls = about.flatMap((event) => (event.event_type === 'answer_stalled' ? [event.reason] : []));
    return [
      ...(type === 'QUESTION' ? [] : [`an item that is no question: ${short(about[0])}`]),
      ...(count('item_answered') === 1 ? [] : [`item ${index + 1} was answered ${count('item_answered')} times`]),
      ...(count('answer_acknowledged') === 1
        ? []
        : [`answer ${index + 1} was acknowledged ${count('answer_acknowledged')} times`]),
      ...(stalls.length === 0 ? [] : [`answer ${index + 1} stalled: ${stalls.join(', ')}`]),
    ];
  });
}

function wrongTranscript(events: readonly Event[]): string[] {
  const told = events.flatMap((event) => (event.event_type === 'session_transcript_changed' ? [event] : []));
  const last = told.at(-1);
  const isRight = last?.transcript === 'healthy' && last.agent_session_id !== null;
  const path = told.map(({ transcript, agent_session_id }) => `${transcript} (${agent_session_id})`).join(', ');
  return isRight && told.every(({ transcript }) => transcript !== 'lost') ? [] : [`transcript: ${path || 'nothing'}`];
}

/**
 * The session must start, wait for the prompt, alternate between working and waiting, and be done at the end, with at
 * most a short idle state before.
 */
function wrongStates(events: readonly Event[], questions: number): string[] {
  const states = events.flatMap((event) => (event.event_type === 'session_state_changed' ? [event.state] : []));
  const done = states.indexOf('done');
  const path = states.slice(0, done + 1).filter((state, at) => !(state === 'waiting' && at === done - 1));
  const due = [...Array.from({ length: questions }, () => 'working waiting'), 'working done'].join(' ');
  const isRight = BEGINNINGS.some((beginning) => path.join(' ') === `${beginning}${due}`);
  return isRight ? [] : [`states: ${states.join(' ')}`];
}
