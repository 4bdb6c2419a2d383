/** The threat model names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('each path in docs/security.md is there, and each hard test that it names', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:test|src|fixtures)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const hard = [...text.matchAll(/test:hard -- (\w+)/g)].map(([, name = '']) => `test/hard/${name}.ts`);
  expect(paths.length).toBeGreaterThan(10);
  expect([...paths, ...hard].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
