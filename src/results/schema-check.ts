/**
 * Reads and checks JSON Schemas of other people, and reports values that do not match.
 *
 * In:   a schema (2020-12, or draft 7 if its `$schema` says so) and values.
 * Out:  errors with paths, in the wording of Python's jsonschema. No schema is loaded from outside: `$ref` stays within
 *       the schema.
 * `format` is only an annotation, which is the default of both drafts and of Python's jsonschema. A regular expression
 * may run forever, so the caller must have a time limit (checker-worker.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorMessage, explainFindings, isRecord, type SchemaError, toJsonPath } from '../protocol/index.js';
import { tellFindings } from './findings.js';

export type CompiledSchema =
  | {
      readonly ok: true;
      readonly check: (value: unknown) => SchemaError[];
      /** True if a value is the schema itself, and the schema is not empty. */
      readonly isSchema: (value: unknown) => boolean;
    }
  | { readonly ok: false; readonly errors: readonly SchemaError[] };

type Dialect = typeof Ajv | typeof Ajv2020;

const OPTIONS = {
  allErrors: true,
  strict: false,
  validateSchema: false, // checked separately
  logger: false,
  // Inherited properties of objects do not count.
  ownProperties: true,
} as const;
const ID = 'schema';
/** One value of each type. */
const SMALL_VALUES: readonly unknown[] = [null, true, 0, '', [], {}];
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** @returns A function that checks values, or the errors of the schema with their paths. */
export function compileSchema(schema: unknown): CompiledSchema {
  const { Dialect, errors } = readSchema(schema);
  if (!Dialect) return { ok: false, errors };
  try {
    // The cast is safe: `readSchema` has validated the schema against its meta-schema.
    const ajv = new Dialect({ ...OPTIONS, validateFormats: false }).addSchema(schema as AnySchema, ID);
    const validate = ajv.getSchema(ID);
    if (!validate) throw new Error('it was added above');
    const check = (value: unknown): SchemaError[] =>
      validate(value) ? [] : tellFindings(ajv, ID, validate.errors ?? [], value);
    // A schema that refers to itself endlessly overflows the stack with any value.
    for (const value of SMALL_VALUES) validate(value);
    const isSchema = (value: unknown): boolean => isDeepStrictEqual(value, schema) && !isDeepStrictEqual(value, {});
    return { ok: true, check, isSchema };
  } catch (error) {
    return { ok: false, errors: [whatIsWrong(error, schema)] };
  }
}

/** @returns The errors of the schema, as in `compileSchema`. */
export function checkSchema(schema: unknown): readonly SchemaError[] {
  const { Dialect, errors } = readSchema(schema);
  if (!Dialect) return errors;
  const compiled = compileSchema(schema);
  return compiled.ok ? [] : compiled.errors;
}

/** Checks a schema against the meta-schema of its dialect. */
function readSchema(schema: unknown): { Dialect: Dialect | null; errors: readonly SchemaError[] } {
  const refused = (path: string, message: string) => ({ Dialect: null, errors: [{ path, message }] });
  if (typeof schema !== 'boolean' && !isRecord(schema))
    return refused('$', 'a JSON Schema is an object, or true or false');
  const name = isRecord(schema) ? schema['$schema'] : undefined;
  const Dialect = dialectOf(name);
  if (!Dialect) return refused('$.$schema', `${JSON.stringify(name)} is not a supported draft: 2020-12 and 7 are`);
  const meta = metaOf(Dialect);
  if (meta.validateSchema(schema)) return { Dialect, errors: [] };
  // Keeps the reason of each branch of an `anyOf`, instead of the `anyOf` itself.
  const findings = (meta.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  return { Dialect: null, errors: explainFindings(findings, schema) };
}

/**
 * One ajv instance per dialect. Compiling the meta-schema takes longer than everything else, and the instance keeps
 * nothing of what it validates.
 */
const metas = new Map<Dialect, Ajv>();

function metaOf(Dialect: Dialect): Ajv {
  const known = metas.get(Dialect);
  if (known) return known;
  const meta = new Dialect({ ...OPTIONS, validateFormats: false });
  metas.set(Dialect, meta);
  return meta;
}

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
  const message = errorMessage(error);
  const { missingRef } = error as { missingRef?: unknown }; // the field of ajv's MissingRefError
  if (typeof missingRef === 'string') {
    // ajv returns the complete reference, with the id of the schema.
    const isIt = (name: string, value: unknown) =>
      name === '$ref' && typeof value === 'string' && missingRef.endsWith(value);
    const path = placeOf(schema, isIt) ?? '$';
    return { path, message: 'this leads nowhere, and nothing is loaded from elsewhere' };
  }
  const isIt = (name: string, value: unknown) =>
    name === 'pattern'
      ? typeof value === 'string' && !isPattern(value)
      : name === 'patternProperties' && isRecord(value) && !Object.keys(value).every(isPattern);
  return { path: (/regular expression/.test(message) ? placeOf(schema, isIt) : null) ?? '$', message };
}

/** Returns the path of the first matching keyword in a schema. */
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
