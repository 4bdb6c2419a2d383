import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Client } from '../client/index.js';
import { createPaint } from './paint/paint.js';
import { showDiff } from './show-diff.js';

const CHANGES = {
  root: '/code/app-fix',
  repository: '/code/app',
  is_worktree: true,
  branch: 'fix',
  base: '1a2b3c4d',
  commits: 0,
  files: [],
  file_count: 0,
  added: 0,
  removed: 0,
};

/** Opens the changes of a session, presses keys, and returns what was shown and called. */
async function show(changes: object, keys: string) {
  const called: string[] = [];
  const client = {
    call: async (name: string) => {
      called.push(name);
      if (name === 'session.show') return { name: 'fix' };
      return name === 'session.changes' ? changes : { branch: 'fix', ref: 'refs/orchd/discarded/fix' };
    },
  } as unknown as Client; // the methods that the diff calls
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  const stdin = new PassThrough();
  const streams = { stdin, stdout } as unknown as Pick<NodeJS.Process, 'stdin' | 'stdout'>; // raw mode is optional
  const paint = createPaint({ NO_COLOR: '1' });
  stdin.write(keys);
  const words = await showDiff({ client, paint, env: {}, hasMouse: false, streams }, 'fix');
  return { words, called, shown: String(stdout.read() ?? '').replaceAll(/\x1b\[[\d;]*m/g, '') };
}

test('a worktree without changes is shown, so that it can be discarded after its merge', async () => {
  const { words, called, shown } = await show(CHANGES, 'xy');
  expect(shown).toContain('fix: no changes since 1a2b3c4');
  expect(shown).toContain('m merge');
  expect(shown).not.toContain('c commit');
  expect(called).toContain('session.discard');
  expect(words).toBe('fix is removed; refs/orchd/discarded/fix keeps its content');
});

test('a directory that is no worktree and has no changes is not shown', async () => {
  const { words, shown } = await show({ ...CHANGES, is_worktree: false, branch: 'main' }, '');
  expect(words).toBe('fix: main: no changes since the last commit');
  expect(shown).toBe('');
});
