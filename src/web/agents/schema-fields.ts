/**
 * A JSON Schema as a form: its fields, and the empty value that they begin with. Pure.
 *
 * In:   a schema that the daemon has accepted, of whatever size.
 * Out:  fields for what a form can show. Everything else is a field for JSON.
 */

export interface SchemaField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'object' | 'list' | 'json';
  /** The type in words, for example `text`, `whole number`, `list of text`. */
  readonly type: string;
  readonly about: string;
  readonly isRequired: boolean;
  /** The values of a choice. */
  readonly choices: readonly unknown[];
  /** The fields of an object. */
  readonly fields: readonly SchemaField[];
  /** The schema of a list's entries; null for anything else. */
  readonly entry: SchemaField | null;
}

type Schema = Readonly<Record<string, unknown>>;

/** Deeper parts of a schema become fields for JSON. So do parts that refer to themselves. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 100;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the form of a schema: one field, which is an object as a rule. */
export const formOf = (schema: unknown): SchemaField => fieldOf('', schema, schema, false, 0);

function fieldOf(name: string, given: unknown, root: unknown, isRequired: boolean, depth: number): SchemaField {
  const schema = resolved(given, root);
  const about = typeof schema['description'] === 'string' ? schema['description'] : titleOf(schema);
  const made = (kind: SchemaField['kind'], type: string, more: Partial<SchemaField> = {}): SchemaField => ({
    name,
    kind,
    type,
    about,
    isRequired,
    choices: [],
    fields: [],
    entry: null,
    ...more,
  });
  const { enum: values, const: only, properties, items } = schema;
  if (Array.isArray(values) && values.length > 0) return made('choice', 'one of', { choices: values });
  if ('const' in schema) return made('choice', 'always', { choices: [only] });
  const type = typeOf(schema);
  if (depth < MAX_DEPTH && type === 'object' && isObject(properties)) {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const fields = Object.entries(properties)
      .slice(0, MAX_FIELDS)
      .map(([field, one]) => fieldOf(field, one, root, required.has(field), depth + 1));
    return made('object', 'object', { fields });
  }
  if (depth < MAX_DEPTH && type === 'array' && items !== undefined && !Array.isArray(items)) {
    const entry = fieldOf('', items, root, false, depth + 1);
    return made('list', `list of ${entry.type}`, { entry });
  }
  if (type === 'string') return made('text', formatWords(schema));
  if (type === 'number') return made('number', `number${rangeWords(schema)}`);
  if (type === 'integer') return made('number', `whole number${rangeWords(schema)}`);
  if (type === 'boolean') return made('flag', 'yes or no');
  return made('json', type === '' ? 'any value' : type === 'array' ? 'list' : type);
}

/** Follows references within the schema. */
function resolved(schema: unknown, root: unknown): Schema {
  let one = schema;
  for (let steps = 0; isObject(one) && typeof one['$ref'] === 'string' && steps < MAX_DEPTH; steps++) {
    const target = at(root, one['$ref']);
    if (target === undefined) break;
    const { $ref: _ref, ...beside } = one;
    one = isObject(target) ? { ...target, ...beside } : target;
  }
  return isObject(one) ? one : {};
}

function at(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

const titleOf = ({ title }: Schema): string => (typeof title === 'string' ? title : '');

function typeOf({ type, properties, items }: Schema): string {
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'null');
    return others.length === 1 && typeof others[0] === 'string' ? others[0] : '';
  }
  return properties !== undefined ? 'object' : items !== undefined ? 'array' : '';
}

const formatWords = ({ format, pattern }: Schema): string =>
  typeof format === 'string' ? `text (${format})` : typeof pattern === 'string' ? `text like ${pattern}` : 'text';

function rangeWords({ minimum, maximum }: Schema): string {
  const [least, most] = [minimum, maximum].map((one) => (typeof one === 'number' ? one : null));
  if (least != null && most != null) return ` from ${least} to ${most}`;
  return least != null ? ` from ${least}` : most != null ? ` up to ${most}` : '';
}

/** Returns the initial value of a form: only the required fields, each empty. Undefined for no value. */
export function emptyValue(field: SchemaField): unknown {
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(
        field.fields.filter(({ isRequired }) => isRequired).map((one) => [one.name, emptyValue(one)]),
      );
    case 'list':
      return [];
    case 'choice':
      return field.choices[0];
    case 'flag':
      return false;
    case 'text':
      return '';
    case 'number':
      return 0;
    case 'json':
      return null;
  }
}
