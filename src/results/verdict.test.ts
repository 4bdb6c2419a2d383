import { expect, it } from 'vitest';
import { retryPrompt, schemaInstructions } from './instructions.js';
import { compileSchema } from './schema-check.js';
import { judgeText } from './verdict.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };

function judge(text: string, schema: unknown = SCHEMA) {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error('no schema');
  return judgeText(text, compiled);
}

it('the first candidate that fits is the result, wherever it stands', () => {
  const text = 'I wrote `{"summary": 1}`.\n\n```json\n{"other": true}\n```\n\nIn short: {"summary": "done"}.';
  expect(judge(text)).toEqual({ ok: true, value: { summary: 'done' } });
});

it('if none fits, the errors are those of the likeliest', () => {
  const text = '{"x": 1}\n\n```json\n{"summary": 3}\n```';
  expect(judge(text)).toEqual({ ok: false, errors: [{ path: '$.summary', message: "3 is not of type 'string'" }] });
});

it('what a program could not hold is no result, and told with its place', () => {
  expect(judge('{"summary": "done", "size": 1e400}')).toEqual({
    ok: false,
    errors: [{ path: '$', message: 'Number out of range: line 1 column 29' }],
  });
  expect(judge('{"summary": "done", "size": NaN}').ok).toBe(false);
});

it('a text without JSON is told so, in the documented words', () => {
  expect(judge('All done.')).toEqual({
    ok: false,
    errors: [{ path: '$', message: 'No JSON output found but output_schema requires structured output' }],
  });
});

it('the instructions are the documented ones, and what is to be repaired stands before them', () => {
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
