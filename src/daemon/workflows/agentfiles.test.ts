import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAgentfiles } from './agentfiles.js';

let base: string;
let project: string;
const write = (path: string, text: string): void => {
  mkdirSync(join(project, path, '..'), { recursive: true });
  writeFileSync(join(project, path), text);
};
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'orchd-files-'));
  project = join(base, 'shop');
  mkdirSync(project);
});
afterEach(() => rmSync(base, { recursive: true }));

test('lists the Agentfiles of a project with the names of their workflows', async () => {
  write('Agentfile', '# the shop\nNAME checkout\nGOAL a "b"\n');
  write('ci/review.agentfile', 'GOAL a "b"\n');
  write('tools/lint/Agentfile', 'GOAL a "b"\n');
  for (const path of ['.git/Agentfile', 'node_modules/x/Agentfile', 'README.md', '.agentfile'])
    write(path, 'NAME no\n');
  const { files, more } = await listAgentfiles({ project });
  expect(files.map(({ file, name, problem }) => [file, name, problem])).toEqual([
    ['Agentfile', 'checkout', null],
    ['ci/review.agentfile', 'review', null],
    ['tools/lint/Agentfile', 'lint', null],
  ]);
  expect([more, files[0]?.agentfile]).toEqual([false, undefined]);
  const one = await listAgentfiles({ project, file: 'ci/review.agentfile' });
  expect(one.files).toMatchObject([{ file: 'ci/review.agentfile', agentfile: 'GOAL a "b"\n' }]);
});

test('reads no link out of the project, no FIFO and no large file', async () => {
  writeFileSync(join(base, 'secret'), 'NAME secret\n');
  mkdirSync(join(base, 'other'));
  writeFileSync(join(base, 'other', 'Agentfile'), 'NAME other\n');
  symlinkSync(join(base, 'secret'), join(project, 'Agentfile'));
  symlinkSync(join(base, 'other'), join(project, 'linked'));
  execFileSync('mkfifo', [join(project, 'pipe.agentfile')]);
  write('large.agentfile', 'x'.repeat(300 * 1024));
  write('real.agentfile', 'NAME real\n');
  symlinkSync('real.agentfile', join(project, 'inside.agentfile'));
  const { files } = await listAgentfiles({ project });
  expect(files.map(({ file, problem }) => [file, problem === null ? '' : problem.replace(/^\S+ /, '')])).toEqual([
    ['Agentfile', expect.stringContaining('leads out of the project')],
    ['inside.agentfile', ''],
    ['large.agentfile', 'has more than 256 KiB'],
    ['pipe.agentfile', 'is not a file'],
    ['real.agentfile', ''],
  ]);
  expect(JSON.stringify(files)).not.toContain('NAME secret');
  for (const file of ['Agentfile', '../other/Agentfile', '../secret', 'linked/Agentfile', join(base, 'secret')]) {
    await expect(listAgentfiles({ project, file }), file).rejects.toMatchObject({ code: 'ORCHD_FILE' });
  }
  await expect(listAgentfiles({ project: join(base, 'nowhere') })).rejects.toMatchObject({ code: 'ORCHD_FILE' });
});
