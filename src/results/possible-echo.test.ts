import { expect, it } from 'vitest';
import { judgeEnvelope } from './envelope.js';
import { schemaInstructions } from './instructions.js';
import { compileSchema } from './schema-check.js';
import { judgeText } from './verdict.js';

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } } };
const typed = `${schemaInstructions(SCHEMA)}\n\nDo it.`;

function judge(text: string, printed: string) {
  const compiled = compileSchema(SCHEMA);
  if (!compiled.ok) throw new Error('no schema');
  return judgeText(text, compiled, { typed, printed });
}

it('the schema of the prompt is no candidate, however the terminal wrapped it', () => {
  const wrapped = typed.replaceAll(' ', '\n');
  expect(judge(wrapped, wrapped)).toMatchObject({
    ok: false,
    errors: [{ message: 'No JSON output found but output_schema requires structured output' }],
  });
  const answered = `${wrapped}\n{"a": 1}`;
  expect(judge(answered, answered)).toEqual({ ok: true, value: { a: 1 } });
});

it('what the program printed once more is its own', () => {
  const twice = `${typed}\n${JSON.stringify(SCHEMA)}`;
  expect(judge(twice, twice)).toEqual({ ok: true, value: SCHEMA });
});

it('an envelope of the prompt is none of the program', () => {
  const envelope = '<output>\n{"status": "success", "summary": "x"}\n---\nx\n</output>';
  expect(judgeEnvelope(envelope, { typed: envelope, printed: envelope })).toMatchObject({ ok: false });
});
