import { expect, it } from 'vitest';
import { checkEnvelope } from './envelope.js';
import { schemaInstructions } from './instructions.js';
import { compileSchema } from './schema-check.js';
import { checkText } from './verdict.js';

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } } };
const typed = `${schemaInstructions(SCHEMA)}\n\nDo it.`;

function verdictOf(text: string, printed: string) {
  const compiled = compileSchema(SCHEMA);
  if (!compiled.ok) throw new Error('no schema');
  return checkText(text, compiled, { typed, printed });
}

it('ignores the schema that the prompt contains, however the terminal wrapped it', () => {
  const wrapped = typed.replaceAll(' ', '\n');
  expect(verdictOf(wrapped, wrapped)).toMatchObject({
    ok: false,
    errors: [{ message: 'No JSON output found but output_schema requires structured output' }],
  });
  const answered = `${wrapped}\n{"a": 1}`;
  expect(verdictOf(answered, answered)).toEqual({ ok: true, value: { a: 1 } });
});

it('accepts a copy of the schema that the program printed itself', () => {
  const twice = `${typed}\n${JSON.stringify(SCHEMA)}`;
  expect(verdictOf(twice, twice)).toEqual({ ok: true, value: SCHEMA });
});

it('ignores an envelope that the prompt contains', () => {
  const envelope = '<output>\n{"status": "success", "summary": "x"}\n---\nx\n</output>';
  expect(checkEnvelope(envelope, { typed: envelope, printed: envelope })).toMatchObject({ ok: false });
});
