import { describe, expect, test } from 'vitest';
import {
  answered,
  AT as at,
  busy,
  EMPTY,
  exited,
  finding,
  play,
  turn,
  written,
} from '../../../test/harness/session-inputs.js';
import { defaultAnswerOf } from '../../protocol/index.js';
import type { Input, SessionAggregate } from './aggregate.js';
import { decide } from './decide.js';
import { MAX_OPEN_CHARS, MAX_OPEN_ITEMS } from './items.js';

const SESSION = EMPTY.session;
const heard = {
  ...at,
  source: 'fence',
  ear: 'lines',
  origin: { ear: 'lines', from: 0, to: 9 },
  turn: 0,
  line: 1,
} as const;

const says = (
  type: 'QUESTION' | 'STATUS_UPDATE' | 'ERROR' | 'TASK_COMPLETE',
  data: Record<string, unknown>,
  itemId?: string,
): Input => finding({ kind: 'message', message: { type, data }, ordinal: 1, ...heard }, itemId);
const question = (itemId?: string, data: Record<string, unknown> = { question: 'Which?' }) =>
  says('QUESTION', data, itemId);

describe('taking back an answer', () => {
  const back: Input = { kind: 'taken_back', itemId: 'itm_1', by: 'tui', time: at.time };

  test('opens the item again without the answer, so that it can be answered again', () => {
    const { all, aggregate, items, effects } = play(question(), answered(), back);
    expect(all.at(-1)).toBe('item_reopened');
    expect(items).toMatchObject([{ state: 'open', answer: null }]);
    expect(aggregate.session.open_items).toBe(1);
    expect(aggregate.items).toMatchObject([{ writeId: null }]);
    expect(effects).toEqual([]);
    expect(play(question(), answered(), back, answered()).effects).toEqual([
      { kind: 'write', itemId: 'itm_1', writeId: 'wri_1' },
    ]);
  });

  test('restarts the deadline of the default answer', () => {
    const data = { question: 'Which?', default: 'JWT', deadlineSeconds: 60 };
    const { effects, items } = play(question('itm_1', data), answered(), { ...back, time: at.time + 5_000 } as Input);
    expect(effects).toEqual([{ kind: 'deadline', itemId: 'itm_1', text: 'JWT', time: at.time + 65_000 }]);
    // Views, and a daemon that starts again, read the same time from the item.
    expect(items.map(defaultAnswerOf)).toEqual([{ text: 'JWT', at: at.time + 65_000 }]);
    expect(play(question('itm_1', data)).items.map(defaultAnswerOf)).toEqual([{ text: 'JWT', at: at.time + 60_000 }]);
  });
});

test('an input about an item, a write or a call that is not there changes nothing, and says why', () => {
  const { time } = at;
  const inputs: readonly Input[] = [
    answered('itm_9'),
    { kind: 'taken_back', itemId: 'itm_9', by: 'tui', time },
    { kind: 'notified', itemId: 'itm_9', title: 'sh asks', text: 'Which?', time },
    { kind: 'question_withdrawn', itemId: 'itm_9', reason: 'workflow_ended', time },
    { kind: 'released', itemId: 'itm_9' },
    { kind: 'stalled', writeId: 'wri_9', reason: 'delayed', time },
    { kind: 'watched', writeId: 'wri_9' },
    { kind: 'had_waited', writeId: 'wri_9' },
    { kind: 'unwatched', writeId: 'wri_9' },
    { kind: 'taken', writeId: 'wri_9', evidence: 'gone', time },
    { kind: 'settled', writeId: 'wri_9', time },
    { kind: 'unasked', callId: 'call_9', time },
  ];
  const { aggregate } = play(question());
  for (const input of inputs) {
    const decision = decide(aggregate, input);
    expect(decision.aggregate, input.kind).toBe(aggregate);
    expect(decision, input.kind).toMatchObject({ events: [], effects: [], items: [] });
    expect(decision.ignored).toMatch(
      new RegExp(`^'${input.kind}' (?:does not apply|changes nothing): .*(item|write|call) .*_9\\b`),
    );
  }
});

test('stores tags as a sorted set, and reports them only if they change', () => {
  const tagged = (...tags: string[]): Input => ({ kind: 'tagged', tags, time: at.time });
  expect(play(tagged('b', 'a', 'b')).aggregate.session.tags).toEqual(['a', 'b']);
  expect(play(tagged('b', 'a'), tagged('a', 'b')).all).toEqual(['session_tagged']);
  expect(play(tagged('a'), tagged()).aggregate.session).not.toHaveProperty('tags');
});

describe('an item', () => {
  test('opens for a question and makes the session wait', () => {
    const { aggregate, all } = play(question());
    expect(all).toEqual(['message', 'item_opened', 'session_state_changed']);
    expect(aggregate.session).toMatchObject({ open_items: 1, state: 'waiting' });
  });

  test('orders the write of its answer, and then reports it as accepted, written and acknowledged', () => {
    const { effects } = play(question(), answered());
    expect(effects).toEqual([{ kind: 'write', itemId: 'itm_1', writeId: 'wri_1' }]);
    const { all, aggregate } = play(question(), answered(), turn(1, 'wri_1'), written, busy(1));
    expect(all.filter((type) => type.startsWith('answer_'))).toEqual([
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
    expect(aggregate.items).toEqual([]);
  });

  test('with a watched input line is acknowledged by that line and not by output', () => {
    const watched: Input = { kind: 'watched', writeId: 'wri_1' };
    const typed = [question(), answered(), watched, turn(1, 'wri_1'), busy(1), written];
    expect(play(...typed).all).not.toContain('answer_acknowledged');
    const taken: Input = { kind: 'taken', writeId: 'wri_1', evidence: 'gone', time: at.time };
    expect(play(...typed, taken, taken).all.filter((type) => type === 'answer_acknowledged')).toHaveLength(1);
  });

  test('is stalled while its answer is unsent, and acknowledged after a later Enter', () => {
    const unsent: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_submitted', seen: 'JWT', time: at.time };
    const typed = [question(), answered(), turn(1, 'wri_1'), written, unsent];
    const { items } = play(...typed);
    expect(items[0]?.answer).toMatchObject({ delivery: 'stalled', stalled_reason: 'not_submitted', seen: 'JWT' });
    const taken: Input = { kind: 'taken', writeId: 'wri_1', evidence: 'gone', time: at.time };
    const { items: after, aggregate } = play(...typed, turn(2, null), taken);
    expect(after[0]?.answer).toMatchObject({ delivery: 'acknowledged' });
    expect(after[0]?.answer).not.toHaveProperty('seen');
    expect(aggregate.items).toEqual([]);
    const deleted: Input = { kind: 'unwatched', writeId: 'wri_1' };
    expect(play(...typed, turn(2, null), deleted).aggregate.items).toEqual([]);
  });

  test('is not answered by the Enter that orchd repeats for a text from before', () => {
    const sent = [turn(1, 'wri_0'), question(), turn(2, 'wri_0.enter'), busy(2)];
    expect(play(...sent).all).not.toContain('item_answered');
    expect(play(...sent, turn(3, null), busy(3)).all).toContain('item_answered');
  });

  test('says that its unsent answer has left the input line, and that it stands there again', () => {
    const stalled = (reason: 'not_submitted' | 'left_line'): Input => ({
      kind: 'stalled',
      writeId: 'wri_1',
      reason,
      time: at.time,
    });
    const typed = [question(), answered(), turn(1, 'wri_1'), written];
    expect(play(...typed, stalled('left_line')).all).not.toContain('answer_stalled');
    const left = [...typed, stalled('not_submitted'), stalled('left_line')];
    expect(play(...left).items[0]?.answer).toMatchObject({ delivery: 'stalled', stalled_reason: 'left_line' });
    expect(play(...left, stalled('not_submitted')).items[0]?.answer).toMatchObject({ stalled_reason: 'not_submitted' });
  });

  test('is not stalled as unsent before its answer was written', () => {
    const unsent: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_submitted', time: at.time };
    expect(play(question(), answered(), unsent).all).not.toContain('answer_stalled');
  });

  test('is not acknowledged by output if the program had not waited for the answer', () => {
    const { all, aggregate } = play(question(), answered(), turn(1, 'wri_1'), written, busy(1, false));
    expect(all).not.toContain('answer_acknowledged');
    expect(aggregate.items[0]?.item.answer?.delivery).toBe('written');
  });

  test('is closed by input in the terminal once the program goes on', () => {
    const { items, all } = play(question(), turn(1, null), busy(1));
    expect(items).toMatchObject([{ state: 'answered', answer: { by: 'terminal' } }]);
    expect(all).toContain('item_answered');
  });

  test('stays open if the program prints without an input', () => {
    expect(play(question(), busy(0)).aggregate.session.open_items).toBe(1);
  });

  test('stays open if another item is answered', () => {
    const { aggregate } = play(
      question('itm_1'),
      question('itm_2'),
      answered('itm_1'),
      turn(1, 'wri_1'),
      written,
      busy(1),
    );
    expect(aggregate.items.map(({ item }) => [item.id, item.state])).toEqual([
      ['itm_1', 'answered'],
      ['itm_2', 'open'],
    ]);
    const later = decide(decide(aggregate, turn(2, null)).aggregate, busy(2)).aggregate;
    expect(later.items).toEqual([]); // the other item was answered in the terminal
  });

  test('is withdrawn when the program exits, and stalled if its answer was being delivered', () => {
    expect(play(question(), exited).items).toMatchObject([{ state: 'withdrawn' }]);
    const { all, items } = play(question(), answered(), exited);
    expect(all).toContain('answer_stalled');
    expect(items).toMatchObject([
      { state: 'answered', answer: { delivery: 'stalled', stalled_reason: 'session_ended' } },
    ]);
  });

  test('drops the reason of the stall if its answer is written later', () => {
    const stalled: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_reading', time: at.time };
    const { items } = play(question(), answered(), stalled, turn(1, 'wri_1'), written);
    expect(items[0]?.answer).toMatchObject({ delivery: 'written' });
    expect(items[0]?.answer).not.toHaveProperty('stalled_reason');
  });

  test('is not stalled after its answer was written', () => {
    const stalled: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_reading', time: at.time };
    expect(play(question(), answered(), turn(1, 'wri_1'), written, stalled).all).not.toContain('answer_stalled');
  });

  test('is notified of once, and only while it is open', () => {
    const notified: Input = { kind: 'notified', itemId: 'itm_1', title: 'one asks', text: 'Which?', time: at.time };
    const { all, items, aggregate } = play(question(), notified, notified);
    expect(all.filter((type) => type === 'item_notified')).toHaveLength(1);
    expect(items).toEqual([]);
    expect(aggregate.items[0]?.item).toMatchObject({ state: 'open', notified_at: '2026-01-01T00:00:00.000Z' });
    expect(play(question(), answered(), notified).all).not.toContain('item_notified');
    expect(play(question(), exited, notified).all).not.toContain('item_notified');
  });

  test('has a deadline only with a default answer', () => {
    expect(play(question('itm_1', { question: 'Which?', deadlineSeconds: 5 })).effects).toEqual([]);
    const { effects } = play(question('itm_1', { question: 'Which?', default: 'JWT', deadlineSeconds: 5 }));
    expect(effects).toEqual([{ kind: 'deadline', itemId: 'itm_1', text: 'JWT', time: at.time + 5000 }]);
  });
});

test('opens no more than MAX_OPEN_ITEMS items, with one hint, until some are answered', () => {
  const asked = Array.from({ length: MAX_OPEN_ITEMS + 3 }, (_, n) => question(`itm_${n}`));
  const { aggregate, all } = play(...asked);
  expect(aggregate.session).toMatchObject({ open_items: MAX_OPEN_ITEMS, state: 'waiting' });
  expect(all.filter((type) => type === 'message')).toHaveLength(MAX_OPEN_ITEMS + 3);
  expect(all.filter((type) => type === 'message_hint')).toHaveLength(1);
  expect(aggregate.session.hints).toMatchObject([{ hint: 'too_many_open', seen: 'QUESTION' }]);
  const again = play(...asked, answered('itm_7'), question('itm_new'));
  expect(again.aggregate.items.map(({ item }) => item.id)).toContain('itm_new');
});

test('opens no more items once the open ones have MAX_OPEN_CHARS characters', () => {
  const long = 'x'.repeat(MAX_OPEN_CHARS / 8);
  const asked = Array.from({ length: 20 }, (_, n) => question(`itm_${n}`, { question: long }));
  const { aggregate } = play(...asked);
  expect(aggregate.session.hints).toMatchObject([{ hint: 'too_many_open' }]);
  expect(aggregate.session.open_items).toBe(8);
  expect(play(...asked, answered('itm_7'), question('itm_new')).aggregate.session.open_items).toBe(8);
});

describe('an agent whose activity is known', () => {
  const activity = (value: 'busy' | 'idle' | 'unknown'): Input =>
    finding({ kind: 'activity', activity: value, source: 'title', ...at });

  test('acknowledges an answer by becoming busy', () => {
    const { all } = play(question(), answered(), turn(1, 'wri_1'), written, activity('busy'));
    expect(all).toContain('answer_acknowledged');
  });

  test('acknowledges an answer whose Enter was repeated', () => {
    const { all } = play(question(), answered(), turn(1, 'wri_1'), written, turn(2, 'wri_1.enter'), activity('busy'));
    expect(all).toContain('answer_acknowledged');
    expect(all.filter((type) => type === 'item_answered')).toHaveLength(1);
  });

  test('acknowledges an answer by a prompt in its transcript, whatever its line breaks', () => {
    const typed = finding({ kind: 'prompt', text: ' JWT\n', ...at });
    const { items } = play(question(), answered(), turn(1, 'wri_1'), written, typed);
    expect(items[0]?.answer).toMatchObject({
      delivery: 'acknowledged',
      evidence: 'it stands in the agent’s transcript',
    });
    expect(play(question(), answered(), finding({ kind: 'prompt', text: 'other', ...at })).all).not.toContain(
      'answer_acknowledged',
    );
  });

  test('closes only one question per answer, however often it shows that it took the answer', () => {
    const asked = [question('itm_1'), question('itm_2'), answered('itm_1'), turn(1, 'wri_1'), written];
    const prompt = finding({ kind: 'prompt', text: 'JWT', ...at });
    const signs = [() => prompt, busy, () => activity('busy')];
    for (const first of signs) {
      for (const second of signs) {
        for (const again of [[], [turn(2, 'wri_1.enter')]]) {
          const { all, aggregate } = play(...asked, first(1), ...again, second(1 + again.length), activity('busy'));
          expect(all.filter((type) => type === 'item_answered' || type === 'answer_acknowledged')).toHaveLength(2);
          expect(aggregate.items.find(({ item }) => item.id === 'itm_2')?.item.state).toBe('open');
        }
      }
    }
  });

  test('was answered in its terminal if its transcript holds another prompt', () => {
    const typed = finding({ kind: 'prompt', text: 'OAuth2', ...at });
    expect(play(question(), turn(1, null), typed).items).toMatchObject([{ answer: { by: 'terminal' } }]);
  });

  test('opens no item for a question that arrives after its exit', () => {
    const { all, aggregate } = play(exited, question());
    expect(all).toContain('message');
    expect(all).not.toContain('item_opened');
    expect(aggregate.session).toMatchObject({ state: 'exited', open_items: 0 });
  });

  test('answers no item by becoming busy without an input', () => {
    expect(play(turn(1, null), question(), activity('idle'), activity('busy')).aggregate.session.open_items).toBe(1);
  });

  test('is shown as working, waiting or unknown, unless its messages say more', () => {
    expect(play(activity('busy')).aggregate.session).toMatchObject({ state: 'working', state_source: 'title' });
    expect(play(activity('idle')).aggregate.session.state).toBe('waiting');
    expect(play(activity('unknown')).aggregate.session.state).toBe('unknown');
    expect(play(says('TASK_COMPLETE', { summary: 'ok' }), activity('idle')).aggregate.session.state).toBe('done');
  });
});

describe('a correction', () => {
  const correction = finding({
    kind: 'corrected',
    message: { type: 'QUESTION', data: { question: 'Which `__init__`?' } },
    turn: 0,
    ordinal: 1,
    toldFrom: 0,
    ear: 'transcript',
    origin: heard.origin,
    ...at,
  });

  test('replaces the data of an open item', () => {
    expect(play(question(), correction).items[0]?.data).toEqual({ question: 'Which `__init__`?' });
  });

  test('makes an inexact item exact', () => {
    const guess = finding({
      kind: 'message',
      message: { type: 'QUESTION', data: { question: 'Which init?' } },
      ordinal: 1,
      exact: false,
      ...heard,
    });
    const { events, items } = play(guess);
    expect(items[0]).toMatchObject({ exact: false });
    expect(events.filter((event) => 'exact' in event).map((event) => event.event_type)).toEqual([
      'message',
      'item_opened',
    ]);
    expect(play(guess, correction).items[0]).not.toHaveProperty('exact');
    expect(play(question()).items[0]).not.toHaveProperty('exact');
  });

  test('does not change an answered item', () => {
    const { all, items } = play(question(), answered(), correction);
    expect(all).toContain('message_corrected');
    expect(items).toEqual([]);
  });
});

const bell = finding(
  {
    kind: 'attention',
    source: 'bell',
    text: 'The bell rang',
    choices: [],
    origin: { ear: 'lines', from: 3, to: 4 },
    ...at,
  },
  'itm_b',
);

describe('a bell', () => {
  test('is withdrawn when the program asks: the question calls for the person', () => {
    const { all, aggregate } = play(bell, question());
    expect(all).toContain('item_withdrawn');
    expect(aggregate.session.open_items).toBe(1);
    expect(aggregate.items).toMatchObject([{ item: { id: 'itm_1', state: 'open' } }]);
  });

  test('opens no item while a question of the program is open, and one after its answer', () => {
    expect(play(question(), bell).aggregate.session.open_items).toBe(1);
    expect(play(question(), answered(), bell).aggregate.session.open_items).toBe(1);
    expect(play(question(), answered(), bell).all.filter((type) => type === 'item_opened')).toHaveLength(2);
  });
});

describe('a dialog of the program', () => {
  const dialogFinding = {
    kind: 'attention',
    source: 'dialog',
    text: 'Run `rm -r build`?',
    choices: [] as { label: string; keys: string | null }[],
    origin: { ear: 'screen', from: 3, to: 4 },
    ...at,
  } as const;
  const dialog = (keys: (string | null)[] = ['1', '2']): Input =>
    finding({ ...dialogFinding, choices: keys.map((key, i) => ({ label: i === 0 ? 'Yes' : 'No', keys: key })) });
  const over = (wasTyped: boolean): Input => finding({ kind: 'attention_over', source: 'dialog', wasTyped, ...at });
  const choose = (option: number): Input => ({
    kind: 'answered',
    itemId: 'itm_1',
    writeId: 'wri_1',
    time: at.time,
    answer: { text: option === 1 ? 'Yes' : 'No', option, by: 'tui', at: 'now' },
  });

  test('opens an item and makes the session wait', () => {
    const { items, aggregate } = play(says('STATUS_UPDATE', { progress: 1 }, 'itm_0'), dialog());
    expect(items).toMatchObject([{ type: 'attention', message_id: null, data: { options: ['Yes', 'No'] } }]);
    expect(aggregate.session).toMatchObject({ state: 'waiting', open_items: 1 });
    expect(play(says('STATUS_UPDATE', { progress: 1 }), dialog(), over(true)).aggregate.session.state).toBe('working');
  });

  test('is answered by a key, and acknowledged when it disappears', () => {
    const { effects } = play(dialog(), choose(2));
    expect(effects).toEqual([{ kind: 'write', itemId: 'itm_1', writeId: 'wri_1' }]);
    expect(play(dialog(), choose(2), written, over(true)).all).toContain('answer_acknowledged');
  });

  test('is answered by keys in the terminal, and withdrawn if it disappears by itself', () => {
    expect(play(dialog(), over(true)).items).toMatchObject([{ state: 'answered', answer: { by: 'terminal' } }]);
    expect(play(dialog(), over(false)).items).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('that stays after a key stalls the answer and opens a new item', () => {
    const again = finding({ kind: 'attention_over', source: 'dialog', wasTyped: true, isAgain: true, ...at });
    const same = { ...dialog(), itemId: 'itm_2' } as Input;
    const { all, items, aggregate } = play(dialog(), choose(2), written, again, same);
    expect(all.filter((type) => type === 'item_opened')).toHaveLength(2);
    expect(play(dialog(), choose(2), written, again).items).toMatchObject([
      { answer: { delivery: 'stalled', stalled_reason: 'dialog_stays' } },
    ]);
    expect(items).toMatchObject([{ id: 'itm_2', state: 'open' }]);
    expect(aggregate.session).toMatchObject({ state: 'waiting', open_items: 1 });
    // Another program of the user pressed keys. The item must not be opened again.
    expect(play(dialog(), again, same).all.filter((type) => type === 'item_opened')).toHaveLength(1);
  });

  test('without known keys shows its choices, but offers no options', () => {
    const { items } = play(dialog([null, null]));
    expect(items[0]?.data).toEqual({ source: 'dialog', text: 'Run `rm -r build`?\nYes\nNo' });
  });

  test('is closed by a declined answer without any key', () => {
    const put: Input = { ...choose(1), answer: { text: 'declined', declined: true, by: 'cli', at: 'now' } } as Input;
    const { effects, all, aggregate } = play(dialog(), put);
    expect(effects).toEqual([]);
    expect(all).not.toContain('answer_accepted');
    expect(aggregate).toMatchObject({ items: [], session: { open_items: 0, state: 'waiting' } });
  });

  test('leaves no state behind when it disappears while a bell item is open', () => {
    const { aggregate } = play(says('STATUS_UPDATE', { progress: 1 }), bell, dialog(), over(false));
    expect(aggregate.session).toMatchObject({ open_items: 1, state: 'working' });
  });

  test('replaces the item of a hook for the same permission, whichever comes first', () => {
    const said = { source: 'hook', text: 'Permission: rm', choices: [] } as const;
    const origin = { ear: 'hook', from: 1, to: 2 } as const;
    const hook = finding({ kind: 'attention', ...said, origin, ...at }, 'itm_2');
    const first = play(hook, dialog()).aggregate;
    expect(first.items).toMatchObject([{ item: { id: 'itm_1', data: { source: 'dialog' } } }]);
    expect(first.session).toMatchObject({ state: 'waiting', open_items: 1 });
    expect(play(dialog(), hook).aggregate.items).toEqual(first.items);
    expect(play(says('STATUS_UPDATE', { progress: 1 }), hook, dialog(), over(true)).aggregate.session.state).toBe(
      'working',
    );
  });

  test('stays open after input in the terminal while it is on the screen', () => {
    expect(play(dialog(), turn(1, null), busy(1)).aggregate.session.open_items).toBe(1);
  });
});

describe('a question of a run without a terminal', () => {
  const ofRun: SessionAggregate = { ...EMPTY, session: { ...SESSION, mode: 'batch', run_id: 'run_1' } };
  const withdrawn: Input = { kind: 'question_withdrawn', itemId: 'itm_1', reason: 'run_went_on', time: at.time };

  test('stays open after the program exits, and its answer is not typed', () => {
    const asked = decide(ofRun, question());
    expect(asked.items).toMatchObject([{ run_id: 'run_1', state: 'open' }]);
    expect(asked.events).toContainEqual(expect.objectContaining({ event_type: 'item_opened', run_id: 'run_1' }));
    const over = decide(asked.aggregate, exited);
    expect(over.aggregate).toMatchObject({
      session: { open_items: 1, exit_code: 0 },
      items: [{ item: { state: 'open' } }],
    });
    const done = decide(over.aggregate, answered());
    expect(done).toMatchObject({ effects: [], aggregate: { items: [], session: { open_items: 0 } } });
    expect(done.items).toMatchObject([{ state: 'answered', answer: { text: 'JWT', by: 'cli' } }]);
    expect(done.items[0]?.answer?.delivery).toBeUndefined();
  });

  test('can be answered while the program runs, and is withdrawn if the run goes on', () => {
    const asked = decide(ofRun, question()).aggregate;
    expect(decide(asked, answered()).items).toMatchObject([{ state: 'answered' }]);
    const gone = decide(decide(asked, exited).aggregate, withdrawn);
    expect(gone.events).toMatchObject([{ event_type: 'item_withdrawn', reason: 'run_went_on' }]);
    expect(gone.items).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('is withdrawn with its program if a tool call waits for it, or in a terminal', () => {
    const asked = decide(ofRun, question()).aggregate;
    const awaited: SessionAggregate = {
      ...asked,
      items: asked.items.map((one) => ({ ...one, item: { ...one.item, awaited: true } })),
    };
    expect(decide(awaited, exited).items).toMatchObject([{ state: 'withdrawn' }]);
    const seated: SessionAggregate = { ...ofRun, session: { ...ofRun.session, mode: 'pty' } };
    expect(decide(decide(seated, question()).aggregate, exited).items).toMatchObject([{ state: 'withdrawn' }]);
  });
});

test('shows progress, step and last error in the session', () => {
  const { aggregate } = play(
    says('STATUS_UPDATE', { progress: 40, currentStep: 'Testing' }),
    says('ERROR', { message: 'oops', severity: 'warning' }),
  );
  expect(aggregate.session).toMatchObject({
    progress: 40,
    current_step: 'Testing',
    last_error: { message: 'oops', severity: 'warning' },
  });
});

test('gives the same events for the same inputs', () => {
  const inputs = [question(), answered(), turn(1, 'wri_1'), written, busy(1), exited];
  expect(play(...inputs)).toEqual(play(...inputs));
});
