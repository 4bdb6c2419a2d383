import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { isPlainlyGood } from './plain-schema.js';
import { checkSchema } from './schema-check.js';

const value = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -1, 0.5, 2, '', 'object', 'string', 'integer', 'any', [], {}),
  fc.array(fc.constantFrom('a', 'b', 'object', 'null', 1, null), { maxLength: 3 }),
);
const keyword = fc.constantFrom(
  'type',
  'title',
  'description',
  'default',
  'const',
  'examples',
  'enum',
  'required',
  'uniqueItems',
  'minimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxItems',
  'minProperties',
  'additionalProperties',
  'items',
  'pattern',
  '$ref',
  'format',
  'anyOf',
  'not',
  '$id',
  'unknown',
  'toString',
  '__proto__',
);
const { schema } = fc.letrec<{ schema: unknown; object: object }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('object')),
  object: fc
    .tuple(
      fc.array(fc.tuple(keyword, value), { maxLength: 3 }),
      fc.option(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'), { maxKeys: 2 })),
      fc.option(tie('schema')),
      fc.constantFrom(
        undefined,
        'http://json-schema.org/draft-07/schema#',
        'https://json-schema.org/draft/2020-12/schema',
      ),
    )
    .map(([pairs, properties, items, $schema]) => ({
      ...Object.fromEntries(pairs),
      ...(properties && { properties }),
      ...(items !== null && { items }),
      ...($schema !== undefined && { $schema }),
    })),
}));

test('every schema that isPlainlyGood accepts is valid and compiles', () => {
  let good = 0;
  const property = fc.property(schema, (one) => {
    if (!isPlainlyGood(one)) return;
    good++;
    expect(checkSchema(one)).toEqual([]);
  });
  const twice = { enum: ['object', 'object'], $schema: 'http://json-schema.org/draft-07/schema#' };
  fc.assert(property, { ...tries(600), examples: [[twice]] });
  expect(good).toBeGreaterThan(30);
});

test('accepts common schemas, and none that has to be compiled to be checked', () => {
  const list = { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true };
  const result = { type: 'object', required: ['files'], properties: { files: list, kind: { enum: ['a', 'b'] } } };
  expect(isPlainlyGood({ ...result, title: 'Result', additionalProperties: false })).toBe(true);
  for (const wrong of [
    { pattern: '(a+)+' },
    { $ref: '#' },
    { type: 'text' },
    { properties: [] },
    { enum: [] },
    [],
    'x',
  ])
    expect(isPlainlyGood(wrong)).toBe(false);
});
