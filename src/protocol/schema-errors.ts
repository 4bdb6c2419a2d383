/**
 * Converts ajv's errors to `{path, message}`, with JSONPath paths and the wording of Python's jsonschema. Agents were
 * trained on that wording and know what to repair: `$.data.question`, `'question' is a required property`.
 */
import type { SchemaError } from './generated/types.js';

/** The fields of ajv's errors that are used here. */
export interface AjvFinding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
  /** Set if the error concerns the name of a property. */
  readonly propertyName?: string;
}

/** Keywords whose error only says that another keyword has failed. That keyword has an error of its own. */
const WRAPPERS = new Set(['if', 'allOf', 'oneOf']);
const MAX_QUOTED_CHARS = 200;
/** Maximum number of errors per value. More would help no reader, and each takes time. */
const MAX_ERRORS = 1_000;

/**
 * @param findings The errors of one validation with `allErrors`.
 * @param root The validated value.
 * @returns Errors in the order of the findings, each path and message once; at most MAX_ERRORS.
 */
export function explainFindings(findings: readonly AjvFinding[], root: unknown): SchemaError[] {
  const branches = findings.filter((finding) => finding.keyword === 'anyOf').map((finding) => finding.instancePath);
  const errors: SchemaError[] = [];
  const seen = new Set<string>();
  for (const finding of findings) {
    if (WRAPPERS.has(finding.keyword)) continue;
    if (finding.keyword === 'required' && branches.includes(finding.instancePath) && isBranch(finding)) continue;
    const error = explain(finding, root);
    const key = `${error.path}\n${error.message}`;
    if (!seen.has(key)) errors.push(error);
    seen.add(key);
    if (errors.length >= MAX_ERRORS) break;
  }
  return errors;
}

/** True if a finding belongs to one branch of an `anyOf`. Such a finding alone is not the error. */
function isBranch(finding: AjvFinding): boolean {
  return String((finding as { schemaPath?: string }).schemaPath).includes('/anyOf/');
}

/** The words for a text that does not match, by the pattern of the schema. People type these texts. */
const PATTERN_WORDS: Readonly<Record<string, string>> = {
  '\\S': 'should be non-empty',
  '^\\S+$': 'should be one word',
  '^(?!(?:ses|itm|run|tsk|wfl)_)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$':
    'cannot be a name: use 1 to 64 of a-z, A-Z, 0-9 and . _ -, beginning with a letter or digit, and not with ses_, ' +
    'itm_, run_, tsk_ or wfl_',
  '^[\\p{L}\\p{N}][\\p{L}\\p{N}._/-]{0,31}$':
    'cannot be a tag: use 1 to 32 letters, digits and . _ / -, beginning with a letter or digit',
};

type Words = (params: Record<string, unknown>, text: () => string, found: unknown) => string;

const tooShort: Words = ({ limit }, text) => `${text()} ${limit === 1 ? 'should be non-empty' : 'is too short'}`;
const tooLong: Words = ({ limit }, text) => `${text()} ${limit === 0 ? 'is expected to be empty' : 'is too long'}`;
const dependent: Words = ({ property, missingProperty }) =>
  `${quote(missingProperty)} is a dependency of ${quote(property)}`;
const unmatched: Words = (_, text) => `${text()} is not valid under any of the given schemas`;

/** The message of each keyword. `text` formats the value, which takes long for a large one. */
const WORDS: Readonly<Record<string, Words>> = {
  required: ({ missingProperty }) => `${quote(missingProperty)} is a required property`,
  type: ({ type }, text) => `${text()} is not of type ${[type].flat().map(quote).join(', ')}`,
  enum: ({ allowedValues }, text) => `${text()} is not one of ${quote(allowedValues)}`,
  const: ({ allowedValue }) => `${quote(allowedValue)} was expected`,
  minimum: ({ limit }, text) => `${text()} is less than the minimum of ${limit}`,
  maximum: ({ limit }, text) => `${text()} is greater than the maximum of ${limit}`,
  exclusiveMinimum: ({ limit }, text) => `${text()} is less than or equal to the minimum of ${limit}`,
  exclusiveMaximum: ({ limit }, text) => `${text()} is greater than or equal to the maximum of ${limit}`,
  multipleOf: ({ multipleOf }, text) => `${text()} is not a multiple of ${multipleOf}`,
  pattern: ({ pattern }, text) => `${text()} ${PATTERN_WORDS[String(pattern)] ?? `does not match ${quote(pattern)}`}`,
  minItems: tooShort,
  minLength: tooShort,
  minProperties: ({ limit }, text) =>
    `${text()} ${limit === 1 ? 'should be non-empty' : 'does not have enough properties'}`,
  maxItems: tooLong,
  maxLength: tooLong,
  maxProperties: ({ limit }, text) =>
    `${text()} ${limit === 0 ? 'is expected to be empty' : 'has too many properties'}`,
  uniqueItems: (_, text) => `${text()} has non-unique elements`,
  contains: (params, text) => containsWords(params, text()),
  dependencies: dependent,
  dependentRequired: dependent,
  additionalProperties: ({ additionalProperty }) =>
    `Additional properties are not allowed (${unexpected([additionalProperty])})`,
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `Unevaluated properties are not allowed (${unexpected([unevaluatedProperty])})`,
  additionalItems: ({ limit }, _, found) => `Additional items are not allowed (${unexpected(itemsFrom(found, limit))})`,
  unevaluatedItems: ({ limit }, _, found) =>
    `Unevaluated items are not allowed (${unexpected(itemsFrom(found, limit))})`,
  items: ({ limit }, _, found) => tooManyItems(itemsFrom(found, limit), Number(limit)),
  'false schema': (_, text) => `False schema does not allow ${text()}`,
  anyOf: unmatched,
  oneOf: unmatched,
};

/** Converts one finding. */
export function explain(
  { instancePath, propertyName, keyword, params, message }: AjvFinding,
  root: unknown,
): SchemaError {
  const found = propertyName ?? lookUp(root, instancePath);
  const text = (): string => quote(found);
  const words = WORDS[keyword]?.(params, text, found) ?? `${text()} ${message ?? `fails '${keyword}'`}`;
  const missing = keyword === 'required' ? step(String(params['missingProperty'])) : '';
  return { path: toJsonPath(instancePath) + missing, message: words };
}

/** Returns, for example, `'a', 'b' were unexpected`. */
export const unexpected = (values: readonly unknown[]): string =>
  `${values.map(quote).join(', ')} ${values.length === 1 ? 'was' : 'were'} unexpected`;

const itemsFrom = (value: unknown, limit: unknown): unknown[] =>
  Array.isArray(value) ? value.slice(Number(limit)) : [];

function tooManyItems(rest: readonly unknown[], limit: number): string {
  const extra = quote(rest.length === 1 ? rest[0] : rest);
  return `Expected at most ${limit} ${limit === 1 ? 'item' : 'items'} but found ${rest.length} extra: ${extra}`;
}

function containsWords({ minContains, maxContains }: Record<string, unknown>, value: string): string {
  if (maxContains !== undefined) return `Too many items match the given schema (expected at most ${maxContains})`;
  if (minContains === undefined || minContains === 1) {
    return `${value} does not contain items matching the given schema`;
  }
  return `Too few items match the given schema (expected at least ${minContains})`;
}

/** Converts `/data/options/0` to `$.data.options[0]`. */
export function toJsonPath(pointer: string): string {
  return `$${pointerSteps(pointer).map(step).join('')}`;
}

const pointerSteps = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function step(name: string): string {
  if (/^(0|[1-9]\d*)$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quote(name)}]`;
}

/** Returns the part of a value at a JSON pointer; undefined if there is none. */
export function lookUp(root: unknown, pointer: string): unknown {
  let value = root;
  for (const name of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Formats a value as Python does; long values are cut. */
export function quote(value: unknown): string {
  const text = pythonic(value, 4);
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
}

function pythonic(value: unknown, depth: number): string {
  if (typeof value === 'string') return pythonString(value.slice(0, MAX_QUOTED_CHARS + 1));
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  if (depth === 0) return '…';
  if (Array.isArray(value))
    return `[${value
      .slice(0, 50)
      .map((entry) => pythonic(entry, depth - 1))
      .join(', ')}]`;
  const entries = Object.entries(value).slice(0, 50);
  return `{${entries.map(([name, entry]) => `${pythonString(name)}: ${pythonic(entry, depth - 1)}`).join(', ')}}`;
}

function pythonString(text: string): string {
  const delimiter = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(delimiter, `\\${delimiter}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return delimiter + escaped + delimiter;
}
