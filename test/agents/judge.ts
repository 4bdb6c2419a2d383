/**
 * What a finished interview shows: pure.
 *
 * In:   a daemon's events, what the model server was asked and gave, the questions and the answers that were due.
 * Out:  how each message was heard, and everything that should not be so, in words.
 */
import type { Ear, Event, Message } from '../../src/protocol/index.js';
import type { Told } from './event-log.js';
import { COMPLETE, PROMPT, type Round, wordsOf } from './interview.js';
import type { Exchange } from './model-server.js';

export interface Heard {
  /** By which ear it was told first. */
  readonly ear: Ear;
  /** `blanks`: but for blanks, where rows wrap. `corrected`: exact in the end. */
  readonly as: 'exact' | 'blanks' | 'corrected' | 'other';
  /** From the block's last character, sent by the model, to the event at a subscriber, in ms. */
  readonly latencyMs: number;
  /** Of it, from the terminal's output that made it known to the event: what the agent itself takes to paint is not in it. */
  readonly ownMs: number;
}

const MAX_SHOWN_CHARS = 300;
/** A program's own renderer eats marks of markdown, not words. */
const LIKE_ENOUGH = 0.8;
/** In this order, again and again, until `done`. */
const STATES = ['waiting', 'working'] as const;

export function judge(
  sessionId: string,
  told: readonly Told[],
  exchanges: readonly Exchange[],
  asked: readonly Round[],
): { heard: Heard[]; wrong: string[] } {
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
    heard.push({ ear: event.ear, as, latencyMs: at - sent, ownMs: at - Date.parse(event.timestamp) });
  }
  for (const index of wanted.keys()) if (!places.has(index)) wrong.push(`message ${index + 1} was not heard`);
  return { heard, wrong: [...wrong, ...wrongWords(exchanges, asked), ...wrongStates(events)] };
}

/** Which of those that are due it is: by its content, else the next one, if one of that type is next. In words what it is instead. */
function placeOf(wanted: readonly unknown[], said: Message, places: ReadonlySet<number>): number | string {
  const same = wanted.findIndex((message) => squashed(message) === squashed(said));
  if (same !== -1) return places.has(same) ? `told twice (message ${same + 1})` : same;
  const next = wanted.findIndex((_, index) => !places.has(index));
  const isLike = next !== -1 && likeness(printed(wanted[next]), printed(said)) > LIKE_ENOUGH;
  return isLike ? next : 'heard what was not said';
}

/** The share of one's words that the other has. */
function likeness(one: string, other: string): number {
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

/** Objects with their keys in order. */
const printed = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const squashed = (value: unknown): string => printed(value).replace(/\\[nt]|\s/g, '');

/** Every request must hold the first prompt and the answers that were due, in order, and nothing else. */
function wrongWords(exchanges: readonly Exchange[], asked: readonly Round[]): string[] {
  const due = [PROMPT, ...asked.map(({ expected }) => expected)];
  const found = new Set<string>();
  for (const { turns } of exchanges) {
    for (const [index, words] of wordsOf(turns).entries()) {
      if (words === due[index]) continue;
      found.add(`the model received ${short(words)} instead of ${short(due[index] ?? null)} (message ${index})`);
    }
  }
  const times = exchanges.length - new Set(exchanges.map(({ turns }) => wordsOf(turns).length)).size;
  if (times > 0) found.add(`the model was asked ${times} times more than there were answers`);
  return [...found];
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN_CHARS);

/** Waiting while it waits, working between, done at the end. */
function wrongStates(events: readonly Event[]): string[] {
  const states = events.flatMap((event) => (event.event_type === 'session_state_changed' ? [event.state] : []));
  const first = states.indexOf('waiting');
  const path = first === -1 ? [] : states.slice(first);
  const last = path.lastIndexOf('done');
  const between = last === -1 ? path : path.slice(0, last);
  const isWrong = between.some((state, index) => state !== STATES[index % 2]);
  return isWrong ? [`states: ${states.join(' ')}`] : [];
}
