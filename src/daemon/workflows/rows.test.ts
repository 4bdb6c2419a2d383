import { expect, test } from 'vitest';
import { playWorkflow } from '../../../test/harness/play-workflow.js';
import type { Row } from '../../store/index.js';
import type { Progress } from '../../workflow/index.js';
import { restoreProgress, rowIdsOf, rowsOf } from './rows.js';

const TEXT = 'GOAL list "l" -> all\nAGENT r "r"\nGOAL each "e $one" -> x FOREACH $one IN $all USING r';

/** Returns the rows of the store after each of these states. */
function kept(states: readonly Progress[]): { heads: Row[]; steps: Row[]; written: number[] } {
  const [heads, steps] = [new Map<string, Row>(), new Map<string, Row>()];
  let before: Progress | undefined;
  const written = states.map((progress) => {
    const { workflows = [], workflowSteps = [] } = rowsOf(before, progress);
    for (const row of workflows) heads.set(row.id, JSON.parse(JSON.stringify(row)));
    for (const row of workflowSteps) steps.set(row.id, JSON.parse(JSON.stringify(row)));
    before = progress;
    return workflowSteps.length;
  });
  return { heads: [...heads.values()], steps: [...steps.values()], written };
}

test('restores a workflow from its rows at every step, and writes no result twice', () => {
  const play = playWorkflow(TEXT, { jobs: 2 }, false);
  const states = [play.progress];
  const then = (act: () => void): void => {
    act();
    states.push(play.progress);
  };
  then(() => play.end('list', { all: [1, 2, 3] }));
  for (let entry = 0; entry < 3; entry++) {
    then(() => play.end('each', 'read', 'r'));
    then(() => play.end('each', { x: entry }, null));
    const { heads, steps } = kept(states);
    expect(restoreProgress(heads, steps)).toEqual([JSON.parse(JSON.stringify(play.progress))]);
  }
  expect(play.progress.head.state).toBe('completed');
  // Each write contains the current step, the run that has ended, and at most the next step.
  for (const count of kept(states).written.slice(2)) expect(count).toBeLessThanOrEqual(3);
  expect(new Set(rowIdsOf(play.progress))).toEqual(new Set(kept(states).steps.map(({ id }) => id)));
  then(() => play.take({ kind: 'resumed', from: 'each', jobs: 1 }));
  const { heads, steps } = kept(states);
  expect(restoreProgress(heads, steps)).toEqual([JSON.parse(JSON.stringify(play.progress))]);
});

test('fails a workflow whose stored steps do not fit, and restores the rest', () => {
  const play = playWorkflow(TEXT);
  const { heads, steps } = kept([play.progress]);
  const [taken] = restoreProgress(
    heads,
    steps.filter(({ id }) => !id.endsWith('/1')),
  );
  expect(taken?.head).toMatchObject({ state: 'failed', error: { error: 'WorkflowLost' } });
  expect(taken?.steps.map(({ id, state }) => [id, state])).toEqual([
    ['list', 'running'],
    ['each', 'waiting'],
  ]);
});
