import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInLinkedWorktree, repositoryOf } from './repository.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-project-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });

function repository(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  git(root, 'init', '-q');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
  return root;
}

test('a linked worktree belongs to the project of its main worktree, wherever it is', () => {
  const root = repository('app');
  git(root, 'worktree', 'add', '-q', join(folder, 'elsewhere/app-feature'));
  mkdirSync(join(folder, 'elsewhere/app-feature/sub'));
  expect(repositoryOf(join(root, 'sub/deep'))).toBe(root);
  expect(repositoryOf(join(folder, 'elsewhere/app-feature/sub'))).toBe(root);
  expect(isInLinkedWorktree(join(folder, 'elsewhere/app-feature'))).toBe(true);
  expect(isInLinkedWorktree(root)).toBe(false);
});

test('the worktrees of a bare repository have its path as their project', () => {
  git(folder, 'clone', '-q', '--bare', repository('app'), join(folder, 'app.git'));
  git(join(folder, 'app.git'), 'worktree', 'add', '-q', join(folder, 'one'));
  expect(repositoryOf(join(folder, 'one'))).toBe(join(folder, 'app.git'));
});

test('a submodule is a project of its own, and a directory outside git has none', () => {
  const root = repository('app');
  mkdirSync(join(root, 'library'));
  writeFileSync(join(root, 'library/.git'), 'gitdir: ../.git/modules/library\n');
  expect(repositoryOf(join(root, 'library'))).toBe(join(root, 'library'));
  expect(repositoryOf(join(folder, 'missing'))).toBeNull();
});

test('a .git that is no folder, and no file with a path, gives no project', () => {
  const bad = (name: string, text: string): string => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, '.git'), text);
    return join(folder, name);
  };
  expect(repositoryOf(bad('empty', ''))).toBeNull();
  expect(repositoryOf(bad('words', 'hello'))).toBeNull();
  expect(repositoryOf(bad('large', `gitdir: ${'x'.repeat(10_000)}`))).toBeNull();
  symlinkSync('/dev/zero', join(folder, 'device'));
  mkdirSync(join(folder, 'linked'));
  symlinkSync('/dev/zero', join(folder, 'linked/.git'));
  expect(repositoryOf(join(folder, 'linked'))).toBeNull();
});
