import { expect, test } from 'vitest';
import {
  answered,
  asked,
  AT as at,
  busy,
  exited,
  finding,
  lost,
  play,
  turn,
  written,
} from '../../../test/harness/session-inputs.js';
import type { Input } from './aggregate.js';

const { time } = at;
const healthy = finding({ kind: 'transcript', health: 'healthy', agentSessionId: null, ...at });
const works = finding({ kind: 'activity', activity: 'busy', source: 'title', ...at });
const recorded = (text: string, of?: number): Input =>
  finding({ kind: 'prompt', text, ...(of !== undefined && { turn: of }), ...at });
const settled: Input = { kind: 'settled', writeId: 'wri_1', time };
const taken: Input = { kind: 'taken', writeId: 'wri_1', evidence: 'its text left the input line', time };
const TYPED = [healthy, asked(), answered(), turn(1), written];
const acknowledgements = (...inputs: Input[]) =>
  play(...inputs).allEvents.flatMap((event) => (event.event_type === 'answer_acknowledged' ? [event.evidence] : []));

test.each([
  ['that works', works],
  ['whose input line is empty', taken],
])('an agent %s acknowledges an answer only by its transcript', (_, sign) => {
  expect(play(...TYPED, sign).allEffects).toContainEqual({ kind: 'settle', writeId: 'wri_1' });
  expect(acknowledgements(...TYPED, sign, works, taken)).toEqual([]);
  expect(acknowledgements(...TYPED, sign, recorded('JWT'), works)).toEqual(['it stands in the agent’s transcript']);
});

test('an answer that the agent does not record is acknowledged by its work', () => {
  const evidence = ['the program had waited, and went on'];
  expect(acknowledgements(...TYPED, works, settled, settled)).toEqual(evidence);
  expect(acknowledgements(...TYPED, works, recorded('<system-reminder>the tests ran</system-reminder>'))).toEqual([]);
  expect(acknowledgements(...TYPED, works, turn(2, null), settled)).toEqual(evidence);
  for (const end of [exited, lost]) expect(acknowledgements(...TYPED, works, end)).toEqual(evidence);
  expect(play(...TYPED, settled).all).not.toContain('answer_acknowledged');
});

test('without a transcript the work of an agent is enough', () => {
  expect(acknowledgements(asked(), answered(), turn(1), written, works)).toHaveLength(1);
  expect(acknowledgements(asked(), answered(), turn(1), written, busy(1))).toHaveLength(1);
});

test('an answer that the agent has changed is stalled with the text that it got', () => {
  const { items, allEvents } = play(...TYPED, recorded('JW'), works, taken);
  expect(allEvents.at(-1)).toMatchObject({ event_type: 'answer_stalled', reason: 'text_changed', seen: 'JW' });
  expect(items).toEqual([]);
  for (const sign of [works, taken]) {
    const { allEvents: events } = play(...TYPED, sign, recorded('JWT?'), settled, exited);
    expect(events.filter(({ event_type }) => event_type.startsWith('answer_')).at(-1)).toMatchObject({
      event_type: 'answer_stalled',
      reason: 'text_changed',
      seen: 'JWT?',
    });
  }
});

test('an agent that records the whole text after a changed copy has got it', () => {
  expect(acknowledgements(...TYPED, recorded('JWT?'), recorded('JWT'))).toHaveLength(1);
});

test('an answer that stood in the input line, and that a person edited before Enter, is not acknowledged', () => {
  const unsent: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_submitted', seen: 'JWT', time };
  const { allEvents } = play(...TYPED, unsent, turn(2, null), recorded('JWT or so'), works, taken, settled);
  expect(allEvents.filter(({ event_type }) => event_type.startsWith('answer_')).slice(2)).toMatchObject([
    { event_type: 'answer_stalled', reason: 'not_submitted' },
    { event_type: 'answer_stalled', reason: 'text_changed', seen: 'JWT or so' },
  ]);
});

test('an input that is recorded before the answer is typed says nothing about it', () => {
  const before = [healthy, asked(), answered()];
  expect(play(...before, recorded('JWT'), recorded('JW')).all.filter((type) => type.startsWith('answer_'))).toEqual([
    'answer_accepted',
  ]);
});

test('an input from before the answer that is recorded late says nothing about the answer', () => {
  const before = [healthy, turn(1, null), asked(), answered(), turn(2), written];
  expect(acknowledgements(...before, recorded('JWT', 1))).toEqual([]);
  expect(play(...before, recorded('Use JWT, please.', 1)).all).not.toContain('answer_stalled');
  expect(acknowledgements(...before, recorded('JWT', 1), recorded('JWT', 2))).toHaveLength(1);
});

test('an input from before a question that is recorded late does not close the question', () => {
  const before = [healthy, turn(1, null), asked(), turn(2, null)];
  expect(play(...before, recorded('Please begin.', 1)).all).not.toContain('item_answered');
  expect(play(...before, recorded('I say: use JWT.')).all).toContain('item_answered');
});
