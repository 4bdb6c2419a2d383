/** However fast events come, the open workflow is requested rarely, and the model is up to date at the end. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aSnapshot, at, aWorkflow, events } from '../../../test/tui/data.js';
import type { Client } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { ModelInput } from '../model/model.js';
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

it('asks for one that is looked at in brief, once however much happens at once, and again for what happened meanwhile', async () => {
  const { watch, asked, taken } = aDaemon();
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(SLOW_MS / 2);
  for (let i = 0; i < 1_000; i++) watch.heard(step());
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

it('asks for nothing that is not looked at: not for others, not after it was left', async () => {
  const { watch, asked } = aDaemon();
  watch.heard(step());
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(10_000);
  watch.heard(step('wfl_b'));
  watch.heard({ kind: 'event', event: events.state('ses_a', 'working') });
  watch.show(null);
  watch.heard(step());
  await pass(10_000);
  expect(asked).toEqual(['workflow.show wfl_a brief']);
});

it('asks for the list after a snapshot, and while it is looked at after each step', async () => {
  const { watch, asked } = aDaemon();
  watch.heard(snapshot);
  await pass(10_000);
  watch.heard(step());
  await pass(10_000);
  expect(asked).toEqual(['workflow.list']);
  watch.show({ kind: 'list' });
  await pass(10_000);
  watch.heard(step());
  await pass(10_000);
  expect(asked).toEqual(Array(3).fill('workflow.list'));
});

it('shows another one at once, and all anew when the daemon is there again', async () => {
  const { watch, asked } = aDaemon();
  watch.show({ kind: 'run', id: 'wfl_a' });
  await pass(SLOW_MS);
  watch.show({ kind: 'run', id: 'wfl_b' });
  await pass(SLOW_MS);
  expect(asked).toEqual(['workflow.show wfl_a brief', 'workflow.show wfl_b brief']);
  watch.heard(snapshot);
  await pass(10_000);
  expect(asked.slice(2)).toEqual(['workflow.list', 'workflow.show wfl_b brief']);
});

it('tells why one cannot be shown, but not that the daemon is away', async () => {
  const unknown = new OrchdError('ORCHD_WORKFLOW_UNKNOWN', 'there is none');
  for (const [problem, told] of [
    [unknown, [unknown]],
    [new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'away'), []],
  ] as const) {
    const { watch, problems } = aDaemon(problem);
    watch.show({ kind: 'run', id: 'wfl_a' });
    await pass(10_000);
    expect(problems).toEqual(told);
  }
});
