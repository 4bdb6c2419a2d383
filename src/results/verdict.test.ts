import { expect, it } from 'vitest';
import { retryPrompt, schemaInstructions } from './instructions.js';
import { compileSchema } from './schema-check.js';
import { checkText } from './verdict.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };

function verdictOf(text: string, schema: unknown = SCHEMA) {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error('no schema');
  return checkText(text, compiled);
}

it('takes the first candidate that fits, wherever it is in the text', () => {
  const text = 'I wrote `{"summary": 1}`.\n\n```json\n{"other": true}\n```\n\nIn short: {"summary": "done"}.';
  expect(verdictOf(text)).toEqual({ ok: true, value: { summary: 'done' } });
});

it('reports the errors of the most likely candidate if none fits', () => {
  const text = '{"x": 1}\n\n```json\n{"summary": 3}\n```';
  expect(verdictOf(text)).toEqual({ ok: false, errors: [{ path: '$.summary', message: "3 is not of type 'string'" }] });
});

it('refuses a number out of range and names its position', () => {
  expect(verdictOf('{"summary": "done", "size": 1e400}')).toEqual({
    ok: false,
    errors: [{ path: '$', message: 'Number out of range: line 1 column 29' }],
  });
  expect(verdictOf('{"summary": "done", "size": NaN}').ok).toBe(false);
});

it('reports a text without JSON in the documented words', () => {
  expect(verdictOf('All done.')).toEqual({
    ok: false,
    errors: [{ path: '$', message: 'No JSON output found but output_schema requires structured output' }],
  });
});

it('writes the documented instructions, and the errors to repair before them', () => {
  expect(schemaInstructions({ type: 'object' })).toBe(
    '## Required Output Format\n\nYou MUST provide structured output as JSON conforming to this schema:\n\n' +
      '```json\n{\n  "type": "object"\n}\n```\n\n' +
      'Your final response MUST be valid JSON that matches this schema exactly. Output ONLY the JSON, no ' +
      'additional text.',
  );
  const many = Array.from({ length: 60 }, (_, i) => ({ path: `$.a[${i}]`, message: 'is wrong' }));
  const prompt = retryPrompt(many, 'output schema', schemaInstructions(SCHEMA));
  expect(prompt).toContain('- $.a[49]: is wrong\n- and 10 more\n');
  expect(prompt.endsWith(schemaInstructions(SCHEMA))).toBe(true);
});
