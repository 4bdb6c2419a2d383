/**
 * Recognizes simple schemas that are certainly valid, as most are. The others are checked in a thread
 * (result-checker.ts), against their meta-schema and by compiling them.
 *
 * In:   a schema whose depth was checked.
 * Out:  true if it is certainly valid in every supported dialect. Pure; no regular expression of the schema is run.
 */
import { isRecord } from '../protocol/index.js';

type Fits = (value: unknown) => boolean;

const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const DIALECTS: ReadonlySet<unknown> = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
]);

const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => typeof value === 'number';
const isCount: Fits = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Fits = () => true;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
/** Matches values that can be compared with `===`. */
const isSimple: Fits = (value) => typeof value !== 'object' || value === null;
const areDifferent = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** Checks for the values of keywords. A schema with any other keyword is not plain. */
const KEYWORDS: Readonly<Record<string, Fits>> = {
  $schema: (value) => DIALECTS.has(value),
  type: (value) =>
    TYPES.has(value) ||
    (isList(value) && value.length > 0 && value.every((one) => TYPES.has(one)) && areDifferent(value)),
  title: isText,
  description: isText,
  default: isAnything,
  const: isAnything,
  examples: isList,
  enum: (value) => isList(value) && value.length > 0 && value.every(isSimple) && areDifferent(value),
  required: (value) => isList(value) && value.every(isText) && areDifferent(value),
  uniqueItems: (value) => typeof value === 'boolean',
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  properties: (value) => isRecord(value) && Object.values(value).every(isPlainlyGood),
  items: isPlainlyGood,
  additionalProperties: isPlainlyGood,
};

export function isPlainlyGood(schema: unknown): boolean {
  if (!isRecord(schema)) return typeof schema === 'boolean';
  return Object.entries(schema).every(([name, value]) => Object.hasOwn(KEYWORDS, name) && KEYWORDS[name]?.(value));
}
