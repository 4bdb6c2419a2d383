import { describe, expect, test } from 'vitest';
import type { Finding } from '../ears/index.js';
import { newSession } from '../protocol/index.js';
import type { Book, Decision, Input } from './book.js';
import { decide } from './decide.js';
import { MAX_OPEN_CHARS, MAX_OPEN_ITEMS } from './items.js';
import { STARTING } from './session-state.js';

const SESSION = newSession({
  ...{ id: 'ses_1', name: 'one', adapter: 'shell', command: ['sh'], cwd: '/', pid: 1 },
  ...{ size: { cols: 80, rows: 24 }, key_required: false, created_at: '2026-01-01T00:00:00.000Z' },
});
const EMPTY: Book = { session: SESSION, standing: STARTING, items: [] };
const at = { at: 10, time: Date.UTC(2026, 0, 1) };
const heard = {
  ...at,
  source: 'fence',
  ear: 'lines',
  origin: { ear: 'lines', from: 0, to: 9 },
  turn: 0,
  line: 1,
} as const;

const finding = (value: Finding, itemId = 'itm_1'): Input => ({
  kind: 'finding',
  finding: value,
  messageId: 'msg_1',
  itemId,
});
const says = (
  type: 'QUESTION' | 'STATUS_UPDATE' | 'ERROR' | 'TASK_COMPLETE',
  data: Record<string, unknown>,
  itemId?: string,
): Input => finding({ kind: 'message', message: { type, data }, ordinal: 1, ...heard }, itemId);
const question = (itemId?: string, data: Record<string, unknown> = { question: 'Which?' }) =>
  says('QUESTION', data, itemId);
const answered = (itemId = 'itm_1'): Input => ({
  kind: 'answered',
  itemId,
  answer: { text: 'JWT', by: 'cli', at: 'now' },
  writeId: 'wri_1',
  time: at.time,
});
const turn = (number: number, writeId: string | null): Input => finding({ kind: 'turn', turn: number, writeId, ...at });
const busy = (number: number, hadWaited = true): Input => finding({ kind: 'busy', turn: number, hadWaited, ...at });
const written: Input = finding({ kind: 'written', writeId: 'wri_1', from: 1, to: 2, ...at });
const exited: Input = finding({ kind: 'exited', exitCode: 0, signal: null, leftOpen: false, escaped: [], ...at });

function play(...inputs: Input[]): Decision & { all: string[] } {
  let decision: Decision = { book: EMPTY, events: [], effects: [], items: [] };
  const all: string[] = [];
  for (const input of inputs) {
    decision = decide(decision.book, input);
    all.push(...decision.events.map((event) => event.event_type));
  }
  return { ...decision, all };
}

describe('an item', () => {
  test('opens with a question and shows in the session', () => {
    const { book, all } = play(question());
    expect(all).toEqual(['message', 'item_opened', 'session_state_changed']);
    expect(book.session).toMatchObject({ open_items: 1, state: 'waiting' });
  });

  test('is answered: the decision orders the write, and the events come in the order accepted, written, acknowledged', () => {
    const { effects } = play(question(), answered());
    expect(effects).toEqual([{ kind: 'write', itemId: 'itm_1', writeId: 'wri_1' }]);
    const { all, book } = play(question(), answered(), turn(1, 'wri_1'), written, busy(1));
    expect(all.filter((type) => type.startsWith('answer_'))).toEqual([
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
    expect(book.items).toEqual([]);
  });

  test('of a program whose input line is watched is acknowledged by what is seen there, and by no output', () => {
    const watched: Input = { kind: 'watched', writeId: 'wri_1' };
    const typed = [question(), answered(), watched, turn(1, 'wri_1'), busy(1), written];
    expect(play(...typed).all).not.toContain('answer_acknowledged');
    const taken: Input = { kind: 'taken', writeId: 'wri_1', evidence: 'gone', time: at.time };
    expect(play(...typed, taken, taken).all.filter((type) => type === 'answer_acknowledged')).toHaveLength(1);
  });

  test('is stalled while its answer stands unsent, and acknowledged after a later Enter', () => {
    const unsent: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_submitted', seen: 'JWT', time: at.time };
    const typed = [question(), answered(), turn(1, 'wri_1'), written, unsent];
    const { items } = play(...typed);
    expect(items[0]?.answer).toMatchObject({ delivery: 'stalled', stalled_reason: 'not_submitted', seen: 'JWT' });
    const taken: Input = { kind: 'taken', writeId: 'wri_1', evidence: 'gone', time: at.time };
    const { items: after, book } = play(...typed, turn(2, null), taken);
    expect(after[0]?.answer).toMatchObject({ delivery: 'acknowledged' });
    expect(after[0]?.answer).not.toHaveProperty('seen');
    expect(book.items).toEqual([]);
    const deleted: Input = { kind: 'unwatched', writeId: 'wri_1' };
    expect(play(...typed, turn(2, null), deleted).book.items).toEqual([]);
  });

  test('is not stalled as unsent before it was written', () => {
    const unsent: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_submitted', time: at.time };
    expect(play(question(), answered(), unsent).all).not.toContain('answer_stalled');
  });

  test('whose program had not waited for the answer is not acknowledged by the next output', () => {
    const { all, book } = play(question(), answered(), turn(1, 'wri_1'), written, busy(1, false));
    expect(all).not.toContain('answer_acknowledged');
    expect(book.items[0]?.item.answer?.delivery).toBe('written');
  });

  test('is closed by what a person typed, once the program went on', () => {
    const { items, all } = play(question(), turn(1, null), busy(1));
    expect(items).toMatchObject([{ state: 'answered', answer: { by: 'terminal' } }]);
    expect(all).toContain('item_answered');
  });

  test('stays open when the program prints without an input', () => {
    expect(play(question(), busy(0)).book.session.open_items).toBe(1);
  });

  test('stays open when another item was answered', () => {
    const { book } = play(question('itm_1'), question('itm_2'), answered('itm_1'), turn(1, 'wri_1'), written, busy(1));
    expect(book.items.map(({ item }) => [item.id, item.state])).toEqual([
      ['itm_1', 'answered'],
      ['itm_2', 'open'],
    ]);
    const later = decide(decide(book, turn(2, null)).book, busy(2)).book;
    expect(later.items).toEqual([]); // a person has typed the answer to the other one
  });

  test('is withdrawn when the program ends; an answer under way is stalled', () => {
    expect(play(question(), exited).items).toMatchObject([{ state: 'withdrawn' }]);
    const { all, items } = play(question(), answered(), exited);
    expect(all).toContain('answer_stalled');
    expect(items).toMatchObject([
      { state: 'answered', answer: { delivery: 'stalled', stalled_reason: 'session_ended' } },
    ]);
  });

  test('that stalled and is written after all says so', () => {
    const stalled: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_reading', time: at.time };
    const { items } = play(question(), answered(), stalled, turn(1, 'wri_1'), written);
    expect(items[0]?.answer).toMatchObject({ delivery: 'written' });
    expect(items[0]?.answer).not.toHaveProperty('stalled_reason');
  });

  test('is not stalled once it was written', () => {
    const stalled: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'not_reading', time: at.time };
    expect(play(question(), answered(), turn(1, 'wri_1'), written, stalled).all).not.toContain('answer_stalled');
  });

  test('is told of once, and only while it is open', () => {
    const told: Input = { kind: 'notified', itemId: 'itm_1', title: 'one asks', text: 'Which?', time: at.time };
    const { all, items, book } = play(question(), told, told);
    expect(all.filter((type) => type === 'item_notified')).toHaveLength(1);
    expect(items).toEqual([]);
    expect(book.items[0]?.item).toMatchObject({ state: 'open', notified_at: '2026-01-01T00:00:00.000Z' });
    expect(play(question(), answered(), told).all).not.toContain('item_notified');
    expect(play(question(), exited, told).all).not.toContain('item_notified');
  });

  test('has a deadline only with a default', () => {
    expect(play(question('itm_1', { question: 'Which?', deadlineSeconds: 5 })).effects).toEqual([]);
    const { effects } = play(question('itm_1', { question: 'Which?', default: 'JWT', deadlineSeconds: 5 }));
    expect(effects).toEqual([{ kind: 'deadline', itemId: 'itm_1', text: 'JWT', time: at.time + 5000 }]);
  });
});

test('a session with MAX_OPEN_ITEMS open items opens no more, and says so once, until some are answered', () => {
  const asked = Array.from({ length: MAX_OPEN_ITEMS + 3 }, (_, n) => question(`itm_${n}`));
  const { book, all } = play(...asked);
  expect(book.session).toMatchObject({ open_items: MAX_OPEN_ITEMS, state: 'waiting' });
  expect(all.filter((type) => type === 'message')).toHaveLength(MAX_OPEN_ITEMS + 3);
  expect(all.filter((type) => type === 'message_hint')).toHaveLength(1);
  expect(book.session.hints).toMatchObject([{ hint: 'too_many_open', seen: 'QUESTION' }]);
  const again = play(...asked, answered('itm_7'), question('itm_new'));
  expect(again.book.items.map(({ item }) => item.id)).toContain('itm_new');
});

test('a session whose open items have MAX_OPEN_CHARS opens no more', () => {
  const long = 'x'.repeat(MAX_OPEN_CHARS / 8);
  const asked = Array.from({ length: 20 }, (_, n) => question(`itm_${n}`, { question: long }));
  const { book } = play(...asked);
  expect(book.session.hints).toMatchObject([{ hint: 'too_many_open' }]);
  expect(book.session.open_items).toBe(8);
  expect(play(...asked, answered('itm_7'), question('itm_new')).book.session.open_items).toBe(8);
});

describe('an agent whose signals are known', () => {
  const activity = (value: 'busy' | 'idle' | 'unknown'): Input =>
    finding({ kind: 'activity', activity: value, source: 'title', ...at });

  test('acknowledges an answer by going to work', () => {
    const { all } = play(question(), answered(), turn(1, 'wri_1'), written, activity('busy'));
    expect(all).toContain('answer_acknowledged');
  });

  test('acknowledges an answer whose Enter had to be repeated', () => {
    const { all } = play(question(), answered(), turn(1, 'wri_1'), written, turn(2, 'wri_1.enter'), activity('busy'));
    expect(all).toContain('answer_acknowledged');
    expect(all.filter((type) => type === 'item_answered')).toHaveLength(1);
  });

  test('acknowledges an answer by its transcript, whatever line breaks it has there', () => {
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

  test('is answered one question only, however often it shows that it took the answer', () => {
    const asked = [question('itm_1'), question('itm_2'), answered('itm_1'), turn(1, 'wri_1'), written];
    const prompt = finding({ kind: 'prompt', text: 'JWT', ...at });
    const signs = [() => prompt, busy, () => activity('busy')];
    for (const first of signs) {
      for (const second of signs) {
        for (const again of [[], [turn(2, 'wri_1.enter')]]) {
          const { all, book } = play(...asked, first(1), ...again, second(1 + again.length), activity('busy'));
          expect(all.filter((type) => type === 'item_answered' || type === 'answer_acknowledged')).toHaveLength(2);
          expect(book.items.find(({ item }) => item.id === 'itm_2')?.item.state).toBe('open');
        }
      }
    }
  });

  test('whose transcript holds another input was answered in its terminal', () => {
    const typed = finding({ kind: 'prompt', text: 'OAuth2', ...at });
    expect(play(question(), turn(1, null), typed).items).toMatchObject([{ answer: { by: 'terminal' } }]);
  });

  test('whose last words come after its end opens nothing', () => {
    const { all, book } = play(exited, question());
    expect(all).toContain('message');
    expect(all).not.toContain('item_opened');
    expect(book.session).toMatchObject({ state: 'exited', open_items: 0 });
  });

  test('that works again by itself has answered nothing', () => {
    expect(play(turn(1, null), question(), activity('idle'), activity('busy')).book.session.open_items).toBe(1);
  });

  test('is shown as working, waiting or unknown, but what it says of its turn comes first', () => {
    expect(play(activity('busy')).book.session).toMatchObject({ state: 'working', state_source: 'title' });
    expect(play(activity('idle')).book.session.state).toBe('waiting');
    expect(play(activity('unknown')).book.session.state).toBe('unknown');
    expect(play(says('TASK_COMPLETE', { summary: 'ok' }), activity('idle')).book.session.state).toBe('done');
  });
});

describe('a correction', () => {
  const correction = finding({
    kind: 'corrected',
    message: { type: 'QUESTION', data: { question: 'Which `__init__`?' } },
    ...{ turn: 0, ordinal: 1, toldFrom: 0, ear: 'transcript', origin: heard.origin },
    ...at,
  });

  test('is taken over by an open item', () => {
    expect(play(question(), correction).items[0]?.data).toEqual({ question: 'Which `__init__`?' });
  });

  test('makes an item exact whose words were a guess', () => {
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

  test('leaves an answered item as the person saw it', () => {
    const { all, items } = play(question(), answered(), correction);
    expect(all).toContain('message_corrected');
    expect(items).toEqual([]);
  });
});

describe('a dialog of the program itself', () => {
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
    ...{ kind: 'answered', itemId: 'itm_1', writeId: 'wri_1', time: at.time },
    answer: { text: option === 1 ? 'Yes' : 'No', option, by: 'tui', at: 'now' },
  });

  test('waits for the person, and the session with it', () => {
    const { items, book } = play(says('STATUS_UPDATE', { progress: 1 }, 'itm_0'), dialog());
    expect(items).toMatchObject([{ type: 'attention', message_id: null, data: { options: ['Yes', 'No'] } }]);
    expect(book.session).toMatchObject({ state: 'waiting', open_items: 1 });
    expect(play(says('STATUS_UPDATE', { progress: 1 }), dialog(), over(true)).book.session.state).toBe('working');
  });

  test('is chosen in by pressing keys, and that it went away is the proof', () => {
    const { effects } = play(dialog(), choose(2));
    expect(effects).toEqual([{ kind: 'write', itemId: 'itm_1', writeId: 'wri_1' }]);
    expect(play(dialog(), choose(2), written, over(true)).all).toContain('answer_acknowledged');
  });

  test('is answered by who types in the terminal, and withdrawn when it goes by itself', () => {
    expect(play(dialog(), over(true)).items).toMatchObject([{ state: 'answered', answer: { by: 'terminal' } }]);
    expect(play(dialog(), over(false)).items).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('that still stands there when it was chosen in is an item again, and the answer is known to be vain', () => {
    const again = finding({ kind: 'attention_over', source: 'dialog', wasTyped: true, isAgain: true, ...at });
    const same = { ...dialog(), itemId: 'itm_2' } as Input;
    const { all, items, book } = play(dialog(), choose(2), written, again, same);
    expect(all.filter((type) => type === 'item_opened')).toHaveLength(2);
    expect(play(dialog(), choose(2), written, again).items).toMatchObject([
      { answer: { delivery: 'stalled', stalled_reason: 'dialog_stays' } },
    ]);
    expect(items).toMatchObject([{ id: 'itm_2', state: 'open' }]);
    expect(book.session).toMatchObject({ state: 'waiting', open_items: 1 });
    // A person's program pressed keys, and the item stays the same.
    expect(play(dialog(), again, same).all.filter((type) => type === 'item_opened')).toHaveLength(1);
  });

  test('that nobody knows how to choose in shows its choices, and offers none', () => {
    const { items } = play(dialog([null, null]));
    expect(items[0]?.data).toEqual({ source: 'dialog', text: 'Run `rm -r build`?\nYes\nNo' });
  });

  test('is put away without a word to the program', () => {
    const put: Input = { ...choose(1), answer: { text: 'declined', declined: true, by: 'cli', at: 'now' } } as Input;
    const { effects, all, book } = play(dialog(), put);
    expect(effects).toEqual([]);
    expect(all).not.toContain('answer_accepted');
    expect(book).toMatchObject({ items: [], session: { open_items: 0, state: 'waiting' } });
  });

  test('that goes leaves no state of its own behind, though a bell still waits', () => {
    const bell = {
      ...dialog(),
      itemId: 'itm_b',
      finding: { ...dialogFinding, source: 'bell', text: 'The bell rang', choices: [] },
    } as Input;
    const { book } = play(says('STATUS_UPDATE', { progress: 1 }), bell, dialog(), over(false));
    expect(book.session).toMatchObject({ open_items: 1, state: 'working' });
  });

  test('is asked once, with its choices, where a hook of the agent says so too, whichever is first', () => {
    const said = { source: 'hook', text: 'Permission: rm', choices: [] } as const;
    const origin = { ear: 'hook', from: 1, to: 2 } as const;
    const hook = finding({ kind: 'attention', ...said, origin, ...at }, 'itm_2');
    const first = play(hook, dialog()).book;
    expect(first.items).toMatchObject([{ item: { id: 'itm_1', data: { source: 'dialog' } } }]);
    expect(first.session).toMatchObject({ state: 'waiting', open_items: 1 });
    expect(play(dialog(), hook).book.items).toEqual(first.items);
    expect(play(says('STATUS_UPDATE', { progress: 1 }), hook, dialog(), over(true)).book.session.state).toBe('working');
  });

  test('stays where a person has typed into the session, as long as it stands there', () => {
    expect(play(dialog(), turn(1, null), busy(1)).book.session.open_items).toBe(1);
  });
});

describe('what the agent of a run asks without a terminal', () => {
  const ofRun: Book = { ...EMPTY, session: { ...SESSION, mode: 'batch', run_id: 'run_1' } };
  const withdrawn: Input = { kind: 'question_withdrawn', itemId: 'itm_1', reason: 'run_went_on', time: at.time };

  test('stays open when its program ends, and its answer is typed nowhere', () => {
    const asked = decide(ofRun, question());
    expect(asked.items).toMatchObject([{ run_id: 'run_1', state: 'open' }]);
    expect(asked.events).toContainEqual(expect.objectContaining({ event_type: 'item_opened', run_id: 'run_1' }));
    const over = decide(asked.book, exited);
    expect(over.book).toMatchObject({ session: { open_items: 1, exit_code: 0 }, items: [{ item: { state: 'open' } }] });
    const done = decide(over.book, answered());
    expect(done).toMatchObject({ effects: [], book: { items: [], session: { open_items: 0 } } });
    expect(done.items).toMatchObject([{ state: 'answered', answer: { text: 'JWT', by: 'cli' } }]);
    expect(done.items[0]?.answer?.delivery).toBeUndefined();
  });

  test('is answered while its program runs as well, and withdrawn when the run goes on without', () => {
    const asked = decide(ofRun, question()).book;
    expect(decide(asked, answered()).items).toMatchObject([{ state: 'answered' }]);
    const gone = decide(decide(asked, exited).book, withdrawn);
    expect(gone.events).toMatchObject([{ event_type: 'item_withdrawn', reason: 'run_went_on' }]);
    expect(gone.items).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('is withdrawn with its program where a tool call waits for it, and in a terminal', () => {
    const asked = decide(ofRun, question()).book;
    const awaited: Book = {
      ...asked,
      items: asked.items.map((one) => ({ ...one, item: { ...one.item, awaited: true } })),
    };
    expect(decide(awaited, exited).items).toMatchObject([{ state: 'withdrawn' }]);
    const seated: Book = { ...ofRun, session: { ...ofRun.session, mode: 'pty' } };
    expect(decide(decide(seated, question()).book, exited).items).toMatchObject([{ state: 'withdrawn' }]);
  });
});

test('reports show with the session', () => {
  const { book } = play(
    says('STATUS_UPDATE', { progress: 40, currentStep: 'Testing' }),
    says('ERROR', { message: 'oops', severity: 'warning' }),
  );
  expect(book.session).toMatchObject({
    progress: 40,
    current_step: 'Testing',
    last_error: { message: 'oops', severity: 'warning' },
  });
});

test('the same inputs give the same events', () => {
  const inputs = [question(), answered(), turn(1, 'wri_1'), written, busy(1), exited];
  expect(play(...inputs)).toEqual(play(...inputs));
});
