/** Which rows of a store a start can use, and what becomes of the others. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StoredState } from '../store/index.js';
import { soundState } from './sound-rows.js';

const folder = mkdtempSync(join(tmpdir(), 'orchd-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
const log = { info: () => {}, error: () => {} };

const SESSION = { book: { session: { id: 's', name: 'a', created_at: 'now' }, items: [] } };
const ITEM = { id: 'i', session_id: 's', state: 'open' };
const EMPTY: StoredState = {
  ...{ sessions: [], items: [], blueprints: [], runs: [], tasks: [], workflows: [], workflowSteps: [] },
  ...{ cursors: [], damaged: [], lastSeq: 0 },
};

test('rows without the fields that a start needs are set aside and written down; the others are used', () => {
  const file = join(folder, 'damaged');
  const whole = { ...EMPTY, sessions: [{ id: 's', value: SESSION }], items: [{ id: 'i', value: ITEM }] };
  expect(soundState(whole, file, log)).toEqual(whole);
  expect(existsSync(file)).toBe(false);

  const bad = [1, null, [], {}, { book: 1 }, { book: { session: null, items: [] } }];
  const state = soundState(
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
