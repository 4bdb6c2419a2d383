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

it('ignores a copy of the schema that the program printed itself, and accepts a part of it', () => {
  const copy = (schema: object) => `${typed}\nI have to follow ${JSON.stringify(schema)}`;
  expect(verdictOf(copy(SCHEMA), copy(SCHEMA))).toMatchObject({ ok: false });
  const { properties } = SCHEMA;
  expect(verdictOf(copy(properties), copy(properties))).toMatchObject({ ok: false });
  expect(verdictOf(copy({ type: 'object' }), copy({ type: 'object' }))).toMatchObject({ ok: true });
});

const QUOTED = [
  'Count the files in the folder.',
  'For example, {"a": 1} would be right:',
  '```json\n{"a": 7}\n```',
  'Stop at the end.',
].join('\n\n');
const quotes = (text: string) => {
  const compiled = compileSchema(SCHEMA);
  if (!compiled.ok) throw new Error('no schema');
  return checkText(text, compiled, { typed: `${schemaInstructions(SCHEMA)}\n\n${QUOTED}`, printed: null });
};

it.each([
  ['as it was', `You said:\n${QUOTED}`],
  ['wrapped', `You said:\n${QUOTED.replaceAll(/ (?=\w)/g, '\n  ')}`],
  ['after a sign', `${QUOTED}\n`.replaceAll(/^/gm, '> ')],
  ['in a box', QUOTED.replaceAll(/^.*$/gm, (row) => `│ ${row.padEnd(50)} │`)],
  [
    'with the number of each row',
    QUOTED.split('\n')
      .map((row, at) => `${at}\t${row}`)
      .join('\n'),
  ],
  ['with a time before each row', QUOTED.replaceAll(/^/gm, '[10:00:00] in: ')],
  ['in colours', QUOTED.replaceAll(/^.+$/gm, '\x1b[36m$&\x1b[0m')],
  ['with its schema', `You said:\n${schemaInstructions(SCHEMA)}\n\n${QUOTED}`],
])('ignores a prompt that the program quotes %s', (_how, text) => {
  expect(quotes(text)).toMatchObject({ ok: false });
  expect(quotes(`${text}\n\nMy answer:\n{"a": 42}`)).toEqual({ ok: true, value: { a: 42 } });
});

it.each(['{"a": 7}', '```json\n{"a": 7}\n```', 'The answer is {"a": 1}.', 'As you said:\n\n```json\n{"a": 7}\n```\n'])(
  'accepts an answer that equals an example of the prompt %#',
  (text) => expect(quotes(text)).toMatchObject({ ok: true }),
);

it('ignores an envelope that the prompt contains', () => {
  const envelope = '<output>\n{"status": "success", "summary": "x"}\n---\nx\n</output>';
  expect(checkEnvelope(envelope, { typed: envelope, printed: envelope })).toMatchObject({ ok: false });
});
