import { expect, test } from 'vitest';
import { aStep, aStepRun } from '../../../test/tui/data.js';
import type { WorkflowError, WorkflowStep, WorkflowStepRun } from '../../protocol/index.js';
import { createPaint, table } from '../printing/paint.js';
import { stepRows } from './step-rows.js';

const step = (id: string, more: Partial<WorkflowStep> = {}): WorkflowStep =>
  aStep({
    id,
    state: 'completed',
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: '2026-01-01T00:01:02.000Z',
    ...more,
  });
const run = (number: number, more: Partial<WorkflowStepRun> = {}): WorkflowStepRun =>
  aStepRun({ run_id: `run_${number}`, state: 'completed', ...more });
const wrong = (message: string): WorkflowError => ({ error: 'AgentError', message });
const render = (...steps: WorkflowStep[]): Promise<string> =>
  table(
    createPaint({ NO_COLOR: '1' }, () => false),
    ['STEP', 'STATE', 'TOOK', 'RUN OR ITEM'],
    stepRows(steps),
    80,
  );

test('shows one row for a goal with one run, a row per run for others, and why each failed', async () => {
  const alone = wrong('goal a: its program ended');
  const agents = ['reader', 'critic'];
  const runs = [
    run(2, { agent: 'reader' }),
    run(3, { agent: 'critic', state: 'failed', error: wrong('goal b, agent critic: no: really') }),
  ];
  expect(
    await render(
      step('a', { state: 'failed', runs: [run(1, { state: 'failed', error: alone })], error: alone }),
      step('b', { state: 'failed', agents, runs, error: runs[1]?.error ?? null }),
      step('c', { runs: [run(4, { state: 'failed' }), run(5)] }),
      step('d', { agents, runs: [run(6, { agent: 'reader' }), run(7)] }),
      step('ask', { kind: 'ask', state: 'asking', item_id: 'itm_1', question: 'Two\nlines?' }),
      step('end', { state: 'waiting', started_at: null, ended_at: null }),
    ),
  ).toBe(`STEP         STATE      TOOK       RUN OR ITEM
a            failed     1 min 2 s  run_1: its program ended
b            failed     1 min 2 s
  reader     completed             run_2
  critic     failed                run_3: no: really
c            completed  1 min 2 s
  run        failed                run_4
  run        completed             run_5
d            completed  1 min 2 s
  reader     completed             run_6
  synthesis  completed             run_7
ask          asking     1 min 2 s  itm_1: Two lines?
end          waiting    -
`);
});

test('shows only the failed runs of a long FOREACH, within 80 columns', async () => {
  const runs = Array.from({ length: 900 }, (_, at) =>
    at % 100 === 7
      ? run(at, { entry: at + 1, state: 'failed', error: wrong(`goal x, entry ${at + 1}: ${'no '.repeat(40)}`) })
      : run(at, { entry: at + 1 }),
  );
  const rows = (await render(step('each_of_all_the_many_things_that_are_there', { runs }))).trimEnd().split('\n');
  expect(rows).toHaveLength(10);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  expect(rows[1]).toBe('each_of_all_the_many_things…  completed  1 min 2 s  900 runs: 891 completed, 9 …');
  expect(rows[2]).toMatch(/^ {2}8 {27}failed {16}run_7: no no no .*…$/);
});
