/** Tests where the JSON in an agent's final text is found. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { candidatesIn } from './candidates.js';

const found = (text: string): unknown[] =>
  [...candidatesIn(text)].map((reading) => (reading.ok ? reading.value : reading.error.message));

it.each([
  ['nothing', 'I could not do it.', []],
  ['the text itself', ' {"a": 1}\n', [{ a: 1 }, { a: 1 }]],
  [
    'a text that is no object',
    '[1, 2]',
    [
      [1, 2],
      [1, 2],
    ],
  ],
  ['a block', 'Here:\n\n```json\n{"a": 1}\n```\nDone.', [{ a: 1 }, { a: 1 }]],
  [
    'the last block first',
    '```json\n{"a": 1}\n```\nno:\n```JSON\n{"a": 2}\n```',
    [{ a: 2 }, { a: 1 }, { a: 2 }, { a: 1 }],
  ],
  ['a block that holds no JSON', '```json\n{"a": 1,}\n```', []],
  ['a block in a list', '1. this:\n   ```json\n   [1]\n   ```', [[1], [1]]],
  ['a block with tildes that is never closed', '~~~ json\n{"a": 1}', [{ a: 1 }, { a: 1 }]],
  ['no block of another language', '```js\n1\n```', []],
  ['an array with rows of its own', 'So:\n\n> [1,\n> 2]\n\n  [3]\n', [[3]]],
  ['no array within a row', 'see [1], and\n[2]: http://host', []],
  ['no part of an array', 'All: [{"a": 1}, {"a": 2}]', []],
  ['no part of a value that is cut off', 'Done:\n{"a": 2, "list": [{"a": 5}, {"a', []],
  ['no part of a value whose first key has an escaped quote', '{"a\\"b": {"a": 5}, "c', []],
  ['no part of a value that is too deep and cut off', `${'{"a": '.repeat(101)}{"a": 5}`, []],
  ['a value after one that is cut off', '{"a": 2, "list": [{"a": 5}, {"a\nAgain: {"a": 3}', [{ a: 3 }]],
  ['no part of an invalid value', '{"total": {"a": 5},} {"b": x, "c": {"a": 6}} {\'d\': {"a": 7}}', []],
  ['a value in colours', '{\x1b[34m"a"\x1b(B\x1b[m: \x1b]0;title\x07\x1b[33m2\x1b[0m}', Array(2).fill({ a: 2 })],
  ['a value behind a byte order mark', '\uFEFF7', [7]],
  ['objects in prose, the last first', 'first {"a": 1}, then {"a": {"b": "}"}}.', [{ a: { b: '}' } }, { a: 1 }]],
  ['an object in braces that are none', 'use {x} or {y: {"a": 1}}', [{ a: 1 }]],
  ['an object behind a brace that is never closed', 'a { b {"a": 1}', [{ a: 1 }]],
  ['an object behind a quote that is never closed', 'a 5" disk {"a": 1}\n{ "b\n {"c": 2} }', [{ c: 2 }, { a: 1 }]],
  ['what no program can hold', '{"a": 1e400}', Array(2).fill('Number out of range: line 1 column 7')],
  ['an integer that would lose digits', '{"id": 12345678901234567891}', Array(2).fill(expect.stringMatching(/string/))],
  [
    'what is too deep',
    '['.repeat(101) + ']'.repeat(101),
    Array(2).fill('Nested deeper than 100 levels: line 1 column 101'),
  ],
  ['a string with escapes', '{"a": "\\"}{\\\\"}', [{ a: '"}{\\' }, { a: '"}{\\' }]],
])('%s', (_what, text, values) => {
  expect(found(text)).toEqual(values);
});

it('finds any JSON as the whole text and in a block, and an object also in prose', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 2 }), (json, indent) => {
      const value: unknown = JSON.parse(json);
      const text = JSON.stringify(value, null, indent);
      expect(found(text)[0]).toEqual(value);
      expect(found(`So it is:\n\n\`\`\`json\n${text}\n\`\`\`\n`)[0]).toEqual(value);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        expect(found(`so (${text}), I think`)).toContainEqual(value);
      }
    }),
    tries(100),
  );
});

it('handles 100,000 braces without slowing down or recursing deeply', () => {
  const many = 100_000;
  expect(found(`${'{'.repeat(many)}"a": 1}${'{"'.repeat(many)}`)).toEqual([{ a: 1 }]);
  expect(found('{'.repeat(many) + '}'.repeat(many))).toEqual([]);
  expect(found(`${'{"\\"": ['.repeat(many)}{"a": 1}`)).toEqual([]);
});
