import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from './generate.js';

test('the generated files are up to date', async () => {
  for (const [path, text] of Object.entries(await generate())) {
    const current = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    expect(current === text, `${path} is stale: run \`npm run generate\``).toBe(true);
  }
});
