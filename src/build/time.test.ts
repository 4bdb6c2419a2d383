/**
 * Time is an input. The pure floors have no clock and no timer, so that a replay cannot differ. In the daemon and the
 * host, reading the clock is a port, so that a test can move it. Their timers are not ports: tests fake those.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const PURE = ['protocol', 'ears', 'lifecycle', 'workflow', 'tools'] as const;
const TIME =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\.hrtime\b/;

/** The real clock as the default of a port, or as what `main.ts` supplies. */
const DEFAULT_CLOCK =
  /\(\) => performance\.now\(\)|\bnow = (?:performance|Date)\.now(?:\(\))?|\?\? Date\.now\b|\bnow: Date\.now\b/g;
const CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b/;
/** Files that write the time for people. */
const LOGS = ['daemon/log.ts', 'host/main.ts', 'daemon/notify/notifier.ts'];

const filesOf = (floor: string) =>
  readdirSync(join(SRC, floor), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file: join(floor, file), text: readFileSync(join(SRC, floor, file), 'utf8') }));

const linesWith = (pattern: RegExp, { file, text }: ReturnType<typeof filesOf>[number]): string[] =>
  text
    .split('\n')
    .flatMap((line, at) => (pattern.test(withoutComment(line)) ? [`${file}:${at + 1} ${line.trim()}`] : []));

test('no pure floor reads a clock or sets a timer', () => {
  const files = PURE.flatMap(filesOf);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => linesWith(TIME, file))).toEqual([]);
});

test('the daemon and the host read a clock only through a port', () => {
  const files = ['daemon', 'host'].flatMap(filesOf).filter(({ file }) => !LOGS.includes(file));
  expect(files.length).toBeGreaterThan(200);
  const used = files.map(({ file, text }) => ({ file, text: text.replaceAll(DEFAULT_CLOCK, '') }));
  expect(used.flatMap((file) => linesWith(CLOCK, file))).toEqual([]);
});

const withoutComment = (line: string): string => line.replace(/^\s*(\*|\/\*\*|\/\/).*$/, '').replace(/\s\/\/ .*$/, '');
