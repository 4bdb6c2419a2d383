/**
 * Checks a definition: its fields, its adapter, and its schemas, which a thread checks with a time limit.
 *
 * In:   a definition from a client or a file.
 * Out:  all errors, with paths from the definition's root (`$.output_schema.properties.a.type`).
 */
import { definitionErrors, SCHEMA_FIELDS, type SchemaError } from '../../protocol/index.js';
import type { ResultChecker } from '../../results/index.js';

/** Returns the reason why an adapter cannot be used; null if it can. */
type AdapterProblem = (name: string) => Promise<string | null>;

export async function checkDefinition(
  definition: Readonly<Record<string, unknown>>,
  checker: Pick<ResultChecker, 'checkSchema'>,
  adapterProblem: AdapterProblem,
): Promise<SchemaError[]> {
  const errors = definitionErrors(definition);
  const { adapter } = definition;
  const problem = typeof adapter === 'string' ? await adapterProblem(adapter) : null;
  if (problem !== null) errors.push({ path: '$.adapter', message: problem });
  for (const field of SCHEMA_FIELDS) {
    const schema = definition[field];
    // A schema that is too deep has already been reported and would overflow the thread's stack.
    if (schema === undefined || errors.some(({ path }) => path === `$.${field}`)) continue;
    const wrong = await checker.checkSchema(schema);
    errors.push(...wrong.map(({ path, message }) => ({ path: `$.${field}${path.slice(1)}`, message })));
  }
  return errors;
}
