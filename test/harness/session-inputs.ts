/** Inputs of a session with one question, and the decisions on a row of them, for tests of what follows from inputs. */
import type { Finding } from '../../src/ears/index.js';
import {
  type Decision,
  decide,
  type Effect,
  type Input,
  type SessionAggregate,
  STARTING,
} from '../../src/lifecycle/index.js';
import type { NewEventOf } from '../../src/protocol/index.js';
import { sessionOf } from './session.js';

/** The place and the time of every finding. */
export const AT = { at: 10, time: Date.UTC(2026, 0, 1) };
/** A new session, whose program is Claude Code. */
export const EMPTY: SessionAggregate = { session: sessionOf('claude'), standing: STARTING, items: [] };

type InputOf<K extends Input['kind']> = Extract<Input, { kind: K }>;

export const finding = (value: Finding, itemId = 'itm_1', messageId = 'msg_1'): InputOf<'finding'> => ({
  kind: 'finding',
  finding: value,
  messageId,
  itemId,
});

/** A message of type QUESTION, which opens the item `itm_1`. */
export const asked = (ear: 'lines' | 'tool' = 'lines'): InputOf<'finding'> =>
  finding({
    kind: 'message',
    message: { type: 'QUESTION', data: { question: 'Which?' } },
    ordinal: 1,
    source: ear === 'tool' ? 'tool' : 'fence',
    ear,
    origin: { ear, from: 0, to: 9 },
    turn: 0,
    line: 1,
    ...AT,
  });

/** The answer JWT, typed by the write `wri_1`, or the choice of an option. */
export const answered = (itemId = 'itm_1', option?: number): InputOf<'answered'> => ({
  kind: 'answered',
  itemId,
  writeId: 'wri_1',
  time: AT.time,
  answer: { text: 'JWT', by: 'cli', at: 'now', ...(option !== undefined && { option }) },
});
export const written: InputOf<'finding'> = finding({ kind: 'written', writeId: 'wri_1', from: 1, to: 2, ...AT });
export const turn = (number: number, writeId: string | null = 'wri_1'): InputOf<'finding'> =>
  finding({ kind: 'turn', turn: number, writeId, ...AT });
export const busy = (number: number, hadWaited = true): InputOf<'finding'> =>
  finding({ kind: 'busy', turn: number, hadWaited, ...AT });
export const exited: InputOf<'finding'> = finding({
  kind: 'exited',
  exitCode: 0,
  signal: null,
  leftOpen: false,
  escaped: [],
  ...AT,
});
export const lost: InputOf<'lost'> = { kind: 'lost', reason: 'the host died', time: AT.time };

const [itemId, writeId, time] = ['itm_1', 'wri_1', AT.time];
/** Inputs that may concern the item `itm_1`. */
export const ITEM_INPUTS = {
  answered: answered(),
  taken_back: { kind: 'taken_back', itemId, by: 'tui', time },
  watched: { kind: 'watched', writeId },
  had_waited: { kind: 'had_waited', writeId },
  unwatched: { kind: 'unwatched', writeId },
  written,
  stalled: { kind: 'stalled', writeId, reason: 'composer_busy', time },
  taken: { kind: 'taken', writeId, evidence: 'its text left the input line', time },
  settled: { kind: 'settled', writeId, time },
  turn: turn(1),
  busy: busy(1),
  notified: { kind: 'notified', itemId, title: 'Question', text: 'Which?', time },
  question_withdrawn: { kind: 'question_withdrawn', itemId, reason: 'run_went_on', time },
  released: { kind: 'released', itemId },
  unasked: { kind: 'unasked', callId: 'call_1', time },
  exited,
} as const satisfies Record<string, Input>;

/** The last decision, and what all decisions together have ordered. */
interface Played extends Decision {
  readonly allEvents: readonly NewEventOf[];
  readonly allEffects: readonly Effect[];
  /** The types of `allEvents`. */
  readonly all: readonly string[];
}

/** Decides on inputs, one after the other. */
export function play(...inputs: readonly Input[]): Played {
  let last: Decision = { aggregate: EMPTY, events: [], effects: [], items: [] };
  const [allEvents, allEffects]: [NewEventOf[], Effect[]] = [[], []];
  for (const input of inputs) {
    last = decide(last.aggregate, input);
    allEvents.push(...last.events);
    allEffects.push(...last.effects);
  }
  return { ...last, allEvents, allEffects, all: allEvents.map(({ event_type }) => event_type) };
}
