import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { BeginningWatch } from './beginning-watch.js';

function hasCome(texts: readonly string[]): boolean {
  const watch = new BeginningWatch();
  for (const text of texts) {
    const bytes = Buffer.from(` ${text} `);
    watch.take(bytes, 1, bytes.length - 1);
  }
  return watch.hasCome;
}

it.each([
  ['an object', ['a', '{']],
  ['the end of an object', ['"a": 1', '}']],
  ['a fence', ['``', '`json']],
  ['a tilde fence', ['~~~']],
  ['an envelope', ['<', 'output>']],
  ['the end of an envelope', ['<', '/output>']],
  ['a marker', [':ORCHESTRATOR: DONE']],
  ['a marker in small letters, painted letter by letter', [...':orchestrator']],
  ['a tool’s output', ['⎿ 3 files']],
  ['a file of a tree', ['├── src']],
  ['a branch with a long stem', ['└──────', '── src']],
  ['a branch behind which the cursor moves on', ['╰──', 'src']],
])('%s can start or end a message', (_name, texts) => {
  expect(hasCome(texts)).toBe(true);
});

it.each([
  ['words', ['Let me see: 3 of 14 tests fail, “see” ~/notes']],
  ['code between backticks', ['`src/main.ts`', ' ``']],
  ['borders', ['│ text │ ─────']],
  ['a box', ['╰───', '─────╯']],
  ['a box with a name in its border', ['├─────┤name├─────┤']],
  ['other characters of three bytes', ['漢字かな⏺✻']],
])('%s cannot start or end a message', (_name, texts) => {
  expect(hasCome(texts)).toBe(false);
});

it('finds the same starts however the text is split', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab:oO<`~ {}/⎿│漢╰─────'), maxLength: 12 });
  fc.assert(
    fc.property(text, (whole) => {
      const watch = new BeginningWatch();
      const bytes = Buffer.from(whole);
      for (let at = 0; at < bytes.length; at++) watch.take(bytes, at, at + 1);
      expect(watch.hasCome).toBe(hasCome([whole]));
    }),
    tries(300),
  );
});

it('forget discards the text before it', () => {
  const watch = new BeginningWatch();
  watch.take(Buffer.from('``'), 0, 2);
  watch.forget();
  watch.take(Buffer.from('`'), 0, 1);
  expect(watch.hasCome).toBe(false);
});
