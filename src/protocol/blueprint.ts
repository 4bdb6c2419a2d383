/**
 * The parts of blueprints that all components share: the fields of a definition, and how to extract the definition.
 * Pure.
 *
 * In:   a definition from a client or a file.
 * Out:  all errors, with their paths, that can be found without a JSON Schema validator and without the adapters.
 */
import type { Blueprint, BlueprintDefinition, SchemaError } from './generated/types.js';
import { validateDefinition } from './validate.js';

/** The fields in the order in which they are written into a file. */
export const DEFINITION_FIELDS = [
  'name',
  'description',
  'type',
  'adapter',
  'model',
  'args',
  'env',
  'tools',
  'interactive',
  'instructions',
  'prompt',
  'input_schema',
  'output_schema',
  'output_format',
  'limits',
] as readonly (keyof BlueprintDefinition)[];

/** The fields that contain a JSON Schema. */
export const SCHEMA_FIELDS = ['input_schema', 'output_schema'] as const;

/** Deeper schemas would overflow the stack of recursive functions. */
const MAX_SCHEMA_DEPTH = 100;
/** Maximum number of reported errors. */
const MAX_ERRORS = 100;

/**
 * True for a valid name of a blueprint: at most 64 letters, digits, `.`, `_` and `-`, beginning with a letter or digit.
 */
export const isBlueprintName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);

/**
 * @returns All errors, at most MAX_ERRORS; [] for a definition that is valid except for its schemas and its adapter,
 *   which are not checked here.
 */
export function definitionErrors(definition: unknown): SchemaError[] {
  const errors = validateDefinition(definition).slice(0, MAX_ERRORS);
  if (typeof definition !== 'object' || definition === null) return errors;
  // The fields are checked one by one.
  const { output_format, output_schema } = definition as Readonly<Record<string, unknown>>;
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

/** Returns the definition of a blueprint without the fields that describe its source. */
export function definitionOf(blueprint: Blueprint | BlueprintDefinition): BlueprintDefinition {
  const fields = DEFINITION_FIELDS.flatMap((field) =>
    blueprint[field] === undefined ? [] : [[field, blueprint[field]]],
  );
  return Object.fromEntries(fields) as BlueprintDefinition; // the definition's own fields, unchanged
}
