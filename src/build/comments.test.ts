/** Comments stand at what they document. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

function* matchesOf(pattern: RegExp): Generator<string> {
  for (const file of files) {
    const text = readFileSync(join(SRC, file), 'utf8');
    for (const { index, 0: found } of text.matchAll(pattern)) {
      // The header of a file may stand above the comment of its first declaration.
      if (found.startsWith('*/') && text.indexOf('*/') === index) continue;
      yield `${file}:${text.slice(0, index).split('\n').length}`;
    }
  }
}

test('no doc comment follows another one directly, because then one of them documents nothing', () => {
  expect([...matchesOf(/\*\/\s*\/\*\*/g)]).toEqual([]);
});

test('the rule of a section is on the line of its title', () => {
  expect([...matchesOf(/^ *\/\/ ─+$/gm)]).toEqual([]);
});
