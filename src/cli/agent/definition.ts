/**
 * Reads a blueprint definition from the command line: from a JSON file and from options. Options override the file.
 *
 * This file only checks that the text is JSON. The daemon validates the definition and reports all errors.
 */
import { readJson } from '../../ears/index.js';
import { OrchdError, type SchemaError } from '../../protocol/index.js';
import { limitsOf } from '../input/limits.js';
import { readText } from '../input/read-input.js';
import { flag, list, type Options, text } from '../program/command.js';

export type Fields = Record<string, unknown>;
type Reading =
  | { readonly ok: true; readonly fields: Fields }
  | { readonly ok: false; readonly errors: readonly SchemaError[] };

/** Fields whose option takes a text, with the option's name. */
const TEXTS = [
  ['description', 'description'],
  ['adapter', 'adapter'],
  ['model', 'model'],
  ['prompt', 'prompt'],
  ['output_format', 'outputFormat'],
] as const;
/** Fields whose option may be repeated, with the option's name. */
const LISTS = [
  ['args', 'arg'],
  ['tools', 'tool'],
] as const;
/** Fields whose option takes the path of a JSON file, with the option's name. */
const SCHEMAS = [
  ['input_schema', 'inputSchema'],
  ['output_schema', 'outputSchema'],
] as const;

/** @throws {OrchdError} ORCHD_FILE */
export async function readDefinition(file: string): Promise<Reading> {
  return parseDefinition(await readText(file));
}

export function parseDefinition(json: string): Reading {
  const reading = readJson(json);
  if (!reading.ok) return { ok: false, errors: [{ ...reading.error, message: `not JSON: ${reading.error.message}` }] };
  const { value } = reading;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, fields: { ...value } };
  return { ok: false, errors: [{ path: '$', message: 'a blueprint is a JSON object' }] };
}

/**
 * Returns the fields set by options. A field whose option is '' is undefined: the option removes it.
 * @throws {OrchdError} ORCHD_FILE, ORCHD_INVALID, ORCHD_USAGE
 */
export async function readChanges(options: Options): Promise<Fields> {
  const changes: Fields = {};
  for (const [field, option] of TEXTS) {
    const value = text(options, option);
    if (value !== undefined) changes[field] = value === '' ? undefined : value;
  }
  const instructions = text(options, 'instructions');
  if (instructions === '') changes['instructions'] = undefined;
  else if (instructions !== undefined) {
    changes['instructions'] = (await readText(instructions)).replace(/\r?\n$/, '');
  }
  for (const [field, option] of SCHEMAS) {
    const file = text(options, option);
    if (file === '') changes[field] = undefined;
    else if (file !== undefined) changes[field] = await readSchema(field, file);
  }
  for (const [field, option] of LISTS) {
    const values = list(options, option);
    if (values.length > 0) changes[field] = values.join('') === '' ? undefined : [...values];
  }
  if (flag(options, 'interactive')) changes['interactive'] = true;
  const limits = limitsOf(options);
  if (Object.keys(limits).length > 0) changes['limits'] = limits;
  return changes;
}

/**
 * Reads the file named by `--from`. Returns null without that option.
 * @throws {OrchdError} ORCHD_FILE, ORCHD_INVALID
 */
export async function readFrom(options: Options): Promise<Fields | null> {
  const file = text(options, 'from');
  if (file === undefined) return null;
  const reading = await readDefinition(file);
  if (reading.ok) return reading.fields;
  throw new OrchdError('ORCHD_INVALID', reading.errors.map(({ message }) => `${file}: ${message}`).join('; '), {
    errors: reading.errors,
  });
}

async function readSchema(field: string, file: string): Promise<unknown> {
  const reading = readJson(await readText(file));
  if (reading.ok) return reading.value;
  const error = { path: `$.${field}`, message: `${file} is not JSON: ${reading.error.message}` };
  throw new OrchdError('ORCHD_INVALID', error.message, { errors: [error] });
}
