import { expect, it } from 'vitest';
import { newSession } from '../../protocol/index.js';
import { sessionTree } from './session-tree.js';

const session = (id: string, parent_session_id: string | null) =>
  newSession({
    id,
    name: id,
    adapter: 'shell',
    command: ['sh'],
    cwd: '/',
    pid: 1,
    size: { cols: 80, rows: 24 },
    key_required: false,
    created_at: '2026-01-01T00:00:00.000Z',
    parent_session_id,
  });

it('lists each session below its parent, in order of creation', () => {
  const sessions = [
    session('a', null),
    session('b', null),
    session('a1', 'a'),
    session('a11', 'a1'),
    session('a2', 'a'),
    session('x', 'gone'),
  ];
  expect(sessionTree(sessions).map(({ lead, session: { id } }) => lead + id)).toEqual([
    'a',
    '├ a1',
    '│ └ a11',
    '└ a2',
    'b',
    'x',
  ]);
});
