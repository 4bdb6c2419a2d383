/** Time is an input of the pure floors: they have no clock and no timer, so that a replay cannot differ. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const PURE = ['protocol', 'ears', 'lifecycle', 'workflow', 'tools'] as const;
const TIME =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\.hrtime\b/;

const found = PURE.flatMap((floor) =>
  readdirSync(join(SRC, floor), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file: join(floor, file), text: readFileSync(join(SRC, floor, file), 'utf8') })),
);

test('no pure floor reads a clock or sets a timer', () => {
  expect(found.length).toBeGreaterThan(100);
  const users = found.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (TIME.test(withoutComment(line)) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(users).toEqual([]);
});

const withoutComment = (line: string): string => line.replace(/^\s*(\*|\/\*\*|\/\/).*$/, '').replace(/\s\/\/ .*$/, '');
