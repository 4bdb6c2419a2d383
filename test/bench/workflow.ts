/**
 * Measures Agentfiles: 10,000 lines are read and checked in a new process, minus the time for a single line, and 1,000
 * goals, most of which depend on each other, are planned.
 *
 * For comparison: `JSON.parse` of the checked form, which only makes the values.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, planOf } from '../../src/workflow/index.js';
import { type Bench, type Figure, median } from './bench.js';

const ORCHD = new URL('../../bin/orchd.js', import.meta.url).pathname;
const LINES = 10_000;
const GOALS = 1_000;
const ROUNDS = 9;

/** The lines in turn: an agent, a goal that uses one, a comment. */
const lineOf = (index: number): string =>
  [
    `AGENT a${index} "Research $topic, part ${index}" -> findings, sources`,
    `GOAL g${index} "Analyze $topic" -> summary${index}, notes${index} USING a${index - 1}`,
    `# what comes now is part ${index}`,
  ][index % 3] ?? '';
const file = ['NAME many', 'INPUT topic', ...Array.from({ length: LINES - 2 }, (_, index) => lineOf(index))].join('\n');

/** Goals of which each needs the previous one and the first one. */
const chain = Array.from({ length: GOALS }, (_, index) =>
  index === 0 ? 'GOAL g0 "Begin" -> v0' : `GOAL g${index} "Go on with $v${index - 1}, mind $v0" -> v${index}`,
).join('\n');

export const workflow: Bench = {
  name: 'workflow',
  summary: 'Agentfiles: read and checked, planned',
  run(): Figure[] {
    const { workflow: planned } = parse(chain);
    const plan = once(() => planOf(planned));
    const folder = mkdtempSync(join(tmpdir(), 'orchd-bench-'));
    const [many, one] = [join(folder, 'many'), join(folder, 'one')];
    writeFileSync(many, file);
    writeFileSync(one, 'GOAL a "Go"\n');
    const times: Record<'none' | 'one' | 'many', number[]> = { none: [], one: [], many: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.none.push(once(() => start(['-e', '0'])));
      times.one.push(once(() => start([ORCHD, 'workflow', 'check', '-q', one])));
      times.many.push(once(() => start([ORCHD, 'workflow', 'check', '-q', many])));
    }
    rmSync(folder, { recursive: true });
    const json = JSON.stringify(parse(file).workflow);
    const note = `beside \`node -e 0\` in ${median(times.none).toFixed(0)} ms`;
    return [
      { what: 'one line checked', value: median(times.one), unit: 'ms', note },
      {
        what: `${LINES} lines checked, above that`,
        value: median(times.many) - median(times.one),
        unit: 'ms',
        goal: 100,
      },
      { what: 'the same in a process that has done it before', value: middle(() => parse(file)), unit: 'ms' },
      { what: '`JSON.parse` of the checked form', value: middle(() => JSON.parse(json)), unit: 'ms' },
      { what: `${GOALS} goals planned, the first time`, value: plan, unit: 'ms', goal: 50 },
    ];
  },
};

function start(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}`);
}

function once(run: () => unknown): number {
  const before = performance.now();
  run();
  return performance.now() - before;
}

const middle = (run: () => unknown): number => median(Array.from({ length: ROUNDS }, () => once(run)));
