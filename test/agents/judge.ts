/**
 * What a finished interview shows: pure.
 *
 * In:   a daemon's events, what the model server was asked and gave, the questions and the answers that were due.
 * Out:  how each message was heard, how the answers were acknowledged, and everything that should not be so, in words.
 */
import type { Ear, Event, Message } from '../../src/protocol/index.js';
import type { Told } from './event-log.js';
import { COMPLETE, isReceived, PROMPT, type Round, wordsOf } from './interview.js';
import { printed, squashed } from './likeness.js';
import type { Exchange } from './model-server.js';

export interface Heard {
  /** By which ear it was told first. */
  readonly ear: Ear;
  /** `blanks`: but for blanks, where rows wrap. `corrected`: exact in the end. */
  readonly as: 'exact' | 'blanks' | 'corrected' | 'other';
  /** From the block's last character, sent by the model, to the event at a subscriber, in ms. */
  readonly latencyMs: number;
  /**
   * Of it, from the journal's record that made it known to the event: what the agent itself takes to paint or to write
   * is not in it.
   */
  readonly ownMs: number;
  /** From the moment that the agent's own record of it names; null where it names none, or wrote none. */
  readonly recordMs: number | null;
}

export interface Judged {
  readonly heard: Heard[];
  /** How many answers were acknowledged, by evidence. */
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Everything that should not be so, in words. */
  readonly wrong: string[];
}

export interface Evidence {
  readonly sessionId: string;
  readonly told: readonly Told[];
  readonly exchanges: readonly Exchange[];
  /** When the agent wrote each message down; by place, ms since the epoch. */
  readonly records: readonly (number | null)[];
  /** Whether a transcript is expected. */
  readonly hasTranscript: boolean;
}

const MAX_SHOWN_CHARS = 300;
/** A program's own renderer eats marks of markdown, not words. */
const LIKE_ENOUGH = 0.8;
/** Before the first prompt, beside starting: some agents work a little when they start. */
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
 * Which of those that are due it is: by its content, else the next one, if one of that type is next. In words what it
 * is instead.
 */
function placeOf(wanted: readonly unknown[], said: Message, places: ReadonlySet<number>): number | string {
  const same = wanted.findIndex((message) => squashed(message) === squashed(said));
  if (same !== -1) return places.has(same) ? `told twice (message ${same + 1})` : same;
  const next = wanted.findIndex((_, index) => !places.has(index));
  const isLike = next !== -1 && sharedWords(printed(wanted[next]), printed(said)) > LIKE_ENOUGH;
  return isLike ? next : 'heard what was not said';
}

/** The share of one's words that the other has. */
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

/** Every request must hold the first prompt and the answers that were due, in order, and nothing else. */
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

/** Each item is answered once, and the agent is seen to have taken the answer. */
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
 * Starting, then waiting for the prompt; working and waiting by turns; done at the end, at most for a moment idle
 * before that.
 */
function wrongStates(events: readonly Event[], questions: number): string[] {
  const states = events.flatMap((event) => (event.event_type === 'session_state_changed' ? [event.state] : []));
  const done = states.indexOf('done');
  const path = states.slice(0, done + 1).filter((state, at) => !(state === 'waiting' && at === done - 1));
  const due = [...Array.from({ length: questions }, () => 'working waiting'), 'working done'].join(' ');
  const isRight = BEGINNINGS.some((beginning) => path.join(' ') === `${beginning}${due}`);
  return isRight ? [] : [`states: ${states.join(' ')}`];
}
