/**
 * Blueprints, as far as they are the same for everybody: what their definition may hold, and what of a shown one it is.
 * Pure.
 *
 * In:   a definition, as a client or a file has it.
 * Out:  all errors that can be told without a JSON Schema validator and without the adapters, each with its place.
 */
import type { Blueprint, BlueprintDefinition, SchemaError } from './generated/types.js';
import { validateDefinition } from './validate.js';

/** In the order in which they are written into a file. */
export const DEFINITION_FIELDS = [
  ...['name', 'description', 'type', 'adapter', 'model', 'args', 'env', 'tools', 'interactive'],
  ...['instructions', 'prompt'],
  ...['input_schema', 'output_schema', 'output_format', 'limits'],
] as readonly (keyof BlueprintDefinition)[];

/** The fields that hold a JSON Schema. */
export const SCHEMA_FIELDS = ['input_schema', 'output_schema'] as const;

/** Deeper ones end the stack of whoever walks through them. */
const MAX_SCHEMA_DEPTH = 100;
/** More tell nobody more. */
const MAX_ERRORS = 100;

export const isBlueprintName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);

/** @returns All errors (MAX_ERRORS at most); none for a definition whose schemas and adapter remain to be looked at. */
export function definitionErrors(definition: unknown): SchemaError[] {
  const errors = validateDefinition(definition).slice(0, MAX_ERRORS);
  if (typeof definition !== 'object' || definition === null) return errors;
  const { output_format, output_schema } = definition as Readonly<Record<string, unknown>>; // looked at one by one
  if (output_format === 'envelope' && output_schema !== undefined) {
    errors.push({ path: '$.output_format', message: "'envelope' has a schema of its own, and takes no output_schema" });
  }
  for (const field of SCHEMA_FIELDS) {
    if (isTooDeep((definition as Readonly<Record<string, unknown>>)[field])) {
      errors.push({ path: `$.${field}`, message: `it is nested deeper than ${MAX_SCHEMA_DEPTH}` });
    }
  }
  return errors;
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === MAX_SCHEMA_DEPTH || Object.values(value).some((one) => isTooDeep(one, depth + 1));
}

/** The definition of a blueprint that is shown with where it is. */
export function definitionOf(blueprint: Blueprint | BlueprintDefinition): BlueprintDefinition {
  const fields = DEFINITION_FIELDS.flatMap((field) =>
    blueprint[field] === undefined ? [] : [[field, blueprint[field]]],
  );
  return Object.fromEntries(fields) as BlueprintDefinition; // its own fields, as they were
}
