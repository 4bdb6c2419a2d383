/**
 * `npm run bench [-- NAME… [--json FILE] [--seed N] [--quick]]`: runs the benches that are named, or all of them, one
 * after the other.
 *
 * Prints a table of each on standard output: what, measured, goal, remark; and what it is doing on standard error.
 * Inputs are generated from a seed, which is another at each run and is printed; `--seed` repeats one. `--quick` is a
 * short run to see that all works. `--json FILE` keeps the figures. README.md here says how to read them.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { agents } from './agents.js';
import { agentsFlood } from './agents-flood.js';
import { attach } from './attach.js';
import { type Bench, type Figure, toTable } from './bench.js';
import { cli } from './cli.js';
import { fanout } from './fanout.js';
import { flood } from './flood.js';
import { grid } from './grid.js';
import { hearing } from './hearing.js';
import { hub } from './hub.js';
import { latency } from './latency.js';
import { memory } from './memory.js';
import { rest } from './rest.js';
import { runs } from './runs.js';
import { scan } from './scan.js';
import { screen } from './screen.js';
import { start } from './start.js';
import { store } from './store.js';
import { throughput } from './throughput.js';
import { hasTmux } from './tmux.js';
import { tui } from './tui.js';
import { web } from './web.js';
import { workflow } from './workflow.js';
import { workflowRun } from './workflow-run.js';

const BENCHES: readonly Bench[] = [
  agents,
  agentsFlood,
  hearing,
  hub,
  throughput,
  latency,
  memory,
  flood,
  rest,
  fanout,
  cli,
  start,
  attach,
  runs,
  scan,
  screen,
  store,
  tui,
  grid,
  web,
  workflow,
  workflowRun,
];

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, seed: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!Number.isInteger(seed) || seed < 0) {
  console.error(`--seed takes a whole number, found '${values.seed}'`);
  process.exit(2);
}
const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined) {
  console.error(`no bench '${unknown}'; there are:`);
  for (const { name, summary } of BENCHES) console.error(`  ${name.padEnd(14)}${summary}`);
  process.exit(2);
}

// Reading extra certificates costs every Node process 10 ms or more at its start, which has nothing to do with orchd.
delete process.env['NODE_EXTRA_CA_CERTS'];

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpus: cpus().length,
  model: cpus()[0]?.model ?? '',
  memoryGb: Math.round(totalmem() / 1e9),
};
console.log(`node ${machine.node}, ${machine.platform}, ${machine.cpus} x ${machine.model}, ${machine.memoryGb} GB`);
console.log(`seed ${seed}; repeat with --seed ${seed}${values.quick ? '; quick: the figures say less' : ''}`);
if (!hasTmux()) console.log('tmux is not installed: its figures are left out');

const results: { name: string; load: number; figures: readonly Figure[] }[] = [];
for (const { name, summary, run } of BENCHES) {
  if (names.length > 0 && !names.includes(name)) continue;
  const [load = 0] = loadavg();
  console.log(`\n${name}: ${summary} (load before it: ${load.toFixed(1)})`);
  const progress = (text: string): void => console.error(`  ${name}: ${text}`);
  const figures = await run({ seed, quick: values.quick, progress });
  console.log(toTable(figures));
  results.push({ name, load, figures });
}
if (values.json !== undefined) {
  const time = new Date().toISOString();
  writeFileSync(values.json, `${JSON.stringify({ time, machine, seed, quick: values.quick, results }, null, 2)}\n`);
}
