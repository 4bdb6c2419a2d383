/**
 * Scores the ears over a folder of recordings: `tsx test/bench/screen-score.ts DIR [--only PART] [--verbose]
 * [--adapter] [--tail]`.
 *
 * DIR holds `*.cast` or `*.cast.gz`, and `expected.json`: for each file the messages that must be heard, in order
 * (`{legacy, text}` is a marker). A recording is played up to its mark `final`, or whole (`--tail`). Equal strings may
 * differ by blanks at a wrap (counted as not exact); of those in LOSSY only type and shape are compared. `--adapter`
 * takes the program's name from the file's.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hearCast } from '../../src/session/index.js';
import { recordingsIn } from '../recordings.js';

/** In these recordings, the program removes characters before they reach the terminal. */
const LOSSY = /-envelope-|^gemini\w*-list-/;
const [dir = '.', ...options] = process.argv.slice(2);
const isVerbose = options.includes('--verbose');
const only = options.includes('--only') ? (options[options.indexOf('--only') + 1] ?? '') : '';

interface Said {
  readonly type: string;
  readonly data: unknown;
}

function expectedOf(entry: Record<string, unknown>): Said {
  if (entry['legacy'] === undefined) return { type: String(entry['type']), data: entry['data'] };
  const type = String(entry['legacy']).replace(' ', '_');
  const field = { QUESTION: 'question', TASK_COMPLETE: 'summary', BLOCKED: 'reason' }[type] ?? 'text';
  return { type, data: { [field]: entry['text'] === '' ? 'Task complete' : entry['text'] } };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}

function shape(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shape(entry)]));
}

const expected = JSON.parse(readFileSync(join(dir, 'expected.json'), 'utf8')) as Record<
  string,
  Record<string, unknown>[]
>;
const totals = { files: 0, found: 0, exact: 0, missed: 0, wrong: 0, rejected: 0 };
const byProgram = new Map<string, typeof totals>();
const byScenario = new Map<string, typeof totals>();
let ms = 0;
let bytes = 0;

for (const { name: file, text: read } of recordingsIn(dir).filter(({ name }) => name.includes(only))) {
  let text = read();
  if (!options.includes('--tail')) text = text.replace(/^\[[\d.]+,\s*"m",\s*"final"\][\s\S]*$/m, '');
  const [program = '', scenario = ''] = basename(file, '.cast').split('-');
  const started = performance.now();
  const adapter = options.includes('--adapter') ? { adapter: program.replace(/(?:ax|inline|sr)$/, '') } : {};
  const parsing = hearCast(text, adapter);
  ms += performance.now() - started;
  bytes += text.length;
  if (!parsing.ok) throw new Error(`${file}: ${parsing.message}`);
  const isLossy = LOSSY.test(file);
  const wanted = (expected[file] ?? []).map(expectedOf);
  const heard = parsing.events.flatMap((event) => (event.event_type === 'message' ? [event.message as Said] : []));
  const rejected = parsing.events.length - heard.length;
  const print = (said: Said): string => JSON.stringify(sorted({ type: said.type, data: said.data }));
  const squash = (said: Said): string =>
    isLossy ? JSON.stringify(sorted({ type: said.type, data: shape(said.data) })) : print(said).replace(/\s+/g, '');
  const left = [...wanted];
  const wrong: Said[] = [];
  let exact = 0;
  for (const said of heard) {
    const at = left.findIndex((other) => squash(other) === squash(said));
    if (at === -1) wrong.push(said);
    else {
      const [match] = left.splice(at, 1);
      if (match && print(match) === print(said)) exact++;
      else if (isVerbose && !isLossy) console.log(`~ ${file}\n  ${print(said)}`);
    }
  }
  const result = {
    files: 1,
    found: heard.length - wrong.length,
    exact,
    missed: left.length,
    wrong: wrong.length,
    rejected,
  };
  const [one, two] = [byProgram.get(program), byScenario.get(scenario)].map(
    (known) => known ?? { ...totals, files: 0, found: 0, exact: 0, missed: 0, wrong: 0, rejected: 0 },
  );
  for (const sum of [totals, one, two]) {
    if (!sum) continue;
    for (const name of Object.keys(result) as (keyof typeof result)[]) sum[name] += result[name];
  }
  if (one) byProgram.set(program, one);
  if (two) byScenario.set(scenario, two);
  if (result.missed || result.wrong || (rejected && isVerbose)) {
    console.log(`${file}: missed ${result.missed}, wrong ${result.wrong}, rejected ${rejected}`);
    if (isVerbose) {
      for (const said of left) console.log(`  - ${print(said)}`);
      for (const said of wrong) console.log(`  + ${print(said)}`);
      for (const event of parsing.events)
        if (event.event_type !== 'message') console.log(`  ! ${JSON.stringify(event)}`);
    }
  }
}

const row = (name: string, sum: typeof totals): string =>
  [name.padEnd(14), sum.files, sum.found + sum.missed, sum.found, sum.exact, sum.missed, sum.wrong, sum.rejected].join(
    '\t',
  );
console.log(['', 'files', 'wanted', 'found', 'exact', 'missed', 'wrong', 'rejected'].join('\t'));
for (const [name, sum] of [...byProgram, ...byScenario, ['all', totals] as const]) console.log(row(name, sum));
const { found, wrong, missed } = totals;
console.log(
  `precision ${(found / Math.max(1, found + wrong)).toFixed(3)}  recall ` +
    `${(found / Math.max(1, found + missed)).toFixed(3)}`,
);
console.log(`${Math.round(ms)} ms for ${(bytes / 1e6).toFixed(1)} MB of recordings`);
