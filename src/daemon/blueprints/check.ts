/**
 * Whether a definition can be used: its fields, its adapter, and its schemas, which are judged in a thread with a time limit.
 *
 * In:   a definition, as a client or a file has it.
 * Out:  all errors, each with its place from the definition's root (`$.output_schema.properties.a.type`).
 */
import { definitionErrors, SCHEMA_FIELDS, type SchemaError } from '../../protocol/index.js';
import type { Judge } from '../../results/index.js';

/** Says why there is no such adapter; null if there is one. */
export type AdapterProblem = (name: string) => Promise<string | null>;

export async function checkDefinition(
  definition: Readonly<Record<string, unknown>>,
  judge: Pick<Judge, 'checkSchema'>,
  adapterProblem: AdapterProblem,
): Promise<SchemaError[]> {
  const errors = definitionErrors(definition);
  const { adapter } = definition;
  const problem = typeof adapter === 'string' ? await adapterProblem(adapter) : null;
  if (problem !== null) errors.push({ path: '$.adapter', message: problem });
  for (const field of SCHEMA_FIELDS) {
    const schema = definition[field];
    // What is too deep for us is too deep for the thread.
    if (schema === undefined || errors.some(({ path }) => path === `$.${field}`)) continue;
    const wrong = await judge.checkSchema(schema);
    errors.push(...wrong.map(({ path, message }) => ({ path: `$.${field}${path.slice(1)}`, message })));
  }
  return errors;
}
