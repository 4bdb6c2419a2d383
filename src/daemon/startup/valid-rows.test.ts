/** Checks which rows of a store a start can use, and that the others are set aside. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EMPTY_STORE } from '../../../test/harness/memory-store.js';
import { validState } from './valid-rows.js';

const folder = mkdtempSync(join(tmpdir(), 'orchd-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
const log = { info: () => {}, error: () => {} };

const SESSION = {
  book: {
    session: {
      id: 's',
      name: 'a',
      adapter: 'shell',
      cwd: '/',
      created_at: 'now',
      ended_at: null,
      command: [],
      pid: 1,
      size: { cols: 80, rows: 24 },
      open_items: 0,
      turn: 0,
      journal_position: 0,
      state: 'working',
      transcript: 'none',
    },
    items: [],
    standing: {},
  },
};
const ITEM = {
  id: 'i',
  session_id: 's',
  session_name: 'a',
  opened_at: 'now',
  data: {},
  type: 'QUESTION',
  state: 'open',
};

test('sets aside rows without the required fields and writes them to a file', () => {
  const file = join(folder, 'damaged');
  const whole = { ...EMPTY_STORE, sessions: [{ id: 's', value: SESSION }], items: [{ id: 'i', value: ITEM }] };
  expect(validState(whole, file, log)).toEqual(whole);
  expect(existsSync(file)).toBe(false);

  const bad = [1, null, [], {}, { book: 1 }, { book: { session: null, items: [] } }];
  const state = validState(
    {
      ...whole,
      sessions: [...whole.sessions, ...bad.map((value, i) => ({ id: `bad${i}`, value }))],
      items: [...whole.items, { id: 'orphan', value: { ...ITEM, session_id: 'bad0' } }, { id: 'one', value: 1 }],
      runs: [{ id: 'r', value: {} }],
      damaged: [{ kind: 'tasks', id: 't', text: '{"task' }],
    },
    file,
    log,
  );
  expect([state.sessions, state.items, state.runs]).toEqual([whole.sessions, whole.items, []]);
  const written = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(written.map((line) => JSON.parse(line).id).sort()).toEqual(
    ['t', 'r', 'orphan', 'one', ...bad.map((_, i) => `bad${i}`)].sort(),
  );
});

test('sets aside a row whose fields have invalid values', () => {
  const { session } = SESSION.book;
  const bad = [
    { ...session, state: 'wbiting' },
    { ...session, size: { cols: 80 } },
    { ...session, size: { cols: 80, rows: -1 } },
    { ...session, size: { cols: 8.5, rows: 24 } },
    { ...session, size: { cols: 9e15, rows: 24 } },
    { ...session, journal_position: '7' },
  ].map((value) => ({ id: 's', value: { book: { ...SESSION.book, session: value } } }));
  for (const row of bad) {
    const state = validState(
      { ...EMPTY_STORE, sessions: [row], items: [{ id: 'i', value: ITEM }] },
      join(folder, 'x'),
      log,
    );
    expect([state.sessions, state.items]).toEqual([[], []]);
    expect(state.damaged.map(({ kind }) => kind)).toEqual(['sessions', 'items']);
  }
});

test('finds a row with a damaged id by the id in its value, unless another row has that id', () => {
  const row = { id: 'z', value: SESSION };
  expect(validState({ ...EMPTY_STORE, sessions: [row] }, join(folder, 'x'), log).sessions).toEqual([
    { ...row, id: 's' },
  ]);
  const both = validState({ ...EMPTY_STORE, sessions: [row, { id: 's', value: SESSION }] }, join(folder, 'x'), log);
  expect(both.sessions).toEqual([{ id: 's', value: SESSION }]);
  expect(both.damaged).toMatchObject([{ kind: 'sessions', id: 'z' }]);
});

test('sets aside a run, a task and a workflow that cannot be resumed', () => {
  const rows = [{ id: 'x', value: { run: { id: 'x' }, task: { id: 'x' }, id: 'x', workflow: {} } }];
  const state = validState({ ...EMPTY_STORE, runs: rows, tasks: rows, workflows: rows }, join(folder, 'x'), log);
  expect([state.runs, state.tasks, state.workflows]).toEqual([[], [], []]);
});

test('sets aside a step of a workflow run without its result, or with other damage', () => {
  const step = {
    id: 'name',
    state: 'asking',
    parts: 0,
    itemId: 'itm_1',
    question: 'Which?',
    until: null,
    values: null,
    result: null,
    error: null,
    startedAt: 'now',
    endedAt: null,
  };
  const part = { runId: 'run_1', agent: 'a', entry: null, state: 'running', result: null, error: null };
  const { result: _, ...noResult } = step;
  const bad = [noResult, { ...step, result: 1 }, { ...step, parts: 'x' }, { ...step, parts: 9e15 }, 1, null];
  const rows = [step, ...bad].map((value, at) => ({ id: `wfl_1/${at}`, value }));
  const parts = [part, { ...part, runId: undefined }].map((value, at) => ({ id: `wfl_1/0/${at}`, value }));
  const state = validState({ ...EMPTY_STORE, workflowSteps: [...rows, ...parts] }, join(folder, 'steps'), log);
  expect(state.workflowSteps).toEqual([rows[0], parts[0]]);
});
