/** Tests the checks of a definition that need no schema validator. */
import { expect, test } from 'vitest';
import { definitionErrors, definitionOf } from './blueprint.js';

const COMPLETE = {
  name: 'pr-reviewer',
  description: 'Reviews',
  type: 'autonomous',
  instructions: 'Be\nstrict.',
  prompt: 'Review.',
  adapter: 'claude',
  model: 'opus',
  args: ['--x', ''],
  env: ['API_KEY'],
  tools: ['ask', 'completion-report'],
  input_schema: true,
  output_schema: { type: 'object' },
  output_format: 'json',
  limits: { timeout: 0.5, max_turns: 3, max_cost: 1.5 },
};

test('accepts a definition with every field, or with a name alone', () => {
  expect(definitionErrors(COMPLETE)).toEqual([]);
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
])('refuses %s and names the path', (_what, change, path) => {
  expect(definitionErrors({ ...COMPLETE, ...change }).map((error) => error.path)).toEqual([path]);
});

test('refuses an unknown field and names it', () => {
  expect(definitionErrors({ name: 'a', outputSchema: {} })).toEqual([
    { path: '$', message: expect.stringContaining("'outputSchema'") },
  ]);
});

test('refuses an endlessly nested schema, and limits the number of errors', () => {
  const deep = JSON.parse(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`);
  expect(definitionErrors({ name: 'a', output_schema: deep }).map(({ path }) => path)).toEqual(['$.output_schema']);
  expect(definitionErrors({ name: 'a', args: Array(10_000).fill(1) }).length).toBeLessThan(200);
});

test('definitionOf returns the definition of a blueprint that was shown', () => {
  const place = {
    project: null,
    source: 'stored',
    file: null,
    shadows: false,
    created_at: null,
    updated_at: null,
  } as const;
  const { name, description, limits } = COMPLETE;
  expect(definitionOf({ name, description, limits, type: 'autonomous', ...place })).toEqual({
    name,
    description,
    limits,
    type: 'autonomous',
  });
});
