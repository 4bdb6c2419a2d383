import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withFewStrings } from './many-strings.js';

/** Starts a program with these arguments and variables. Returns what it prints. */
function started(args: readonly string[], env: readonly string[], file = process.execPath): string {
  const start = withFewStrings({ file, args, env });
  const variables = Object.fromEntries(
    start.env.map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]),
  );
  return execFileSync(start.file, start.args, { env: variables, encoding: 'utf8', maxBuffer: 1e8 });
}
const PRINT = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))';

test('a start with few strings stays as it is', () => {
  const start = { file: '/bin/x', args: ['a'], env: ['A=b'] };
  expect(withFewStrings(start)).toBe(start);
});

test('thousands of arguments and variables reach the program unchanged', () => {
  const words = ["it's", '$HOME `id` "x" \\', 'a\nb', 'ä漢🙂', '', '-i', '--', 'A=B', '🙂'.repeat(30_000)];
  const args = [...words, ...Array.from({ length: 3000 }, (_, n) => `argument ${n}`)];
  const env = Object.fromEntries([
    ...words.map((word, at) => [`WORD_${at}`, word]),
    ['with-dash', '1'],
    ...Array.from({ length: 1500 }, (_, n) => [`N${n}`, `${n}`]),
  ]) as Record<string, string>;
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const start = withFewStrings({ file: process.execPath, args: ['-e', PRINT, '--', ...args], env: pairs });
  expect(start.args.length + start.env.length).toBeLessThan(100);
  expect(Math.max(...start.env.map((pair) => Buffer.byteLength(pair)))).toBeLessThan(128 * 1024);
  expect(JSON.parse(started(['-e', PRINT, '--', ...args], pairs))).toEqual([args, env]);
});
