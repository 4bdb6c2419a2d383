import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WorktreeSizes } from './worktree-sizes.js';

const CHANGES = {
  root: '/code/app-fix',
  repository: '/code/app',
  is_worktree: true,
  branch: 'fix',
  base: '1a2b3c4d',
  commits: 0,
  files: [],
  file_count: 1,
  added: 1,
  removed: 0,
};

/** Returns a linked worktree, sizes of it that are measured by `measure`, and a way to remove it. */
function fixture(measure: () => Promise<number>) {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-sizes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '--quiet', '-b', 'fix', 'fix');
  const changes = async () => ({ ...CHANGES, added: await measure() });
  const sizes = new WorktreeSizes({ now: () => 0, changes });
  const sessions = [{ id: 'ses_a', cwd: join(folder, 'fix'), isAlive: false }];
  const added = async () => (await sizes.of(sessions)).map((size) => size.added);
  return { sizes, added, remove: () => git('worktree', 'remove', '--force', 'fix') };
}

test('a worktree is measured again after an act on worktrees, however new its size is', async () => {
  let measured = 1;
  const { sizes, added } = fixture(async () => measured);
  expect(await added()).toEqual([1]);
  measured = 2;
  expect(await added()).toEqual([1]);
  sizes.forget();
  expect(await added()).toEqual([2]);
});

test('a removed worktree is not listed any more', async () => {
  const { added, remove } = fixture(async () => 1);
  expect(await added()).toEqual([1]);
  remove();
  expect(await added()).toEqual([]);
});

test('the size of a look that began before an act is dropped', async () => {
  const looks: ((added: number) => void)[] = [];
  const { sizes, added } = fixture(() =>
    looks.length === 0 ? new Promise<number>((resolve) => looks.push(resolve)) : Promise.resolve(2),
  );
  const before = added();
  await vi.waitFor(() => expect(looks).toHaveLength(1));
  sizes.forget();
  looks[0]?.(1);
  expect(await before).toEqual([]);
  expect(await added()).toEqual([2]);
});
