import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shellEnvironment } from './login-shell.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'orchd-login-'));
});
afterAll(() => rmSync(home, { recursive: true }));

const login = (shell = '/bin/sh') => ({ HOME: home, PATH: '/usr/bin:/bin', SHELL: shell });

test('has what the profile sets, whatever the profile prints', async () => {
  const profile = 'echo "Welcome, A=B"\nexport PATH="$HOME/.local/bin:$PATH"\nexport WORDS="two\nlines=x"\n';
  writeFileSync(join(home, '.profile'), profile);
  const env = await shellEnvironment(login());
  expect(env['PATH']?.split(':')[0]).toBe(`${home}/.local/bin`);
  expect([env['WORDS'], env['HOME'], env['A']]).toEqual(['two\nlines=x', home, undefined]);
});

test.each(['/bin/false', '/nowhere/shell'])('is the minimum of a login if %s is the shell', async (shell) => {
  expect(await shellEnvironment(login(shell))).toEqual(login(shell));
});
