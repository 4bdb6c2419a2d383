import { describe, expect, test } from 'vitest';
import type { Finding } from '../ears/index.js';
import { newSession } from '../protocol/index.js';
import type { Book, Decision, Input } from './book.js';
import { decide } from './decide.js';
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
    expect(effects).toEqual([{ kind: 'write', writeId: 'wri_1', text: 'JWT' }]);
    const { all, book } = play(question(), answered(), turn(1, 'wri_1'), written, busy(1));
    expect(all.filter((type) => type.startsWith('answer_'))).toEqual([
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
    expect(book.items).toEqual([]);
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
    expect(book.items.map(({ item }) => [item.id, item.state])).toEqual([['itm_2', 'open']]);
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

  test('has a deadline only with a default', () => {
    expect(play(question('itm_1', { question: 'Which?', deadlineSeconds: 5 })).effects).toEqual([]);
    const { effects } = play(question('itm_1', { question: 'Which?', default: 'JWT', deadlineSeconds: 5 }));
    expect(effects).toEqual([{ kind: 'deadline', itemId: 'itm_1', text: 'JWT', time: at.time + 5000 }]);
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
