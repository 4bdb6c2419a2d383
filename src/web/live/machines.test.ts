import { expect, test } from 'vitest';
import type { Item, OutputOf, Session } from '../../protocol/index.js';
import { ofOthers } from './machines.js';

const item = (id: string): Item => ({ id, session_name: 'web' }) as Item; // the fields that are read
const session = (id: string, ended_at: string | null): Session => ({ id, name: id, ended_at }) as Session; // as above
const there = { away: false, age_ms: 400 };

test('leaves out this machine and ended sessions, and names the machine', () => {
  const items: OutputOf<'hub.items'> = [
    { machine: 'laptop', ...there, item: item('itm_1') },
    { machine: 'build', ...there, item: item('itm_2') },
    {
      machine: 'gpu',
      away: true,
      age_ms: 185_000,
      item: item('itm_3'),
      on_its_way: { text: 'yes\u202e', by: 'ann@laptop', at: '2026-01-01T00:00:00.000Z' } as never, // partial
    },
  ];
  const sessions = [
    { machine: 'laptop', ...there, session: session('a', null) },
    { machine: 'build', ...there, session: session('b', null) },
    { machine: 'build', ...there, session: session('c', '2026-01-01T00:00:00.000Z') },
  ];
  const others = ofOthers('laptop', items, sessions);
  expect(others.items.map(({ item, away, onItsWay }) => [item.session_name, away, onItsWay])).toEqual([
    ['build/web', '', ''],
    ['gpu/web', 'away 3m', '“yes‹U+202E›” (ann@laptop)'],
  ]);
  expect(others.sessions.map(({ session: { id, name } }) => [id, name])).toEqual([['build/b', 'build/b']]);
});
