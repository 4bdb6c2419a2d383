/**
 * Validates the values of a workflow's INPUTs. Pure.
 *
 * In:   the workflow, and an object of values by the names of the INPUTs; undefined if none are given.
 * Out:  the values, including defaults, and every problem. A workflow must not start if there is a problem. A value
 *       that is not text is converted to compact JSON: `{"depth": 3, "paths": ["a"]}` gives `3` and `["a"]`.
 */

import { type SchemaError, suggest } from '../protocol/index.js';
import { textOf } from './interpolate.js';

import { quoted } from './syntax/index.js';
import type { Workflow } from './workflow.js';

interface Inputs {
  /** The values, in the order of the file. */
  readonly values: ReadonlyMap<string, string>;
  /** The problems, with the fields of the `errors` of ORCHD_INVALID. */
  readonly problems: readonly SchemaError[];
}

const PATH = '$.input';
/** Maximum number of unknown names to report, because searching for similar names is slow. */
const MAX_UNKNOWN = 20;

/** Returns the values of the INPUTs and all problems. */
export function takeInputs({ inputs }: Pick<Workflow, 'inputs'>, given: unknown): Inputs {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    const what = given === null ? 'null' : Array.isArray(given) ? 'a list' : `a ${typeof given}`;
    const message = `the input is an object with a value for each INPUT, found ${what}`;
    return { values: new Map(), problems: [{ path: PATH, message }] };
  }
  const left = new Map<string, unknown>(Object.entries(given ?? {}));
  const values = new Map<string, string>();
  const problems: SchemaError[] = [];
  for (const { name, default: otherwise } of inputs) {
    const path = `${PATH}.${name}`;
    const value = left.has(name) ? left.get(name) : otherwise;
    if (value === null && left.has(name)) problems.push({ path, message: `INPUT ${name} is text, found null` });
    else if (value === null) problems.push({ path, message: `INPUT ${name} must be given: it has no DEFAULT` });
    else values.set(name, textOf(value));
    left.delete(name);
  }
  const names = inputs.map(({ name }) => name);
  const unknown = [...left.keys()];
  for (const name of unknown.slice(0, MAX_UNKNOWN)) {
    const accepted = suggest(name, names, 'none at all');
    problems.push({ path: PATH, message: `there is no INPUT ${quoted(name)}; accepted: ${accepted}` });
  }
  const more = unknown.length - MAX_UNKNOWN;
  if (more > 0) problems.push({ path: PATH, message: `and ${more} more names are no INPUT` });
  return { values, problems };
}
