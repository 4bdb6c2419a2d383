/** Tests `orchd doctor` with agents that do not run, and with scripts that have the name of an agent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

interface Report {
  readonly name: string;
  readonly path: string | null;
  readonly problem: string | null;
  readonly isScript: boolean;
  readonly teachable: boolean;
  readonly version: string | null;
}

let dir: string;
let daemon: TestDaemon;
let agents: Report[];
let words: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-doctor-'));
  const install = (name: string, text: string) => writeFileSync(join(dir, name), text, { mode: 0o755 });
  const works = `process.argv[2] === '--version' ? '2.1.328' : '--settings --session-id --append-system-prompt'`;
  install('claude', `#!${process.execPath}\nconsole.log(${works})\n`);
  install('codex', `#!${process.execPath}\nconsole.log('Cannot find module'); process.exit(7);\n`);
  install('gemini', `#!${process.execPath}\n`);
  install('copilot', '#!/nonexistent/node\n');
  install('pi', `#!/bin/sh\necho "$@" >> '${dir}/asked'\n`);
  daemon = await startDaemon({ env: { PATH: dir } });
  agents = (await daemon.json<{ agents: Report[] }>('doctor')).agents;
  words = (await daemon.orchd('doctor')).stdout;
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

const reportOf = (name: string) => agents.find((agent) => agent.name === name);

test('doctor shows the version of a working agent', () => {
  expect(reportOf('claude')).toMatchObject({ version: '2.1.328', problem: null, teachable: true });
});

test.each([
  ['codex', '`--version` ended with exit code 7'],
  ['gemini', '`--version` printed nothing'],
  ['copilot', '`--version` cannot be started'],
])('doctor warns about %s, which does not run, and says why and what to do', (name, why) => {
  expect(reportOf(name)).toMatchObject({ problem: expect.stringContaining(why), version: null });
  expect(words).toMatch(new RegExp(`! warning {2}${why}.*: run it yourself to see why, or install it again`));
});

test("doctor and `run --teach` neither run nor teach a shell script with an agent's name", async () => {
  expect(reportOf('pi')).toMatchObject({ isScript: true, problem: null, teachable: false });
  expect(words).toContain('a shell script: it is not asked, nothing is added, and it is heard by its screen');
  const { code, stderr } = await daemon.orchd('run', '-d', '--teach', '--', 'pi');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('it is a shell script; say --adapter') });
  expect(() => rmSync(join(dir, 'asked'))).toThrow('ENOENT');
});

test('doctor reports as teachable exactly the agents that `run --teach` accepts', async () => {
  for (const { name, path, teachable } of agents) {
    if (path === null || name === 'copilot') continue; // Without an interpreter it cannot start.
    const { stderr } = await daemon.orchd('run', '-d', '--teach', '--', name);
    expect({ name, teachable }).toEqual({ name, teachable: !stderr.includes('cannot be given instructions') });
  }
});
