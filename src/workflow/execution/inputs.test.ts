/** Tests that each input changes a workflow run in each of its states, or says why it changes nothing. */
import { describe, expect, it } from 'vitest';
import { endOf, playWorkflow, type WorkflowPlay } from '../../../test/harness/play-workflow.js';
import { step, type WorkflowInput } from '../index.js';

const TEXT = 'GOAL a "a" -> y\nGOAL b "b" -> z\nASK q "Which?" -> x: "1" | "2"';
/** Their ids follow from the order in which they begin. */
const [RUN, ITEM] = ['run_1', 'itm_3'];

/** One input of each kind. If one is missing, the compiler reports it. */
const INPUTS: { readonly [K in WorkflowInput['kind']]: Extract<WorkflowInput, { kind: K }> } = {
  run_over: { kind: 'run_over', run: endOf(RUN, { y: 1 }) },
  run_asks: { kind: 'run_asks', runId: RUN, asks: true },
  not_started: { kind: 'not_started', runId: RUN, error: { error: 'SpawnError', message: 'no program' } },
  answered: { kind: 'answered', itemId: ITEM, answer: '1', by: 'cli' },
  not_asked: { kind: 'not_asked', itemId: ITEM, message: 'the disk is full' },
  timed_out: { kind: 'timed_out', itemId: ITEM },
  cancelled: { kind: 'cancelled' },
  resumed: { kind: 'resumed', from: null, jobs: 1 },
};

const play = (act: (play: WorkflowPlay) => void): WorkflowPlay => {
  const played = playWorkflow(TEXT, { jobs: 3 });
  act(played);
  return played;
};
const FAILED = new Error('failed');
const STATES = {
  'goals run and a question is open': () => {},
  'a goal failed and another runs': (played) => played.end('b', FAILED),
  'it was cancelled': (played) => played.take(INPUTS.cancelled),
  'it has failed': (played) => {
    for (const id of ['a', 'b']) played.end(id, FAILED);
  },
} satisfies Record<string, (play: WorkflowPlay) => void>;

/** The inputs that change a run, by its state. */
const CHANGES: Readonly<Record<keyof typeof STATES, readonly WorkflowInput['kind'][]>> = {
  'goals run and a question is open': (Object.keys(INPUTS) as WorkflowInput['kind'][]).filter(
    (kind) => kind !== 'resumed',
  ),
  'a goal failed and another runs': ['run_over', 'run_asks', 'not_started', 'cancelled'],
  'it was cancelled': ['resumed'],
  'it has failed': ['resumed'],
};
const MEANS = { time: 0, at: '2026-01-02T00:00:00.000Z', newRunId: () => 'run_9', newItemId: () => 'itm_9' };

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('while %s', (state) => {
  const before = play(STATES[state]).progress;

  it.each(Object.values(INPUTS))('$kind changes it, or says why not', (input) => {
    const { aggregate, events, effects, ignored } = step(before, input, MEANS);
    expect(aggregate !== before).toBe(CHANGES[state].includes(input.kind));
    expect(ignored === undefined).toBe(aggregate !== before);
    if (ignored !== undefined) expect([events, effects]).toEqual([[], []]);
  });

  it('inputs about unknown runs, questions and steps change nothing', () => {
    const unknown: readonly WorkflowInput[] = [
      { ...INPUTS.run_asks, runId: 'run_8' },
      { ...INPUTS.answered, itemId: 'itm_8' },
      { ...INPUTS.resumed, from: 'z' },
    ];
    for (const input of unknown) expect(step(before, input, MEANS)).toMatchObject({ ignored: /./ });
  });
});
