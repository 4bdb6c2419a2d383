/** However fast events come, tasks and runs are requested rarely, and the model is up to date at the end. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aSnapshot, at } from '../../../test/tui/data.js';
import type { Client } from '../../client/index.js';
import { type Event, OrchdError } from '../../protocol/index.js';
import type { ModelInput } from '../model/model.js';
import { type LookedWork, watchWork } from './watch-work.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const SLOW_MS = 100;
const NOTHING: LookedWork = { lists: [], task: null, run: null };

function aDaemon(problem: Error | null = null) {
  const asked: string[] = [];
  const taken: ModelInput[] = [];
  const problems: unknown[] = [];
  const client = {
    async call(name: string, input: { task?: string; run?: string; project?: string }) {
      asked.push([name, input.task, input.run, input.project].filter(Boolean).join(' '));
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      if (problem) throw problem;
      return [];
    },
  } as unknown as Client; // no other method is called
  const watch = watchWork({
    client,
    project: '/p',
    take: (input) => taken.push(input),
    fail: (why) => problems.push(why),
  });
  return { watch, asked, taken, problems };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const snapshot: ModelInput = { kind: 'snapshot', snapshot: aSnapshot(), at: at(0) };
const changed = (task_id: string, run_id?: string): ModelInput => ({
  kind: 'event',
  event: { seq: 1, event_type: 'task_state_changed', task_id, ...(run_id && { run_id }) } as unknown as Event,
});

it('asks for what is looked at alone, and for it again after events, once however many there were', async () => {
  const { watch, asked, taken } = aDaemon();
  watch.show({ ...NOTHING, lists: ['blueprints'], task: 'tsk_a' });
  await pass(3 * SLOW_MS);
  expect(asked).toEqual(['blueprint.list /p', 'task.show tsk_a', 'task.history tsk_a']);
  expect(taken).toHaveLength(2);
  for (let i = 0; i < 1_000; i++) watch.heard(changed('tsk_a'));
  watch.heard(changed('tsk_b'));
  await pass(60_000);
  expect(asked.slice(3)).toEqual(['task.show tsk_a', 'task.history tsk_a']);
  watch.close();
});

it('asks for everything that is looked at after a snapshot, and after nothing that was left', async () => {
  const { watch, asked } = aDaemon();
  watch.show({ lists: ['tasks', 'runs'], task: null, run: 'run_a' });
  await pass(10_000);
  asked.length = 0;
  watch.heard(snapshot);
  await pass(10_000);
  expect(asked.toSorted()).toEqual(['run.list', 'run.show run_a', 'task.list']);
  watch.show(NOTHING);
  watch.heard(changed('tsk_a', 'run_a'));
  await pass(10_000);
  expect(asked).toHaveLength(3);
  watch.close();
});

it('says why something cannot be shown, but not that the daemon is away', async () => {
  for (const [code, said] of [
    ['ORCHD_TASK_UNKNOWN', 1],
    ['ORCHD_DAEMON_UNREACHABLE', 0],
  ] as const) {
    const { watch, problems } = aDaemon(new OrchdError(code, 'x'));
    watch.show({ ...NOTHING, task: 'tsk_a' });
    await pass(10_000);
    expect(problems).toHaveLength(said);
    watch.close();
  }
});
