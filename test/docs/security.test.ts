/** Checks that the tests that docs/security.md names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('every path and every hard test named in docs/security.md exists', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:test|src|fixtures)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const hard = [...text.matchAll(/test:hard -- (\w+)/g)].map(([, name = '']) => `test/hard/${name}.ts`);
  expect(paths.length).toBeGreaterThan(10);
  expect([...paths, ...hard].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
