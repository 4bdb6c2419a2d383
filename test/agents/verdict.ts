/**
 * Compares orchd's reports about the rounds of one session with the questions and with what the model received. Pure.
 *
 * In:   rounds, the outcome of each answer, the session's events, the requests of the model.
 * Out:  one verdict per round, and each false report as a problem. A report is false if a message differs from the
 *       original without being marked as inexact, if a message is reported twice or not at all, if an answer is
 *       acknowledged but was not received, if an answer has no event about its delivery, if `done` comes too early, or
 *       if a transcript is called healthy although its message was missed.
 */
import type { Event, TranscriptHealth } from '../../src/protocol/index.js';
import { FILLER, saidOf } from './interview.js';
import { likeness, printed, squashed } from './likeness.js';
import type { Turn } from './model/conversation.js';
import type { Exchange } from './model-server.js';
import { compareAnswer, type Grade } from './received.js';
import type { TextRound } from './texts.js';

/** The outcome of one round. */
export interface Outcome {
  /** The item that asked the question; null if none was opened. */
  readonly item: string | null;
  readonly sent: 'answer' | 'filler' | 'nothing';
  /** The reason why orchd refused the answer. */
  readonly refusal: string | null;
  /** True if the program ended instead of asking its model. */
  readonly ended: boolean;
  /** The delivery state that orchd reported when the model did not continue in time; null if it did. */
  readonly stuck: 'acknowledged' | 'stalled' | 'written' | null;
}

/**
 * How exactly orchd reported a question. `marked`: not exact, and orchd says so. `own`: exact according to the
 * program's own record, which differs.
 */
export type Heard = 'exact' | 'marked' | 'own' | 'changed' | 'missed';

export interface Judged {
  readonly name: string;
  readonly heard: Heard;
  /** Number of reports beyond the first one. */
  readonly repeated: number;
  /** The text that the model received; null if it received none. */
  readonly received: Grade | null;
  readonly outcome: Outcome;
  readonly acknowledged: boolean;
  /** The reasons that orchd reported for holding the answer back. */
  readonly stalled: readonly string[];
}

export interface Wrong {
  readonly what: string;
  /** The name of the round that it is about. */
  readonly round?: string;
}

export interface Verdict {
  readonly rounds: readonly Judged[];
  readonly problems: readonly Wrong[];
}

export interface Evidence {
  readonly rounds: readonly TextRound[];
  /** The outcomes in the order of the rounds. There are fewer if the session was given up. */
  readonly outcomes: readonly Outcome[];
  readonly events: readonly Event[];
  readonly exchanges: readonly Exchange[];
  readonly transcript: TranscriptHealth;
  /** For each round, whether the program's own files have the exact question. */
  readonly recorded: readonly boolean[];
}

/** Counts over rounds. */
export interface Tally {
  readonly asked: number;
  readonly exact: number;
  readonly marked: number;
  /** Number of questions that equal the program's own record. */
  readonly own: number;
  readonly changed: number;
  readonly missed: number;
  readonly repeated: number;
  /** Answers that orchd accepted. */
  readonly given: number;
  readonly received: number;
  readonly refused: number;
  readonly stalled: number;
  readonly acknowledged: number;
}

type MessageEvent = Extract<Event, { event_type: 'message' }>;

/** Below this likeness, two questions are different ones. */
const MIN_LIKENESS = 0.6;
const MAX_SHOWN_CHARS = 160;

export function verdict({ rounds, outcomes, events, exchanges, transcript, recorded }: Evidence): Verdict {
  const asked = rounds.slice(0, outcomes.length);
  const { byRound, unsaid } = sortMessages(asked, events);
  const turns = longestOf(exchanges);
  const problems: Wrong[] = unsaid.map(({ message }) => ({ what: `heard what was not said: ${short(message.data)}` }));
  const judged = asked.map((round, index): Judged => {
    const outcome = outcomes[index] as Outcome; // There is one outcome per round.
    const messages = byRound[index] ?? [];
    const turn = turns[index + 1];
    const foreign = [...rounds.slice(Math.max(0, index - 1), index).map(({ expected }) => expected), FILLER];
    const about = events.filter((event) => 'item_id' in event && event.item_id === outcome.item);
    return {
      name: round.name,
      heard: messages[0] ? gradeOf(events, messages[0], round, recorded[index] ?? true) : 'missed',
      repeated: Math.max(0, messages.length - 1),
      received: turn && outcome.sent === 'answer' ? received(turn, round.expected, foreign, about) : null,
      outcome,
      acknowledged: outcome.item !== null && about.some(({ event_type }) => event_type === 'answer_acknowledged'),
      stalled: about.flatMap((event) => (event.event_type === 'answer_stalled' ? [event.reason] : [])),
    };
  });
  for (const [index, one] of judged.entries()) {
    const said = byRound[index]?.[0];
    const isLacking = transcript === 'healthy' && (one.heard === 'missed' || one.heard === 'changed');
    const wrong = [
      ...wrongHearing(one, said),
      ...(isLacking ? [`the transcript is called healthy, but "${one.name}" was ${one.heard}`] : []),
      ...wrongDelivery(one, turns[index + 1], asked[index]?.expected ?? ''),
    ];
    problems.push(...wrong.map((what) => ({ what, round: one.name })));
  }
  problems.push(...[...wrongItems(events), ...wrongStates(events)].map((what) => ({ what })));
  return { rounds: judged, problems };
}

/**
 * Assigns messages to the rounds that they repeat. They are compared by likeness, because a screen may have damaged
 * them.
 */
function sortMessages(rounds: readonly TextRound[], events: readonly Event[]) {
  const byRound: MessageEvent[][] = rounds.map(() => []);
  const unsaid: MessageEvent[] = [];
  for (const event of events) {
    if (event.event_type !== 'message') continue;
    const place = placeOf(rounds, finalOf(events, event).data['question']);
    if (place === null || event.message.type !== 'QUESTION') unsaid.push(event);
    else byRound[place]?.push(event);
  }
  return { byRound, unsaid };
}

/** Returns the index of the round whose question is most like the text; null if none is. */
export function placeOf(rounds: readonly TextRound[], question: unknown): number | null {
  const text = squashed(question ?? '');
  const scores = rounds.map((round) => likeness(squashed(round.question.data.question), text));
  const best = Math.max(...scores, 0);
  return best < MIN_LIKENESS ? null : scores.indexOf(best);
}

const finalOf = (events: readonly Event[], { message, message_id: id }: MessageEvent): MessageEvent['message'] => {
  const last = events.findLast((event) => event.event_type === 'message_corrected' && event.message_id === id);
  return last?.event_type === 'message_corrected' ? last.message : message;
};

function gradeOf(events: readonly Event[], event: MessageEvent, round: TextRound, isRecorded: boolean): Heard {
  if (printed(finalOf(events, event)) === printed(round.question)) return 'exact';
  if (isMarked(event)) return 'marked';
  return event.ear === 'transcript' && !isRecorded ? 'own' : 'changed';
}

/** True if orchd itself says that the text may differ from what was said. */
const isMarked = (event: MessageEvent): boolean => 'exact' in event && event['exact'] === false;

function wrongHearing({ name, heard, repeated, outcome }: Judged, said: MessageEvent | undefined): string[] {
  const isShown = heard === 'changed' && said !== undefined;
  return [
    ...(heard === 'missed' ? [`"${name}" was not heard`] : []),
    ...(isShown ? [`"${name}" was heard by ${said.ear} as ${short(said.message.data)}, and is not marked so`] : []),
    ...(repeated > 0 ? [`"${name}" was told ${repeated + 1} times`] : []),
    ...(heard !== 'missed' && outcome.item === null ? [`"${name}" was heard late, or opened no item`] : []),
  ];
}

function wrongDelivery(
  { name, received, outcome, acknowledged, stalled }: Judged,
  turn: Turn | undefined,
  due: string,
) {
  if (outcome.sent !== 'answer') return [];
  if (outcome.ended) return [`the answer to "${name}" ended the program`];
  if (received === 'changed') {
    const words = `the answer to "${name}" arrived as ${short(turn?.parts ?? turn?.text)} instead of ${short(due)}`;
    return [`${words}${acknowledged ? ', and is acknowledged' : ''}`];
  }
  if (received !== null && outcome.stuck === 'acknowledged')
    return [`the answer to "${name}" is acknowledged, but stood there unsent until Enter was pressed`];
  if (received !== null && outcome.stuck === 'stalled')
    return [`the answer to "${name}" was held back until Enter was pressed: ${stalled.join(', ')}`];
  if (received !== null && outcome.stuck === 'written')
    return [`the answer to "${name}" stood there unsent, and orchd says nothing of it`];
  if (received !== null) return [];
  if (acknowledged) return [`the answer to "${name}" is acknowledged, but was not received`];
  if (stalled.length > 0) return [`the answer to "${name}" was held back for good: ${stalled.join(', ')}`];
  return [`the answer to "${name}" was not received, and orchd says nothing of it`];
}

/** A program may ring its bell after a reply without a question. */
function wrongItems(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.event_type === 'item_opened' && event.type === 'attention' && event.data['source'] !== 'bell')
      return [`an item that nothing asked for: ${short(event.data)}`];
    if (event.event_type === 'message_rejected') return [`rejected (${event.reason}): ${short(event.raw)}`];
    return [];
  });
}

/** The model never reports that it has finished. */
const wrongStates = (events: readonly Event[]): string[] =>
  events.some((event) => event.event_type === 'session_state_changed' && event.state === 'done')
    ? ['the session is called done, but nothing was reported']
    : [];

const longestOf = (exchanges: readonly Exchange[]): Turn[] =>
  exchanges.map(({ turns }) => saidOf(turns)).reduce((most, said) => (said.length > most.length ? said : most), []);

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN_CHARS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARS / 2)}…${text.slice(-MAX_SHOWN_CHARS / 2)}`;
};

export function tallyOf({ rounds }: Verdict): Tally {
  const count = (fits: (one: Judged) => boolean): number => rounds.filter(fits).length;
  const isGiven = ({ outcome }: Judged): boolean => outcome.sent === 'answer';
  return {
    asked: rounds.length,
    exact: count(({ heard }) => heard === 'exact'),
    marked: count(({ heard }) => heard === 'marked'),
    own: count(({ heard }) => heard === 'own'),
    changed: count(({ heard }) => heard === 'changed'),
    missed: count(({ heard }) => heard === 'missed'),
    repeated: rounds.reduce((sum, { repeated }) => sum + repeated, 0),
    given: count(isGiven),
    received: count(({ received }) => received !== null && received !== 'changed'),
    refused: count(({ outcome }) => outcome.refusal !== null),
    stalled: count((one) => isGiven(one) && one.received === null && one.stalled.length > 0),
    acknowledged: count(({ acknowledged }) => acknowledged),
  };
}

export function total(tallies: readonly Tally[]): Tally {
  const keys = ['asked', 'exact', 'marked', 'own', 'changed', 'missed', 'repeated'] as const;
  const more = ['given', 'received', 'refused', 'stalled', 'acknowledged'] as const;
  const sum = (key: keyof Tally): number => tallies.reduce((so, tally) => so + tally[key], 0);
  return Object.fromEntries([...keys, ...more].map((key) => [key, sum(key)])) as unknown as Tally;
}

/** The text that orchd reported as typed also counts. */
function received(turn: Turn, expected: string, foreign: readonly string[], about: readonly Event[]): Grade {
  const grade = compareAnswer(turn, expected, foreign);
  const typed = about.flatMap((event) =>
    event.event_type === 'item_answered' ? [event.answer.typed ?? expected] : [],
  );
  const isTold = typed.some((text) => text !== expected && compareAnswer(turn, text, foreign) !== 'changed');
  return grade === 'changed' && isTold ? 'told' : grade;
}
