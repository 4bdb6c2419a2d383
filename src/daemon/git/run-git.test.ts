import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGit, openPersonsGit, withoutHooks } from './run-git.js';

/** Git 2.54 runs these hooks although core.hooksPath names an empty folder. Older versions ignore the settings. */
test('hooks that the configuration defines are disabled, and stay enabled for a person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-run-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const set = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  set('init', '--quiet');
  set('config', 'hook.a=b.c.command', 'touch pwned');
  set('config', 'hook.a=b.c.event', 'pre-commit');
  set('config', 'hook.Other.event', 'post-index-change');
  const enabled = ['config', '--type=bool', '--default=true'];
  const git = await openGit(folder);
  for (const hook of ['a=b.c', 'Other']) {
    expect(await git(...enabled, '--get', `hook.${hook}.enabled`)).toBe('false\n');
  }
  const asked = [...enabled, '--get', 'hook.a=b.c.enabled'];
  expect(await openPersonsGit(folder, process.env)(...asked)).toBe('true\n');
  const noHooks = openPersonsGit(folder, process.env, await withoutHooks(git));
  expect(await noHooks(...asked)).toBe('false\n');
  expect(await noHooks('config', 'core.hooksPath')).toBe('/dev/null\n');
});
