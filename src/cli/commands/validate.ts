import { EXIT } from '../../protocol/errors.js';
import { isMessageType, MESSAGES, type SchemaError, validateMessage } from '../../protocol/index.js';
import { readText } from '../input/read-input.js';
import type { CommandSpec } from '../program/command.js';

export const validate: CommandSpec = {
  name: 'validate',
  group: 'Messages',
  summary: 'Check one message (its JSON) against the protocol; exit code 6 if it is invalid.',
  args: '<file>',
  examples: [
    'orchd validate message.json',
    'echo \'{"type":"QUESTION","data":{"question":"Which?"}}\' | orchd validate -',
  ],
  async run(context, [file = '-']) {
    const errors = await check(await readText(file));
    await context.print({ valid: errors.length === 0, errors }, () =>
      errors.length === 0 ? 'valid\n' : errors.map(({ path, message }) => `${path}: ${message}\n`).join(''),
    );
    return errors.length === 0 ? undefined : EXIT.schema;
  },
};

async function check(text: string): Promise<SchemaError[]> {
  const { readJson } = await import('../../ears/json.js');
  const reading = readJson(text);
  if (!reading.ok) return [{ path: '$', message: `not JSON: ${reading.error.message}` }];
  const { value } = reading;
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (isMessageType(type)) return validateMessage(type, value);
  const known = Object.keys(MESSAGES)
    .map((name) => `'${name}'`)
    .join(', ');
  return [
    {
      path: '$.type',
      message: type === undefined ? "'type' is a required property" : `'${String(type)}' is not one of [${known}]`,
    },
  ];
}
