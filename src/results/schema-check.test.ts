/**
 * Tests the messages for values that do not match a schema against those of Python's jsonschema 4.26, which wrote
 * fixtures/results/wording.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import type { SchemaError } from '../protocol/index.js';
import { checkSchema, compileSchema } from './schema-check.js';

interface Case {
  readonly schema: unknown;
  readonly value: unknown;
  readonly errors: readonly SchemaError[];
}

const FILE = join(import.meta.dirname, '../../fixtures/results/wording.json');
const cases = JSON.parse(readFileSync(FILE, 'utf8')) as Case[]; // a file of this repository

function check(schema: unknown, value: unknown): readonly SchemaError[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  return compiled.check(value);
}

/** Sorted, because Python reports paths in another order. */
const sorted = (errors: readonly SchemaError[]): string[] =>
  errors.map(({ path, message }) => `${path}: ${message}`).sort();

describe('a value that does not fit its schema', () => {
  it.each(cases.map((one) => [JSON.stringify(one.schema).slice(0, 60), JSON.stringify(one.value), one] as const))(
    '%s with %s is reported as Python reports it',
    (_schema, _value, { schema, value, errors }) => {
      expect(sorted(check(schema, value))).toEqual(sorted(errors));
    },
  );

  it('is reported with its path if the schema allows no value', () => {
    expect(check({ properties: { a: false } }, { a: [1] })).toEqual([
      { path: '$.a', message: 'False schema does not allow [1]' },
    ]);
  });

  it('is reported with at most 1000 errors and the number of the others', () => {
    const errors = check({ items: { type: 'integer' } }, Array(100_000).fill('x'));
    expect(errors).toHaveLength(1_001);
    expect(errors.slice(-2)).toEqual([
      { path: '$[999]', message: "'x' is not of type 'integer'" },
      { path: '$', message: 'and 99000 more errors' },
    ]);
  });

  it('is not confused by inherited properties', () => {
    expect(check({ required: ['toString', '__proto__'] }, {})).toHaveLength(2);
    expect(check({ properties: { constructor: { type: 'string' } } }, {})).toEqual([]);
  });
});

describe('an invalid schema is refused with the path', () => {
  it.each([
    [3, '$', 'a JSON Schema is an object'],
    [[], '$', 'a JSON Schema is an object'],
    [{ type: 'objct' }, '$.type', "'objct' is not one of"],
    [{ properties: { a: { minimum: 'x' } } }, '$.properties.a.minimum', "'x' is not of type 'number'"],
    [{ required: 'a' }, '$.required', "'a' is not of type 'array'"],
    [{ properties: { a: { pattern: '(' } } }, '$.properties.a.pattern', 'Invalid regular expression'],
    [{ patternProperties: { '[': {} } }, '$.patternProperties', 'Invalid regular expression'],
    [{ properties: { a: { $ref: '#/nope' } } }, '$.properties.a.$ref', 'leads nowhere'],
    [{ items: { $ref: 'http://example.com/other' } }, '$.items.$ref', 'nothing is loaded from elsewhere'],
    [{ $ref: '#' }, '$', 'without end'],
    [{ type: 'object', anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { $ref: '#' } } }, '$', 'without end'],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '$', 'without end'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, '$.$schema', 'supported'],
    [{ $schema: 7 }, '$.$schema', 'supported'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', items: 'x' }, '$.items', ''],
  ])('%j', (schema, path, words) => {
    const compiled = compileSchema(schema);
    expect(compiled.ok ? [] : compiled.errors).toContainEqual({ path, message: expect.stringContaining(words) });
    expect(checkSchema(schema)).toEqual(compiled.ok ? [] : compiled.errors);
  });

  it('whether it is only checked or also compiled', () => {
    const keywords = {
      type: fc.constantFrom('object', 'integer', ['string', 'null'], 'objct'),
      enum: fc.array(fc.jsonValue()),
      required: fc.array(fc.constantFrom('a', 'b', 3)),
      minimum: fc.constantFrom(1, 'x'),
      const: fc.jsonValue(),
      pattern: fc.constantFrom('^a', '('),
      $ref: fc.constantFrom('#', '#/properties/a'),
      nullable: fc.boolean(),
      multipleOf: fc.constantFrom(0, 2),
      minItems: fc.constantFrom(-1, 1),
      uniqueItems: fc.constantFrom(true, 1),
    };
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.record(
          {
            ...keywords,
            properties: fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor'), tie('schema')),
            items: tie('schema'),
            additionalProperties: tie('schema'),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    const property = fc.property(schema, (any) => {
      const compiled = compileSchema(any);
      expect(checkSchema(any)).toEqual(compiled.ok ? [] : compiled.errors);
    });
    fc.assert(property, tries(100));
  });

  it('but a valid schema is accepted', () => {
    for (const schema of [
      true,
      {},
      { properties: { next: { $ref: '#' } }, items: { $ref: '#' } },
      { $id: 'https://example.com/a', $ref: '#/$defs/b', $defs: { b: { type: 'string' } } },
    ]) {
      expect(compileSchema(schema).ok).toBe(true);
    }
    expect(check({ const: { pattern: '(', $ref: '#/x' } }, { pattern: '(', $ref: '#/x' })).toEqual([]);
  });
});
