/** Tests the checks of a definition that need no schema validator. */
import { expect, test } from 'vitest';
import { definitionErrors, definitionOf } from './blueprint.js';

const WHOLE = {
  ...{
    name: 'pr-reviewer',
    description: 'Reviews',
    type: 'autonomous',
    instructions: 'Be\nstrict.',
    prompt: 'Review.',
  },
  ...{ adapter: 'claude', model: 'opus', args: ['--x', ''], env: ['API_KEY'], tools: ['ask', 'completion-report'] },
  ...{ input_schema: true, output_schema: { type: 'object' }, output_format: 'json' },
  limits: { timeout: 0.5, max_turns: 3, max_cost: 1.5 },
};

test('a definition may have every field, or its name alone', () => {
  expect(definitionErrors(WHOLE)).toEqual([]);
  expect(definitionErrors({ name: 'a' })).toEqual([]);
});

test.each([
  ['no name', { name: undefined }, '$.name'],
  ['a name that leads out of its folder', { name: '../x' }, '$.name'],
  ['a long name', { name: 'x'.repeat(65) }, '$.name'],
  ['another type', { type: 'interactive' }, '$.type'],
  ['empty instructions', { instructions: ' \n' }, '$.instructions'],
  ['arguments that are no texts', { args: ['a', 1] }, '$.args[1]'],
  ['a value in env', { env: ['API_KEY=secret'] }, '$.env[0]'],
  ['a tool that does not exist', { tools: ['ask', 'tell'] }, '$.tools[1]'],
  ['a limit of nothing', { limits: { timeout: 0 } }, '$.limits.timeout'],
  ['half a turn', { limits: { max_turns: 1.5 } }, '$.limits.max_turns'],
  ['a limit that does not exist', { limits: { max_tokens: 1 } }, '$.limits'],
  ['an envelope with a schema', { output_format: 'envelope' }, '$.output_format'],
  ['a control character in the model', { model: 'a\u0000' }, '$.model'],
])('%s is refused with its place', (_what, change, path) => {
  expect(definitionErrors({ ...WHOLE, ...change }).map((error) => error.path)).toEqual([path]);
});

test('an unknown field is refused with its name', () => {
  expect(definitionErrors({ name: 'a', outputSchema: {} })).toEqual([
    { path: '$', message: expect.stringContaining("'outputSchema'") },
  ]);
});

test('a schema that is nested without end, and a great many errors, are told shortly', () => {
  const deep = JSON.parse(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`);
  expect(definitionErrors({ name: 'a', output_schema: deep }).map(({ path }) => path)).toEqual(['$.output_schema']);
  expect(definitionErrors({ name: 'a', args: Array(10_000).fill(1) }).length).toBeLessThan(200);
});

test('of a shown blueprint the definition can be taken again', () => {
  const place = {
    project: null,
    source: 'stored',
    file: null,
    shadows: false,
    created_at: null,
    updated_at: null,
  } as const;
  const { name, description, limits } = WHOLE;
  expect(definitionOf({ name, description, limits, type: 'autonomous', ...place })).toEqual({
    ...{ name, description, limits, type: 'autonomous' },
  });
});
