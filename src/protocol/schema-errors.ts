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

/** Keywords whose error only repeats that another keyword, reported separately, failed. */
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

/** Converts one finding. */
export function explain(finding: AjvFinding, root: unknown): SchemaError {
  const path = toJsonPath(finding.instancePath);
  const params = finding.params;
  const { propertyName } = finding;
  const found = propertyName === undefined ? lookUp(root, finding.instancePath) : propertyName;
  // The value is formatted only if the message contains it: formatting a large value for each finding would be slow.
  const text = (): string => quote(found);
  switch (finding.keyword) {
    case 'required': {
      const name = String(params['missingProperty']);
      return { path: path + step(name), message: `${quote(name)} is a required property` };
    }
    case 'type': {
      const type = params['type'];
      const names = (Array.isArray(type) ? type : [type]).map((name) => quote(name)).join(', ');
      return { path, message: `${text()} is not of type ${names}` };
    }
    case 'enum':
      return { path, message: `${text()} is not one of ${quote(params['allowedValues'])}` };
    case 'const':
      return { path, message: `${quote(params['allowedValue'])} was expected` };
    case 'minimum':
      return { path, message: `${text()} is less than the minimum of ${params['limit']}` };
    case 'maximum':
      return { path, message: `${text()} is greater than the maximum of ${params['limit']}` };
    case 'pattern': {
      const words = PATTERN_WORDS[String(params['pattern'])] ?? `does not match ${quote(params['pattern'])}`;
      return { path, message: `${text()} ${words}` };
    }
    case 'exclusiveMinimum':
      return { path, message: `${text()} is less than or equal to the minimum of ${params['limit']}` };
    case 'exclusiveMaximum':
      return { path, message: `${text()} is greater than or equal to the maximum of ${params['limit']}` };
    case 'multipleOf':
      return { path, message: `${text()} is not a multiple of ${params['multipleOf']}` };
    case 'minItems':
    case 'minLength':
      return { path, message: params['limit'] === 1 ? `${text()} should be non-empty` : `${text()} is too short` };
    case 'minProperties':
      return {
        path,
        message: params['limit'] === 1 ? `${text()} should be non-empty` : `${text()} does not have enough properties`,
      };
    case 'maxItems':
    case 'maxLength':
      return { path, message: params['limit'] === 0 ? `${text()} is expected to be empty` : `${text()} is too long` };
    case 'maxProperties':
      return {
        path,
        message: params['limit'] === 0 ? `${text()} is expected to be empty` : `${text()} has too many properties`,
      };
    case 'uniqueItems':
      return { path, message: `${text()} has non-unique elements` };
    case 'contains':
      return { path, message: containsWords(params, text()) };
    case 'dependencies':
    case 'dependentRequired':
      return {
        path,
        message: `${quote(params['missingProperty'])} is a dependency of ${quote(params['property'])}`,
      };
    case 'additionalProperties':
      return { path, message: `Additional properties are not allowed (${unexpected([params['additionalProperty']])})` };
    case 'unevaluatedProperties':
      return {
        path,
        message: `Unevaluated properties are not allowed (${unexpected([params['unevaluatedProperty']])})`,
      };
    case 'additionalItems':
      return { path, message: `Additional items are not allowed (${unexpected(itemsFrom(found, params['limit']))})` };
    case 'unevaluatedItems':
      return { path, message: `Unevaluated items are not allowed (${unexpected(itemsFrom(found, params['limit']))})` };
    case 'items':
      return { path, message: tooManyItems(itemsFrom(found, params['limit']), Number(params['limit'])) };
    case 'false schema':
      return { path, message: `False schema does not allow ${text()}` };
    case 'anyOf':
    case 'oneOf':
      return { path, message: `${text()} is not valid under any of the given schemas` };
    default:
      return { path, message: `${text()} ${finding.message ?? `fails '${finding.keyword}'`}` };
  }
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
