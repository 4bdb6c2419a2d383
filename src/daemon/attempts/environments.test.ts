import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runAggregate, taskAggregate } from '../../../test/harness/lifecycle-samples.js';
import { clearEnvironments, dropEnvironment, keepEnvironment, readEnvironment } from './environments.js';

const runsDir = join(mkdtempSync(join(tmpdir(), 'orchd-env-')), 'runs');
const paths = { runsDir };
afterAll(() => rmSync(join(runsDir, '..'), { recursive: true }));

test('reads, keeps and drops of one environment happen in the order of the calls', async () => {
  const kept = [keepEnvironment(paths, 'run_1', { A: '1' }), keepEnvironment(paths, 'run_1', { A: '2' })];
  const read = readEnvironment(paths, 'run_1');
  await Promise.all(kept);
  expect(await read).toEqual({ A: '2' });
  expect(statSync(join(runsDir, 'run_1.env.json')).mode & 0o777).toBe(0o600);
  void keepEnvironment(paths, 'run_1', { A: '3' });
  expect(await readEnvironment(paths, 'run_1')).toEqual({ A: '3' });
  dropEnvironment(paths, 'run_1');
  await expect.poll(() => readdirSync(runsDir)).toEqual([]);
  expect(await readEnvironment(paths, 'run_1')).toBeNull();
  expect(readdirSync(runsDir)).toEqual([]);
});

test('keeping an environment replaces the file by a new one that is complete', async () => {
  await keepEnvironment(paths, 'run_1', { A: '1' });
  const before = statSync(join(runsDir, 'run_1.env.json')).ino;
  await keepEnvironment(paths, 'run_1', { A: 'x'.repeat(1_000_000) });
  expect(statSync(join(runsDir, 'run_1.env.json')).ino).not.toBe(before);
  expect(readFileSync(join(runsDir, 'run_1.env.json'), 'utf8')).toHaveLength(1_000_008);
});

test('a starting daemon deletes environments of finished work and incomplete files', async () => {
  const row = (value: { readonly run?: { id: string }; readonly task?: { id: string } }) => ({
    id: value.run?.id ?? value.task?.id ?? '',
    value,
  });
  const runs = [runAggregate({ id: 'run_1' }), runAggregate({ id: 'run_2', state: 'completed' })].map(row);
  const tasks = [
    taskAggregate({ id: 'tsk_1', state: 'failed' }),
    taskAggregate({ id: 'tsk_2', state: 'cancelled' }),
  ].map(row);
  const workflows = ['failed', 'completed'].map((state, index) => ({ id: `wfl_${index + 1}`, value: { state } }));
  for (const id of ['run_1', 'run_2', 'run_3', 'tsk_1', 'tsk_2', 'wfl_1', 'wfl_2'])
    await keepEnvironment(paths, id, {});
  writeFileSync(join(runsDir, 'run_1.env.json.new'), '{');
  await clearEnvironments(paths, { runs, tasks, workflows });
  expect(readdirSync(runsDir).sort()).toEqual(['run_1.env.json', 'tsk_1.env.json', 'wfl_1.env.json']);
  await clearEnvironments({ runsDir: join(runsDir, 'none') }, { runs, tasks, workflows });
});
