/**
 * Converts ajv's errors to the errors that Python's jsonschema would report.
 *
 * For a failed `anyOf`, `oneOf` or `contains`, ajv also reports the errors of each branch, and it reports unexpected
 * properties one by one. Python reports one sentence for each failed keyword.
 */
import type { Ajv, ErrorObject } from 'ajv';
import { explain, lookUp, quote, type SchemaError, unexpected } from '../protocol/index.js';

/** Maximum number of errors. The number of further ones is reported. */
const MAX_ERRORS = 1_000;

/** @param ajv  The instance that has compiled the schema with this id. */
export function tellFindings(ajv: Ajv, id: string, findings: readonly ErrorObject[], root: unknown): SchemaError[] {
  const errors: SchemaError[] = [];
  const seen = new Set<string>();
  const all = grouped(withoutBranches(ajv, id, findings, root));
  for (const [index, finding] of all.entries()) {
    if (errors.length === MAX_ERRORS) {
      errors.push({ path: '$', message: `and ${all.length - index} more errors` });
      break;
    }
    const error = finding.names ? grouping(ajv, id, finding, root) : explainAny(ajv, id, finding, root);
    const key = `${error.path}\n${error.message}`;
    if (!seen.has(key)) errors.push(error);
    seen.add(key);
  }
  return errors;
}

/** Keywords whose error only repeats that another keyword, reported separately, failed. */
const WRAPPERS = new Set(['if', 'allOf', 'propertyNames']);
const BRANCHING = new Set(['anyOf', 'oneOf', 'contains']);

/**
 * Removes the errors of the branches of a failed `anyOf`. ajv reports them before it. To count them, each branch is
 * validated again, because a branch with a `$ref` reports the path of its target.
 */
function withoutBranches(ajv: Ajv, id: string, findings: readonly ErrorObject[], root: unknown): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (let at = findings.length - 1; at >= 0; at--) {
    const finding = findings[at];
    if (!finding) continue;
    if (BRANCHING.has(finding.keyword)) {
      const count = countOfBranches(ajv, id, finding, lookUp(root, finding.instancePath));
      at = count === null ? beforeSame(findings, at) : at - count;
    }
    if (!WRAPPERS.has(finding.keyword)) kept.push(finding);
  }
  return kept.reverse();
}

/**
 * For a schema that cannot be looked up (the parts of the meta-schema), the preceding errors with the same path count
 * as errors of branches.
 */
function beforeSame(findings: readonly ErrorObject[], at: number): number {
  const place = findings[at]?.instancePath ?? '';
  while (at > 0 && findings[at - 1]?.instancePath.startsWith(place)) at--;
  return at;
}

function countOfBranches(ajv: Ajv, id: string, finding: ErrorObject, value: unknown): number | null {
  const { keyword, schemaPath, params } = finding;
  const count = (place: string, part: unknown): number => {
    const validate = ajv.getSchema(whole(id, place));
    return !validate || validate(part) ? 0 : (validate.errors?.length ?? 0);
  };
  if (keyword === 'contains') {
    if (!Array.isArray(value) || params['maxContains'] !== undefined) return 0;
    return value.reduce((sum: number, item) => sum + count(schemaPath, item), 0);
  }
  const branches = schemaAt(ajv, id, schemaPath);
  if (!Array.isArray(branches)) return null;
  // After a second matching branch, `oneOf` stops.
  const passing: unknown = params['passingSchemas'];
  const looked = Array.isArray(passing) ? Number(passing[1]) + 1 : branches.length;
  return branches.slice(0, looked).reduce((sum, _branch, i) => sum + count(`${schemaPath}/${i}`, value), 0);
}

type Grouped = ErrorObject & { names?: unknown[] };

/** Merges the errors for all properties that one keyword does not allow. */
function grouped(findings: readonly ErrorObject[]): Grouped[] {
  const groups: Grouped[] = [];
  const named = new Map<string, unknown[]>();
  for (const finding of findings) {
    const name: unknown = finding.params['additionalProperty'] ?? finding.params['unevaluatedProperty'];
    if (name === undefined) {
      groups.push(finding);
      continue;
    }
    const place = `${finding.schemaPath}\n${finding.instancePath}`;
    const names = named.get(place) ?? [];
    if (names.length === 0) groups.push({ ...finding, names });
    names.push(name);
    named.set(place, names);
  }
  return groups;
}

function grouping(ajv: Ajv, id: string, { names = [], ...finding }: Grouped, root: unknown): SchemaError {
  const { path } = explain(finding, root);
  const patterns = schemaAt(ajv, id, finding.schemaPath.replace(/additionalProperties$/, 'patternProperties'));
  if (typeof patterns === 'object' && patterns !== null) {
    const verb = names.length === 1 ? 'does' : 'do';
    const regexes = Object.keys(patterns).sort().map(quote).join(', ');
    return { path, message: `${names.map(quote).sort().join(', ')} ${verb} not match any of the regexes: ${regexes}` };
  }
  const what = finding.keyword === 'additionalProperties' ? 'Additional' : 'Unevaluated';
  return { path, message: `${what} properties are not allowed (${unexpected(names)})` };
}

function explainAny(ajv: Ajv, id: string, finding: ErrorObject, root: unknown): SchemaError {
  const error = explain(finding, root);
  const value = quote(lookUp(root, finding.instancePath));
  if (finding.keyword === 'not') {
    return { ...error, message: `${value} should not be valid under ${quote(schemaAt(ajv, id, finding.schemaPath))}` };
  }
  const passing: unknown = finding.params['passingSchemas'];
  if (finding.keyword !== 'oneOf' || !Array.isArray(passing)) return error;
  const branches = schemaAt(ajv, id, finding.schemaPath);
  const all = Array.isArray(branches) ? branches : [];
  const validate = (i: number): boolean =>
    ajv.getSchema(whole(id, `${finding.schemaPath}/${i}`))?.(lookUp(root, finding.instancePath)) === true;
  const [first, ...more] = all.map((_branch, i) => i).filter(validate);
  const names = [...more, first ?? 0].map((i) => quote(all[i])).join(', ');
  return { ...error, message: `${value} is valid under each of ${names}` };
}

/**
 * Completes a path in the schema (`#/properties/a`) with the schema's id. A path in another schema already contains its
 * id.
 */
const whole = (id: string, place: string): string => (place.startsWith('#') ? `${id}${place}` : place);

function schemaAt(ajv: Ajv, id: string, place: string): unknown {
  const [base = '', pointer = ''] = whole(id, place).split('#');
  return lookUp(ajv.getSchema(base)?.schema, decodeURIComponent(pointer));
}
