/**
 * The verdict on an agent's final text: its result, or why there is none. Pure. Its duration depends on the schema's
 * patterns.
 */
import type { SchemaError } from '../protocol/index.js';
import { candidatesIn } from './candidates.js';
import type { PossibleEcho } from './possible-echo.js';
import type { CompiledSchema } from './schema-check.js';

export type Verdict =
  | { readonly ok: true; readonly value: unknown }
  /** The documented errors, each with its path in the result. */
  | { readonly ok: false; readonly errors: readonly SchemaError[] };

const NO_JSON: SchemaError = {
  path: '$',
  message: 'No JSON output found but output_schema requires structured output',
};

/**
 * Returns the first valid candidate. If none is valid, the errors are those of the first one. The schema itself, which
 * agents show when they cannot answer, is no candidate.
 */
export function checkText(
  text: string,
  schema: Extract<CompiledSchema, { ok: true }>,
  echo: PossibleEcho | null = null,
): Verdict {
  let first: SchemaError[] | null = null;
  for (const reading of candidatesIn(text, echo)) {
    if (reading.ok && schema.isSchema(reading.value)) continue;
    const errors = reading.ok ? schema.check(reading.value) : [reading.error];
    if (reading.ok && errors.length === 0) return { ok: true, value: reading.value };
    first ??= errors;
  }
  return { ok: false, errors: first ?? [NO_JSON] };
}
