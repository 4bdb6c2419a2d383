/**
 * Lists the completions at an offset of a JSON Schema: keywords, their values, and names that the schema itself
 * defines. Pure.
 *
 * In:   a text and an offset.
 * Out:  the proposals, and the range that they replace.
 */
import { findNodeAtLocation, getLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

interface Proposal {
  readonly label: string;
  /** A short explanation. */
  readonly detail: string;
  /** The text that is inserted. */
  readonly text: string;
  /** Position of the cursor in `text` afterwards. Default: its end. */
  readonly cursor?: number;
}

interface Proposals {
  readonly from: number;
  readonly to: number;
  readonly list: readonly Proposal[];
}

/** The kind of value that a keyword accepts. */
type Kind =
  | 'schema'
  | 'schemas'
  | 'named'
  | 'text'
  | 'number'
  | 'flag'
  | 'list'
  | 'type'
  | 'names'
  | 'ref'
  | 'dialect'
  | 'any';

const KEYWORDS: Readonly<Record<string, readonly [kind: Kind, about: string]>> = {
  type: ['type', 'the type of the value'],
  properties: ['named', 'the fields of an object'],
  required: ['names', 'fields that must be there'],
  items: ['schema', 'each entry of a list'],
  description: ['text', 'tells the agent what belongs here'],
  enum: ['list', 'the values that are allowed'],
  const: ['any', 'the only value that is allowed'],
  title: ['text', 'a short name'],
  additionalProperties: ['schema', 'fields beyond the named ones; false forbids them'],
  minimum: ['number', 'the least number'],
  maximum: ['number', 'the greatest number'],
  exclusiveMinimum: ['number', 'the number must be greater'],
  exclusiveMaximum: ['number', 'the number must be less'],
  multipleOf: ['number', 'the number is a multiple of this'],
  minLength: ['number', 'the fewest characters'],
  maxLength: ['number', 'the most characters'],
  pattern: ['text', 'a regular expression for the text'],
  format: ['text', 'such as date-time; it is not checked'],
  minItems: ['number', 'the fewest entries'],
  maxItems: ['number', 'the most entries'],
  uniqueItems: ['flag', 'no entry twice'],
  prefixItems: ['schemas', 'the first entries, one by one'],
  contains: ['schema', 'at least one entry fits'],
  minProperties: ['number', 'the fewest fields'],
  maxProperties: ['number', 'the most fields'],
  patternProperties: ['named', 'fields by a pattern of their names'],
  propertyNames: ['schema', 'the names of the fields'],
  dependentRequired: ['any', 'fields that need others'],
  anyOf: ['schemas', 'at least one of these fits'],
  oneOf: ['schemas', 'exactly one of these fits'],
  allOf: ['schemas', 'all of these fit'],
  not: ['schema', 'this does not fit'],
  if: ['schema', 'if this fits …'],
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: ['schema', '… this fits, too'],
  else: ['schema', '… otherwise this fits'],
  default: ['any', 'the value that is meant where none is given'],
  examples: ['list', 'values that show what is meant'],
  $ref: ['ref', 'another part of this schema'],
  $defs: ['named', 'parts that $ref names'],
  definitions: ['named', 'parts that $ref names (draft 7)'],
  $schema: ['dialect', 'the version of JSON Schema'],
};

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const DIALECTS = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'];
const BEGINNINGS: Partial<Readonly<Record<Kind, readonly [text: string, cursor: number]>>> = {
  schema: ['{}', 1],
  named: ['{}', 1],
  schemas: ['[{}]', 2],
  list: ['[]', 1],
  names: ['[""]', 2],
  text: ['""', 1],
  ref: ['""', 1],
  type: ['""', 1],
  dialect: ['""', 1],
  flag: ['true', 4],
};

/** The role of the value at a path: a schema, a map of schemas, a list of them, or the value of a keyword. */
type Role = { readonly kind: Kind; readonly keyword: string };
const SCHEMA: Role = { kind: 'schema', keyword: '' };

function roleOf(path: JSONPath): Role {
  let role: Role = SCHEMA;
  for (const segment of path) {
    const { kind } = role;
    if (kind === 'named' || kind === 'schemas') role = SCHEMA;
    else if (kind === 'schema' && typeof segment === 'string') {
      const [next] = KEYWORDS[segment] ?? ['any' as const];
      role = { kind: next, keyword: segment };
    } else if (kind === 'schema' && role.keyword === 'items')
      role = SCHEMA; // draft 7: a list of schemas
    else role = { kind: kind === 'names' || kind === 'type' ? kind : 'any', keyword: role.keyword };
  }
  return role;
}

/** @returns Null if there is no proposal for the place. */
export function proposalsAt(text: string, offset: number): Proposals | null {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isInNode =
    previousNode !== undefined && offset > previousNode.offset && offset <= previousNode.offset + previousNode.length;
  const word = /[\w$"]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const [from, to] =
    isInNode && previousNode
      ? [previousNode.offset, previousNode.offset + previousNode.length]
      : [offset - word.length, offset];
  if (isAtPropertyKey) {
    if (roleOf(path.slice(0, -1)).kind !== 'schema') return null;
    const hasValue = /^\s*:/.test(text.slice(to));
    const root = parseTree(text);
    const parent = root && findNodeAtLocation(root, path.slice(0, -1));
    const there = new Set(namesIn(parent).filter((name) => name !== path.at(-1)));
    const list = Object.keys(KEYWORDS).filter((name) => !there.has(name));
    return { from, to, list: list.map((name) => keywordProposal(name, hasValue)) };
  }
  const list = valuesAt(text, path);
  return list.length === 0 ? null : { from, to, list };
}

function keywordProposal(name: string, hasValue: boolean): Proposal {
  const [kind, detail] = KEYWORDS[name] ?? ['any', ''];
  if (hasValue) return { label: name, detail, text: JSON.stringify(name) };
  const [value, cursor] = BEGINNINGS[kind] ?? ['', 0];
  const start = `${JSON.stringify(name)}: `;
  return { label: name, detail, text: start + value, cursor: start.length + cursor };
}

function valuesAt(text: string, path: JSONPath): Proposal[] {
  const { kind, keyword } = roleOf(path);
  const quoted = (words: readonly string[], detail: string): Proposal[] =>
    words.map((word) => ({ label: word, detail, text: JSON.stringify(word) }));
  if (kind === 'type') return quoted(TYPES, 'type');
  if (kind === 'dialect') return quoted(DIALECTS, '');
  if (kind === 'flag' || keyword === 'additionalProperties')
    return ['true', 'false'].map((word) => ({ label: word, detail: '', text: word }));
  const root = parseTree(text);
  if (!root) return [];
  if (kind === 'ref') {
    const places = ['$defs', 'definitions'].flatMap((place) =>
      namesIn(findNodeAtLocation(root, [place])).map((name) => `#/${place}/${name}`),
    );
    return quoted(places, 'part of this schema');
  }
  if (kind !== 'names') return [];
  // For `required`: the fields of the schema that the list does not contain yet.
  const at = path.lastIndexOf('required');
  const schema = at === 0 ? root : findNodeAtLocation(root, path.slice(0, at));
  const named = schema && findNodeAtLocation(schema, ['required']);
  const there = new Set((named?.children ?? []).map(({ value }) => String(value)));
  const fields = schema && findNodeAtLocation(schema, ['properties']);
  return quoted(
    namesIn(fields).filter((name) => !there.has(name)),
    'field',
  );
}

const namesIn = (node: Node | undefined): string[] =>
  node?.type === 'object' ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : [];
