/** However fast events come, the open workflow is requested rarely, and the model is up to date at the end. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aSnapshot, at, aWorkflow, events } from '../../../test/tui/data.js';
import type { Client } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { ModelInput } from './model.js';
import { watchWorkflows } from './watch-workflows.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const SLOW_MS = 200;

/** A fake daemon whose replies take SLOW_MS. */
function aDaemon(problem: Error | null = null) {
  const asked: string[] = [];
  const taken: ModelInput['kind'][] = [];
  const problems: unknown[] = [];
  const client = {
    async call(name: string, input: { workflow?: string; brief?: boolean }) {
      asked.push([name, input.workflow, input.brief && 'brief'].filter(Boolean).join(' '));
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      if (problem) throw problem;
      return name === 'workflow.list' ? [] : aWorkflow();
    },
  } as unknown as Client; // no other method is called
  const watch = watchWorkflows(
    client,
    ({ kind }) => taken.push(kind),
    (error) => problems.push(error),
  );
  return { watch, asked, taken, problems };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const step = (id = 'wfl_a'): ModelInput => ({ kind: 'event', event: events.step(id, 'a', 'running') });
const snapshot: ModelInput = { kind: 'snapshot', snapshot: aSnapshot(), at: at(0) };

it('requests the open workflow once at a time, and again for events during the request', async () => {
  const { watch, asked, taken } = aDaemon();
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(SLOW_MS / 2);
  for (let i = 0; i < 1_000; i++) watch.follow(step());
  await pass(SLOW_MS / 2);
  expect(asked).toEqual(['workflow.show wfl_a brief']);
  expect(taken).toEqual(['workflow']);
  await pass(4 * SLOW_MS - 1); // the pause is proportional to the duration of the request
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(asked).toHaveLength(2);
  await pass(60_000);
  expect(asked).toHaveLength(2);
  watch.close();
});

it('requests nothing for other workflows, or after the workflow is left', async () => {
  const { watch, asked } = aDaemon();
  watch.follow(step());
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(10_000);
  watch.follow(step('wfl_b'));
  watch.follow({ kind: 'event', event: events.state('ses_a', 'working') });
  watch.show(null);
  watch.follow(step());
  await pass(10_000);
  expect(asked).toEqual(['workflow.show wfl_a brief']);
});

it('requests the list after a snapshot, and after each step while it is shown', async () => {
  const { watch, asked } = aDaemon();
  watch.follow(snapshot);
  await pass(10_000);
  watch.follow(step());
  await pass(10_000);
  expect(asked).toEqual(['workflow.list']);
  watch.show({ kind: 'list' });
  await pass(10_000);
  watch.follow(step());
  await pass(10_000);
  expect(asked).toEqual(Array(3).fill('workflow.list'));
});

it('requests another workflow at once, and everything after a snapshot', async () => {
  const { watch, asked } = aDaemon();
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(SLOW_MS);
  watch.show({ kind: 'run', id: 'wfl_b' });
  await pass(SLOW_MS);
  expect(asked).toEqual(['workflow.show wfl_a brief', 'workflow.show wfl_b brief']);
  watch.follow(snapshot);
  await pass(10_000);
  expect(asked.slice(2)).toEqual(['workflow.list', 'workflow.show wfl_b brief']);
});

it('reports why a workflow cannot be shown, unless the daemon is away', async () => {
  const unknown = new OrchdError('ORCHD_WORKFLOW_UNKNOWN', 'there is none');
  for (const [problem, reported] of [
    [unknown, [unknown]],
    [new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'away'), []],
  ] as const) {
    const { watch, problems } = aDaemon(problem);
    watch.show({ kind: 'run', id: 'wfl_a' });
    await pass(10_000);
    expect(problems).toEqual(reported);
  }
});
