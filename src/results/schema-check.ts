/**
 * JSON Schemas of other people: read, checked, and what does not fit them in words.
 *
 * In:   a schema (2020-12, or draft 7 by its `$schema`) and values.
 * Out:  errors with places, in the wording of Python's jsonschema. Nothing is loaded from anywhere: `$ref` stays within
 *       the schema.
 * `format` is an annotation, as both drafts and Python's jsonschema have it unless they are told otherwise. A pattern
 * may take for ever: who calls this has a time limit (judge-worker.ts).
 */
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { explainFindings, type SchemaError, toJsonPath } from '../protocol/index.js';
import { tellFindings } from './findings.js';

export type CompiledSchema =
  | { readonly ok: true; readonly check: (value: unknown) => SchemaError[] }
  | { readonly ok: false; readonly errors: readonly SchemaError[] };

type Dialect = typeof Ajv | typeof Ajv2020;

const OPTIONS = {
  allErrors: true,
  strict: false,
  validateSchema: false, // when we say so
  logger: false,
  // What every object inherits is not there.
  ownProperties: true,
} as const;
const ID = 'schema';
/** One of each type. */
const SMALL_VALUES: readonly unknown[] = [null, true, 0, '', [], {}];
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** @returns What checks values; or what is wrong with the schema, each error with its place in it. */
export function compileSchema(schema: unknown): CompiledSchema {
  const { Dialect, errors } = readSchema(schema);
  if (!Dialect) return { ok: false, errors };
  try {
    // its meta-schema says so
    const ajv = new Dialect({ ...OPTIONS, validateFormats: false }).addSchema(schema as AnySchema, ID);
    const validate = ajv.getSchema(ID);
    if (!validate) throw new Error('it was added above');
    const check = (value: unknown): SchemaError[] =>
      validate(value) ? [] : tellFindings(ajv, ID, validate.errors ?? [], value);
    // One that leads to itself without going into the value does so with any value.
    for (const value of SMALL_VALUES) validate(value);
    return { ok: true, check };
  } catch (error) {
    return { ok: false, errors: [whatIsWrong(error, schema)] };
  }
}

/** @returns What is wrong with it, as `compileSchema` says. */
export function checkSchema(schema: unknown): readonly SchemaError[] {
  const { Dialect, errors } = readSchema(schema);
  if (!Dialect) return errors;
  const compiled = compileSchema(schema);
  return compiled.ok ? [] : compiled.errors;
}

/** By the meta-schema of its dialect. */
function readSchema(schema: unknown): { Dialect: Dialect | null; errors: readonly SchemaError[] } {
  const refused = (path: string, message: string) => ({ Dialect: null, errors: [{ path, message }] });
  if (typeof schema !== 'boolean' && !isObject(schema))
    return refused('$', 'a JSON Schema is an object, or true or false');
  const name = isObject(schema) ? schema['$schema'] : undefined;
  const Dialect = dialectOf(name);
  if (!Dialect) return refused('$.$schema', `${JSON.stringify(name)} is no supported draft: 2020-12 and 7 are`);
  const meta = metaOf(Dialect);
  if (meta.validateSchema(schema)) return { Dialect, errors: [] };
  // Of what a keyword may be, each way says why it is not that.
  const findings = (meta.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  return { Dialect: null, errors: explainFindings(findings, schema) };
}

/** Each has compiled its meta-schema, which takes longer than all the rest; it keeps nothing of what it validates. */
const metas = new Map<Dialect, Ajv>();

function metaOf(Dialect: Dialect): Ajv {
  const known = metas.get(Dialect);
  if (known) return known;
  const meta = new Dialect({ ...OPTIONS, validateFormats: false });
  metas.set(Dialect, meta);
  return meta;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function dialectOf(dialect: unknown): Dialect | null {
  if (dialect === undefined) return Ajv2020;
  if (typeof dialect !== 'string') return null;
  if (DRAFT_2020.test(dialect)) return Ajv2020;
  return DRAFT_7.test(dialect) ? Ajv : null;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function whatIsWrong(error: unknown, schema: unknown): SchemaError {
  if (error instanceof RangeError) {
    return { path: '$', message: 'its $refs lead to themselves without end, or it is nested too deep' };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { missingRef } = error as { missingRef?: unknown }; // of ajv's MissingRefError
  if (typeof missingRef === 'string') {
    // ajv tells it whole, with the id of the schema before it.
    const isIt = (name: string, value: unknown) =>
      name === '$ref' && typeof value === 'string' && missingRef.endsWith(value);
    const path = placeOf(schema, isIt) ?? '$';
    return { path, message: 'this leads nowhere, and nothing is loaded from elsewhere' };
  }
  const isIt = (name: string, value: unknown) =>
    name === 'pattern'
      ? typeof value === 'string' && !isPattern(value)
      : name === 'patternProperties' && isObject(value) && !Object.keys(value).every(isPattern);
  return { path: (/regular expression/.test(message) ? placeOf(schema, isIt) : null) ?? '$', message };
}

/** Where in a schema the first keyword stands that fits. */
function placeOf(schema: unknown, fits: (name: string, value: unknown) => boolean, pointer = ''): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [name, value] of Object.entries(schema)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (fits(name, value)) return toJsonPath(at);
    const found = placeOf(value, fits, at);
    if (found !== null) return found;
  }
  return null;
}
