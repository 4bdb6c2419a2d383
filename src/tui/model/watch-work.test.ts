/** However fast events come, tasks and runs are requested rarely, and the model is up to date at the end. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aSnapshot, at } from '../../../test/tui/data.js';
import type { Client } from '../../client/index.js';
import { type Event, OrchdError } from '../../protocol/index.js';
import type { ModelInput } from './model.js';
import { type OpenWork, watchWork } from './watch-work.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const SLOW_MS = 100;
const NOTHING: OpenWork = { lists: [], task: null, run: null, session: null };

function aDaemon(problem: Error | null = null) {
  const asked: string[] = [];
  const taken: ModelInput[] = [];
  const problems: unknown[] = [];
  const client = {
    async call(
      name: string,
      input: { task?: string; run?: string; project?: string; session?: string; what?: string },
    ) {
      asked.push([name, input.task, input.run, input.session, input.what, input.project].filter(Boolean).join(' '));
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      if (problem) throw problem;
      return name === 'event.explain' ? { summary: 'It waits.', rule: ['It asked.'], missing: [] } : [];
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

it('requests only what is shown, and again once after many events', async () => {
  const { watch, asked, taken } = aDaemon();
  watch.show({ ...NOTHING, lists: ['blueprints'], task: 'tsk_a' });
  await pass(3 * SLOW_MS);
  expect(asked).toEqual(['blueprint.list /p', 'task.show tsk_a', 'task.history tsk_a']);
  expect(taken).toHaveLength(2);
  for (let i = 0; i < 1_000; i++) watch.follow(changed('tsk_a'));
  watch.follow(changed('tsk_b'));
  await pass(60_000);
  expect(asked.slice(3)).toEqual(['task.show tsk_a', 'task.history tsk_a']);
  watch.close();
});

it('requests everything that is shown after a snapshot, and nothing after it is left', async () => {
  const { watch, asked } = aDaemon();
  watch.show({ ...NOTHING, lists: ['tasks', 'runs'], run: 'run_a' });
  await pass(10_000);
  asked.length = 0;
  watch.follow(snapshot);
  await pass(10_000);
  expect(asked.toSorted()).toEqual(['run.list', 'run.show run_a', 'task.list']);
  watch.show(NOTHING);
  watch.follow(changed('tsk_a', 'run_a'));
  await pass(10_000);
  expect(asked).toHaveLength(3);
  watch.close();
});

it('reports why something cannot be shown, unless the daemon is away', async () => {
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

it('requests the changes of a session when it is opened, but not after events', async () => {
  const { watch, asked, taken } = aDaemon();
  watch.show({ ...NOTHING, session: 'ses_a' });
  await pass(SLOW_MS / 2);
  watch.show({ ...NOTHING, session: 'ses_b' });
  await pass(10_000);
  expect(asked).toEqual(['session.changes ses_a', 'session.changes ses_b', 'event.explain ses_b']);
  const ofSessions = ['ses_a', 'ses_b'].map((session) => ({
    kind: 'work',
    work: { changes: { session, changes: [] } },
  }));
  const why = { session: 'ses_b', sentences: ['It waits.', 'It asked.'] };
  expect(taken).toEqual([...ofSessions, { kind: 'work', work: { why } }]);
  for (let i = 0; i < 100; i++) watch.follow(changed('tsk_a', 'run_a'));
  watch.show({ ...NOTHING, session: 'ses_b' });
  await pass(10_000);
  expect(asked).toHaveLength(3);
  watch.show(NOTHING);
  watch.show({ ...NOTHING, session: 'ses_b' });
  await pass(10_000);
  expect(asked).toHaveLength(5);
  watch.close();
});

it.each(['session_state_changed', 'session_idle_changed'])(
  'explains the state of the open session again after %s',
  async (event_type) => {
    const { watch, asked } = aDaemon();
    watch.show({ ...NOTHING, session: 'ses_a' });
    await pass(10_000);
    const state = (session_id: string): ModelInput => ({
      kind: 'event',
      event: { seq: 1, event_type, session_id } as unknown as Event,
    });
    watch.follow(state('ses_b'));
    for (let i = 0; i < 100; i++) watch.follow(state('ses_a'));
    await pass(10_000);
    expect(asked).toEqual(['session.changes ses_a', 'event.explain ses_a', 'event.explain ses_a']);
    watch.close();
  },
);

it('reports no error for a session outside a repository', async () => {
  const { watch, taken, problems } = aDaemon(new OrchdError('ORCHD_WORKTREE', 'x'));
  watch.show({ ...NOTHING, session: 'ses_a' });
  await pass(10_000);
  expect(taken).toEqual([{ kind: 'work', work: { changes: { session: 'ses_a', changes: null } } }]);
  expect(problems).toEqual([]);
  watch.close();
});
