/** Helpers for the generated markdown pages: escaped text, tables, and tables of a JSON Schema's fields. */
import { OPERATIONS, type OperationName, shapeName } from '../../protocol/operations.js';

/** The parts of a JSON Schema that the pages show. */
export interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly oneOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly default?: unknown;
  readonly description?: string;
}

/** Escapes text outside of inline code: neither HTML nor a template of the site may be recognized in it. */
export const escapeText = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('');

/** Renders a table. Cells are markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Wraps a paragraph at 120 columns. */
export function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= 120) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** Renders a table of an object's fields. Returns a sentence if it has none. */
export function fieldTable(shape: Shape | undefined, without: readonly string[] = []): string {
  const fields = Object.entries(shape?.properties ?? {}).filter(([name]) => !without.includes(name));
  if (fields.length === 0) return 'No fields.';
  const rows = fields.map(([name, field]) => [
    `${code(name)}${shape?.required?.includes(name) ? ' (required)' : ''}`,
    typeText(field),
    description(field),
  ]);
  return table(['field', 'type', 'meaning'], rows);
}

function description(field: Shape): string {
  const text = escapeText(field.description ?? '');
  if (field.default === undefined) return text;
  return `${text} Default: ${code(JSON.stringify(field.default))}.`.trim();
}

/** Describes a type in a few words; a shape with a name links to its section. */
export function typeText(shape: Shape): string {
  if (shape.$ref !== undefined) return reference(shape.$ref);
  if (shape.const !== undefined) return code(JSON.stringify(shape.const));
  if (shape.enum !== undefined) return shape.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ');
  if (shape.type === 'array') return shape.items === undefined ? 'array' : `array of ${typeText(shape.items)}`;
  if (shape.type === undefined) return 'any value';
  return typeof shape.type === 'string' ? shape.type : shape.type.join(' or ');
}

const OPERATION_OF: ReadonlyMap<string, string> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).flatMap((name) => [
    [`${shapeName(name)}Input`, name],
    [`${shapeName(name)}Output`, name],
  ]),
);

/**
 * True if the shape is the input or output of an operation, which operations.md describes. All others are in types.md.
 */
export const isOfOperation = (name: string): boolean => OPERATION_OF.has(name);

/** A reference into a shape links to that shape. */
function reference(ref: string): string {
  const name = /#\/\$defs\/(\w+)/.exec(ref)?.[1] ?? ref;
  const operation = OPERATION_OF.get(name);
  if (operation !== undefined) return `[${name}](operations.md#${operation.replace('.', '')})`;
  return `[${name}](types.md#${name.toLowerCase()})`;
}
