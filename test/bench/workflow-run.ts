/**
 * Measures the overhead of a workflow over its runs. Each goal needs the one before, and the program does nothing. For
 * comparison, the same runs are made one after the other over one connection, alternating with the workflow. A last
 * case measures the decisions alone, without a disk.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../src/daemon/workflows/rows.js';
import { createProgress, type Head, parse, step } from '../../src/workflow/index.js';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';
import { createFolder } from './inputs/files.js';

const GOALS = 50;
const ROUNDS = 5;
const DECIDED_GOALS = 1_000;
const GOAL_MS = 1;
const SCHEMA = { type: 'object', properties: { v: {} }, required: ['v'] };
const PROGRAM = '#!/bin/sh\necho \'{"v": "on"}\'\n';

export const workflowRun: Bench = {
  name: 'workflow-run',
  summary: 'a workflow carried out, beside its runs',
  async run(): Promise<Figure[]> {
    const folder = createFolder();
    const program = join(folder.path, 'agent.sh');
    writeFileSync(program, PROGRAM);
    chmodSync(program, 0o755);
    const daemon = await startDaemon();
    try {
      const { client } = daemon;
      await client.call('blueprint.create', { name: 'nothing', adapter: 'shell', args: [program] });
      const place = { cwd: folder.path, env: { PATH: process.env['PATH'] ?? '' } };
      const workflow = async (): Promise<void> => {
        const { id } = await client.call('workflow.run', { agentfile: chain(GOALS, ' WITH nothing'), ...place });
        const { state, error } = await client.call('workflow.wait', { workflow: id });
        if (state !== 'completed') throw new Error(`it ${state}: ${error?.message}`);
      };
      const runs = async (): Promise<void> => {
        for (let index = 0; index < GOALS; index++) {
          const request = { blueprint: 'nothing', prompt: 'Go on with on', output_schema: SCHEMA, ...place };
          const { id } = await client.call('run.start', request);
          const { state } = await client.call('run.wait', { run: id });
          if (state !== 'completed') throw new Error(`run ${id} ${state}`);
        }
      };
      const times = { workflow: [] as number[], runs: [] as number[] };
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [name, work] of [
          ['workflow', workflow],
          ['runs', runs],
        ] as const) {
          const begun = performance.now();
          await work();
          // The first round loads code and does not count.
          if (round > 0) times[name].push((performance.now() - begun) / GOALS);
        }
      }
      const [goal, run] = [median(times.workflow), median(times.runs)];
      return [
        { what: 'a goal', value: goal, unit: 'ms', note: `${ROUNDS} workflows of ${GOALS}` },
        { what: 'a run by itself', value: run, unit: 'ms' },
        { what: 'a goal above that', value: goal - run, unit: 'ms', goal: GOAL_MS },
        { what: `a goal of ${DECIDED_GOALS} decided`, value: decidedMs(), unit: 'ms', goal: GOAL_MS },
      ];
    } finally {
      await daemon.close();
      folder.remove();
    }
  },
};

const chain = (goals: number, clauses: string): string =>
  Array.from({ length: goals }, (_, index) =>
    index === 0 ? `GOAL g0 "Begin" -> v${clauses}` : `GOAL g${index} "Go on with $v" -> v${clauses}`,
  ).join('\n');

/** Returns the time per goal. Each change is also written as JSON. */
function decidedMs(): number {
  const { workflow } = parse(chain(DECIDED_GOALS, ''));
  let ids = 0;
  const at = new Date(0).toISOString();
  const means = { time: 0, at, newRunId: () => `run_${ids++}`, newItemId: () => '' };
  const head: Head = {
    id: 'wfl_1',
    name: 'chain',
    workflow,
    inputs: {},
    jobs: 1,
    adapter: null,
    model: null,
    profiles: {},
    project: null,
    cwd: '/',
    umask: 0,
    parentSessionId: null,
    state: 'running',
    error: null,
    createdAt: at,
    endedAt: null,
  };
  let { aggregate, effects } = createProgress(head, means);
  let bytes = 0;
  const begun = performance.now();
  for (let index = 0; index < DECIDED_GOALS; index++) {
    const [effect] = effects;
    if (effect?.kind !== 'run') throw new Error('a goal begins');
    const over = { state: 'completed', result_text: null, result_data: { v: 'on' }, error: null } as const;
    const decision = step(aggregate, { kind: 'run_over', run: { id: effect.request.runId, ...over } }, means);
    bytes += JSON.stringify(rowsOf(aggregate, decision.aggregate)).length;
    ({ aggregate, effects } = decision);
  }
  const ms = performance.now() - begun;
  if (aggregate.head.state !== 'completed' || bytes === 0) throw new Error('it is not completed');
  return ms / DECIDED_GOALS;
}
