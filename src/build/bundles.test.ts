/** Checks the built files of the programs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');
/** Files that begin to run when they are imported. */
const PROGRAM = /["']\.\/(cli|daemon|demo-agent|sqlite-worker|checker-worker|host)\.js["']/;
/** An import with its source, in any form that the bundler writes. */
const IMPORT = /^(?:import|export)\b[^;]*?["'][^"']+["'];|\bimport\(["'][^"']+["']\)/gm;

test('no file imports a program, because the program would run', () => {
  const files = readdirSync(DIST).filter((name) => name.endsWith('.js'));
  const found = files.flatMap((name) => {
    const imports = readFileSync(join(DIST, name), 'utf8').match(IMPORT) ?? [];
    return imports.filter((text) => PROGRAM.test(text)).map((text) => `${name}: ${text}`);
  });
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
