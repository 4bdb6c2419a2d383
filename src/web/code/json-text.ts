/**
 * JSON as a person writes it: its value or its errors with their places, the place of a path, and its prettified form.
 * Pure.
 *
 * In:   a text; paths as the daemon reports them (`$.properties.items[0]['a name']`).
 * Out:  offsets into the text. Prettifying changes only blanks: order, numbers, and escapes stay as they were written.
 */
import {
  applyEdits,
  findNodeAtLocation,
  format,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

type JsonReading =
  | { readonly ok: true; readonly value: unknown; readonly warnings: readonly TextProblem[] }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** The daemon refuses deeper schemas, and recursive functions would overflow the stack. */
const MAX_DEPTH = 200;
const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON. Texts need double quotes.',
  InvalidNumberFormat: 'This is not a number.',
  PropertyNameExpected: 'A name in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here.',
  CommaExpected: 'A comma is expected here.',
  CloseBraceExpected: 'A closing } is expected here.',
  CloseBracketExpected: 'A closing ] is expected here.',
  EndOfFileExpected: 'There is more text behind the end of the JSON.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfString: 'This text has no closing quote.',
  UnexpectedEndOfNumber: 'This number is not complete.',
  InvalidUnicode: 'A \\u needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'JSON does not know this escape.',
  InvalidCharacter: 'Texts may not contain control characters. Write \\n for a line break.',
};

export function readJsonText(text: string): JsonReading {
  if (text.trim() === '')
    return { ok: false, problems: [{ from: 0, to: text.length, severity: 'error', message: 'It is empty.' }] };
  if (depthOf(text) > MAX_DEPTH)
    return { ok: false, problems: [{ from: 0, to: 1, severity: 'error', message: 'It is nested too deep.' }] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  if (errors.length > 0) return { ok: false, problems: errors.map((error) => toProblem(error, text)) };
  try {
    return { ok: true, value: JSON.parse(text), warnings: root ? repeatedNames(root) : [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [{ from: 0, to: text.length, severity: 'error', message }] };
  }
}

function toProblem({ error, offset, length }: ParseError, text: string): TextProblem {
  const from = Math.min(offset, Math.max(0, text.length - 1));
  const message = WORDS[printParseErrorCode(error)] ?? 'This is no JSON.';
  return { from, to: Math.min(text.length, offset + Math.max(1, length)), severity: 'error', message };
}

/**
 * If two properties have the same name, JSON uses the last one. That is hardly ever intended, so each repetition is a
 * problem.
 */
function repeatedNames(node: Node): TextProblem[] {
  const found: TextProblem[] = [];
  const visit = (one: Node): void => {
    const seen = new Set<string>();
    for (const child of one.children ?? []) {
      const key = one.type === 'object' ? child.children?.[0] : undefined;
      const name = String(key?.value);
      if (key && seen.has(name)) {
        const message = `'${name.slice(0, 100)}' stands here twice. The last one counts.`;
        found.push({ from: key.offset, to: key.offset + key.length, severity: 'warning', message });
      }
      seen.add(name);
      visit(child);
    }
  };
  visit(node);
  return found;
}

/** Returns a bound of the depth, without a recursion. */
function depthOf(text: string): number {
  let [depth, deepest, isInText]: [number, number, boolean] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\' && isInText) at++;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === '{' || character === '[')) deepest = Math.max(deepest, ++depth);
    else if (!isInText && (character === '}' || character === ']')) depth--;
  }
  return deepest;
}

/** Returns the text with one property or entry per line. Text that is not JSON is returned unchanged. */
export function prettify(text: string): string {
  if (!readJsonText(text).ok) return text;
  const edits = format(text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' });
  return applyEdits(text, edits).trim();
}

/** Splits a path into its parts: `$.a['b c'][0]` becomes `a`, `b c`, 0. */
export function segmentsOf(path: string): JSONPath {
  const segments: JSONPath = [];
  for (const [, name, number, , quoted] of path.matchAll(
    /\.([A-Za-z_$][\w$]*)|\[(?:(\d+)|(['"])((?:\\.|(?!\3).)*)\3)\]/gs,
  )) {
    if (name !== undefined) segments.push(name);
    else if (number !== undefined) segments.push(Number(number));
    else segments.push((quoted ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return segments;
}

/** Returns the range of the value at a path, or of its nearest parent that exists. */
export function placeOf(text: string, path: string): { readonly from: number; readonly to: number } {
  const root = parseTree(text);
  if (!root) return { from: 0, to: text.length };
  const segments = segmentsOf(path);
  for (let length = segments.length; length > 0; length--) {
    const node = nodeAt(root, segments.slice(0, length));
    if (!node) continue;
    // A large value is not underlined as a whole: only the name of its property is.
    const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    const { offset, length: chars } = node.children && key ? key : node;
    return { from: offset, to: offset + (node.children && !key ? 1 : chars) };
  }
  return { from: root.offset, to: root.offset + 1 };
}

/** A number in a path may be an index or the name of a property. */
function nodeAt(root: Node, path: JSONPath): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of path) {
    if (!node) return undefined;
    node = findNodeAtLocation(node, [node.type === 'object' ? String(segment) : segment]);
  }
  return node;
}
