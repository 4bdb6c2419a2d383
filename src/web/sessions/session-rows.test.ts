import { expect, test } from 'vitest';
import { newSession, type Session } from '../../protocol/index.js';
import { type SessionRow, sessionRows, sessionsShown } from './session-rows.js';

const session = (name: string, more: Partial<Session> = {}): Session => ({
  ...newSession({
    id: `ses_${name}`,
    name,
    adapter: 'shell',
    command: ['/bin/sh', '-c', name],
    cwd: '/home/me/one',
    pid: 1,
    size: { cols: 80, rows: 24 },
    key_required: false,
    created_at: `2026-01-01T00:00:0${name.length}.000Z`,
  }),
  ...more,
});
const ended = { ended_at: '2026-01-01T01:00:00.000Z', state: 'exited' } as const;
const ALL = { shown: 'all', grouping: 'none', filter: '' } as const;
const textOf = (rows: readonly SessionRow[]) =>
  rows.map((row) => (row.kind === 'group' ? `# ${row.title} ${row.count}` : row.session.name));

test('sorts waiting sessions first, then the newest, then ended ones', () => {
  const all = [session('a'), session('bb'), session('ccc', { open_items: 1 }), session('dddd', ended)];
  expect(textOf(sessionRows(all, ALL))).toEqual(['ccc', 'bb', 'a', 'dddd']);
});

test('filters running and ended sessions', () => {
  const all = [session('a'), session('b', ended)];
  expect(sessionsShown(all, { shown: 'running', filter: '' }).map(({ name }) => name)).toEqual(['a']);
  expect(sessionsShown(all, { shown: 'ended', filter: '' }).map(({ name }) => name)).toEqual(['b']);
});

test('requires all words of the filter, in any field and case', () => {
  const all = [session('api', { cwd: '/srv/shop' }), session('web', { tags: ['urgent'] })];
  expect(textOf(sessionRows(all, { ...ALL, filter: 'urgent' }))).toEqual(['web']);
  expect(textOf(sessionRows(all, { ...ALL, filter: 'SHOP api' }))).toEqual(['api']);
  expect(textOf(sessionRows(all, { ...ALL, filter: 'shop web' }))).toEqual([]);
});

test('sessions whose order is held come first, as they were shown, also those that have ended', () => {
  const all = [session('a'), session('bb', ended), session('ccc', { open_items: 1 }), session('dddd')];
  const held = ['ses_a', 'ses_bb', 'ses_gone'];
  expect(textOf(sessionRows(all, { ...ALL, shown: 'running', held }))).toEqual(['a', 'bb', 'ccc', 'dddd']);
});

test.each([
  ['project', ['# /home/me/one 1', 'c', '# /srv 1', 'b']],
  ['program', ['# sh 1', 'c', '# claude 1', 'b']],
  ['state', ['# starting 2', 'c', 'b']],
] as const)('groups by %s', (grouping, expected) => {
  const all = [session('b', { cwd: '/srv', adapter: 'claude' }), session('c', { created_at: '2027-01-01T00:00:00Z' })];
  expect(textOf(sessionRows(all, { ...ALL, grouping }))).toEqual(expected);
});
