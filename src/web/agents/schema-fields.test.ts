import { describe, expect, test } from 'vitest';
import { emptyValue, formOf } from './schema-fields.js';

describe('the form of a schema', () => {
  test('has a field for each property, with its type in words', () => {
    const form = formOf({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'Its name' },
        size: { type: 'integer', minimum: 1, maximum: 9 },
        kind: { enum: ['a', 2, null] },
        tags: { type: 'array', items: { type: 'string' } },
        maybe: { type: ['boolean', 'null'] },
        odd: { anyOf: [{}, {}] },
      },
    });
    expect(form.fields.map(({ name, kind, type, isRequired }) => [name, kind, type, isRequired])).toEqual([
      ['name', 'text', 'text', true],
      ['size', 'number', 'whole number from 1 to 9', false],
      ['kind', 'choice', 'one of', false],
      ['tags', 'list', 'list of text', false],
      ['maybe', 'flag', 'yes or no', false],
      ['odd', 'json', 'any value', false],
    ]);
    expect(emptyValue(form)).toEqual({ name: '' });
  });

  test('follows references and stops at recursive ones', () => {
    const form = formOf({
      $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } },
      $ref: '#/$defs/tree',
    });
    let depth = 0;
    for (let at = form; at.fields[0]; at = at.fields[0]) depth++;
    expect(depth).toBeGreaterThan(2);
    expect(depth).toBeLessThan(10);
  });

  test.each([[true], [null], [7], ['x'], [[]], [{ properties: 7 }], [{ $ref: '#/nowhere' }], [{ type: 'object' }]])(
    'of %j is a JSON field',
    (schema) => {
      expect(formOf(schema)).toMatchObject({ kind: 'json', fields: [] });
    },
  );
});
