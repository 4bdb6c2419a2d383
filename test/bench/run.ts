/**
 * `npm run bench [-- NAME… [--json FILE]]`: runs the benches that are named, or all of them, one after the other, and prints a
 * table of each: what, measured, goal, remark. `--json FILE` keeps the figures. README.md here says how to read them.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Bench, type Figure, toTable } from './bench.js';
import { busy50 } from './busy50.js';
import { cli } from './cli.js';
import { fanout } from './fanout.js';
import { flood } from './flood.js';
import { latency } from './latency.js';
import { memory } from './memory.js';
import { rest } from './rest.js';
import { runs } from './runs.js';
import { scan } from './scan.js';
import { screen } from './screen.js';
import { start } from './start.js';
import { store } from './store.js';
import { stream } from './stream.js';
import { throughput } from './throughput.js';
import { tui } from './tui.js';
import { workflow } from './workflow.js';
import { workflowRun } from './workflow-run.js';

const BENCHES: readonly Bench[] = [
  ...[
    latency,
    stream,
    fanout,
    cli,
    start,
    memory,
    busy50,
    flood,
    rest,
    runs,
    throughput,
    scan,
    screen,
    store,
    tui,
    workflow,
    workflowRun,
  ],
];

const { positionals: names, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined) {
  console.error(`no bench '${unknown}'; there are:`);
  for (const { name, summary } of BENCHES) console.error(`  ${name.padEnd(12)}${summary}`);
  process.exit(2);
}

// Reading extra certificates takes every Node 10 ms or more at start, and says nothing of orchd.
delete process.env['NODE_EXTRA_CA_CERTS'];

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpus: cpus().length,
  model: cpus()[0]?.model ?? '',
  memoryGb: Math.round(totalmem() / 1e9),
};
console.log(`node ${machine.node}, ${machine.platform}, ${machine.cpus} x ${machine.model}, ${machine.memoryGb} GB`);

const results: { name: string; load: number; figures: readonly Figure[] }[] = [];
for (const { name, summary, run } of BENCHES) {
  if (names.length > 0 && !names.includes(name)) continue;
  const [load = 0] = loadavg();
  console.log(`\n${name}: ${summary} (load before it: ${load.toFixed(1)})`);
  const figures = await run();
  console.log(toTable(figures));
  results.push({ name, load, figures });
}
if (values.json !== undefined) {
  const time = new Date().toISOString();
  writeFileSync(values.json, `${JSON.stringify({ time, machine, results }, null, 2)}\n`);
}
