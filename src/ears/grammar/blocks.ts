/**
 * Blocks: the block structure of CommonMark, line by line, as far as it decides what a line *is*: code in a fence,
 * quoted, indented code, HTML, or text. Inline structure, headings' levels and lists' looseness make no difference here
 * and are not kept.
 *
 * In:   lines without their ends.
 * Out:  for each line one reading.
 * State is plain data (`structure`), so that a checkpoint is a copy of it. Deliberate differences from CommonMark are
 * the forgotten stray opener (bounds.ts), MAX_CONTAINERS, and `<output>`; protocol/identity.md lists them.
 *
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
import { MAX_CONTAINERS } from '../bounds.js';
import { closesFence, endsSkipping, type FenceLeaf, isStray, openFence } from './fences.js';
import { type HtmlKind, htmlEnds, htmlStart } from './html-blocks.js';
import { isBlankCode, LineCursor } from './line-cursor.js';
import { isAtxHeading, isRule, isUnderline, itemWidth } from './line-marks.js';

type Container =
  | { readonly kind: 'quote' }
  /** `indent`: columns before its content. `isEmpty`: so far it contains only its marker. */
  | { readonly kind: 'item'; readonly indent: number; isEmpty: boolean };

interface HtmlLeaf {
  readonly kind: 'html';
  readonly type: HtmlKind;
  lines: number;
  chars: number;
}
type Leaf = { readonly kind: 'none' } | { readonly kind: 'paragraph' } | FenceLeaf | HtmlLeaf;

/** Everything that the reader remembers between two lines. */
export interface Structure {
  containers: Container[];
  leaf: Leaf;
}

export type Reading =
  | { readonly kind: 'fence_open'; readonly isOwn: boolean }
  | { readonly kind: 'fence_line'; readonly text: string }
  | { readonly kind: 'fence_close' }
  /**
   * `<output>`, alone or before a `{`, outside quotes. `after` is the text after it, `indent` the columns of its
   * containers.
   */
  | { readonly kind: 'tag'; readonly after: string; readonly indent: number; readonly wasParagraph: boolean }
  | { readonly kind: 'text'; readonly isQuoted: boolean }
  | { readonly kind: 'code' | 'html' | 'blank' };

export const NONE: Leaf = { kind: 'none' };
export const PARAGRAPH: Leaf = { kind: 'paragraph' };
const BLANK: Reading = { kind: 'blank' };
const CODE: Reading = { kind: 'code' };
const HTML: Reading = { kind: 'html' };
const CLOSE: Reading = { kind: 'fence_close' };
const TEXT: Reading = { kind: 'text', isQuoted: false };
const QUOTED: Reading = { kind: 'text', isQuoted: true };

const OUTPUT_TAG = /^<output>[ \t]*(\{.*)?$/s;

export function createStructure(): Structure {
  return { containers: [], leaf: NONE };
}

/**
 * Called when the text of a message block exceeds the limit. The fence stays open until its end, but its lines are
 * skipped.
 */
export function skipOwnFence(structure: Structure): void {
  const { leaf } = structure;
  if (leaf.kind !== 'fence') return;
  leaf.isOwn = false;
  leaf.isSkipped = true;
}

/**
 * Reverts the reading of `<output>` as a tag, because no envelope began there. The line is then read by CommonMark's
 * rules.
 */
export function readAsHtml(structure: Structure, tag: { after: string; wasParagraph: boolean }): void {
  structure.leaf = tag.wasParagraph ? PARAGRAPH : { kind: 'html', type: 7, lines: 1, chars: tag.after.length };
}

/** Reads one line and updates the structure. */
export function readLine(structure: Structure, line: string): Reading {
  const cursor = new LineCursor(line);
  const matched = matchContainers(structure, cursor);
  const isWhole = matched === structure.containers.length;

  if (isWhole && structure.leaf.kind === 'fence') {
    const reading = readFenceLine(structure, structure.leaf, cursor);
    if (reading) return reading;
  } else if (isWhole && structure.leaf.kind === 'html') {
    const reading = readHtmlLine(structure, structure.leaf, cursor);
    if (reading) return reading;
  }
  return readStarts(structure, cursor, matched);
}

/** Returns how many of the open containers continue in this line. Their prefixes are consumed. */
function matchContainers(structure: Structure, cursor: LineCursor): number {
  let matched = 0;
  for (const container of structure.containers) {
    if (container.kind === 'quote') {
      // "   > text"
      // ^        A quote mark has at most three columns before it. One blank after it belongs to the mark.
      if (!cursor.skipQuoteMark()) break;
    } else if (cursor.isBlank()) {
      if (container.isEmpty) break; // an item may begin with one blank line, not with two
      cursor.skipColumns(container.indent);
    } else if (cursor.indent() >= container.indent) cursor.skipColumns(container.indent);
    else break;
    matched++;
  }
  return matched;
}

/**
 *     ```js          the opening fence
 *       code         content: the opening's indent is taken away
 *     ````           at least as long, the same character, nothing behind it: closes
 *     ^
 */
function readFenceLine(structure: Structure, fence: FenceLeaf, cursor: LineCursor): Reading | null {
  const at = cursor.nextVisible();
  if (cursor.text[at] === fence.char && cursor.indent() <= 3 && closesFence(fence, cursor.text, at)) {
    structure.leaf = NONE;
    return CLOSE;
  }
  if (fence.isSkipped ? endsSkipping(fence, cursor.text) : !fence.isOwn && isStray(fence)) {
    structure.leaf = NONE;
    return null;
  }
  cursor.skipColumns(fence.indent);
  const text = cursor.rest();
  fence.lines++;
  fence.chars += text.length + 1;
  return { kind: 'fence_line', text };
}

/** True if this text would close an open fence that is not a message block. The text is a row that may still grow. */
export function wouldClose(structure: Structure, line: string): boolean {
  const leaf = structure.leaf;
  if (leaf.kind !== 'fence' || structure.containers.some((container) => container.kind === 'quote')) return false;
  const cursor = new LineCursor(line);
  return (
    matchContainers(structure, cursor) === structure.containers.length &&
    cursor.indent() <= 3 &&
    closesFence(leaf, cursor.text, cursor.nextVisible())
  );
}

/**
 *     <!-- not      kinds 1 to 5 end with the line that holds their end
 *     a message -->
 *                ^
 *     <div>         6 and 7 before a blank line
 */
function readHtmlLine(structure: Structure, html: HtmlLeaf, cursor: LineCursor): Reading | null {
  if (html.type >= 6 && cursor.isBlank()) {
    structure.leaf = NONE;
    return null;
  }
  if (isStray(html)) {
    structure.leaf = NONE;
    return null;
  }
  html.lines++;
  html.chars += cursor.text.length + 1;
  if (htmlEnds(html.type, cursor.text)) structure.leaf = NONE;
  return HTML;
}

/** Reads the blocks that begin in this line: first its containers, then its leaf. */
function readStarts(structure: Structure, cursor: LineCursor, matched: number): Reading {
  const { containers } = structure;
  // A fence or an HTML block ends with its container. So does a fence that was given up as a stray opener.
  if (structure.leaf.kind !== 'paragraph') structure.leaf = NONE;
  let depth = matched;
  for (;;) {
    if (cursor.isBlank()) {
      // A blank line ("" or ">" or "-") ends a paragraph, every quote that has no mark in this line, and an empty list
      // item.
      if (containers.length > depth) containers.length = depth;
      structure.leaf = NONE;
      return BLANK;
    }
    if (cursor.indent() > 3) {
      // An indented line is code, except within a paragraph, where it continues the paragraph.
      if (structure.leaf.kind === 'paragraph') return readText(structure);
      enter(structure, depth);
      return CODE;
    }
    const at = cursor.nextVisible();
    const first = cursor.text[at] ?? '';
    if (depth < MAX_CONTAINERS && cursor.skipQuoteMark()) {
      enter(structure, depth++);
      containers.push({ kind: 'quote' });
      structure.leaf = NONE;
      continue;
    }
    const reading = readLeafStart(structure, cursor, at, first, depth);
    if (reading) return reading;
    const isInParagraph = structure.leaf.kind === 'paragraph' && depth === containers.length;
    const item = depth < MAX_CONTAINERS ? openItem(cursor, at, isInParagraph) : null;
    if (!item) break;
    enter(structure, depth++);
    containers.push(item);
    structure.leaf = NONE;
  }
  //  "> quoted"
  //  "lazy"      belongs to the paragraph, and so to the quote
  if (structure.leaf.kind !== 'paragraph') {
    enter(structure, depth);
    structure.leaf = PARAGRAPH;
  }
  return readText(structure);
}

/** Reads a heading, a rule, a fence, HTML or `<output>` at the cursor. Returns null if none of them begins there. */
function readLeafStart(
  structure: Structure,
  cursor: LineCursor,
  at: number,
  first: string,
  depth: number,
): Reading | null {
  const wasParagraph = structure.leaf.kind === 'paragraph';
  switch (first) {
    case '`':
    case '~': {
      const fence = openFence(cursor, at, first);
      if (!fence) return null;
      enter(structure, depth);
      if (fence.isOwn && isQuoted(structure)) fence.isOwn = false;
      structure.leaf = fence;
      return { kind: 'fence_open', isOwn: fence.isOwn };
    }
    case '<': {
      const text = cursor.text.slice(at);
      const tag = OUTPUT_TAG.exec(text);
      if (tag && !structure.containers.some((container, index) => index < depth && container.kind === 'quote')) {
        enter(structure, depth);
        structure.leaf = NONE;
        return { kind: 'tag', after: tag[1] ?? '', indent: cursor.column, wasParagraph };
      }
      // The end tag of an envelope that was not accepted (too long, or never opened) is text, not HTML.
      if (text.startsWith('</output>')) return null;
      const type = htmlStart(text, !wasParagraph);
      if (type === null) return null;
      enter(structure, depth);
      structure.leaf = htmlEnds(type, text) ? NONE : { kind: 'html', type, lines: 1, chars: text.length };
      return HTML;
    }
    case '#':
    case '-':
    case '=':
    case '*':
    case '_': {
      //  # heading      ***      text        - or 1. begins an item instead, but for a rule
      //                          ===         is a heading only where its paragraph goes on
      const { text } = cursor;
      const isInParagraph = wasParagraph && depth === structure.containers.length;
      const isHeading = first === '#' ? isAtxHeading(text, at) : isInParagraph && isUnderline(text, at);
      if (!isHeading && !isRule(text, at)) return null;
      enter(structure, depth);
      structure.leaf = NONE;
      return readText(structure);
    }
    default:
      return null;
  }
}

function readText(structure: Structure): Reading {
  return isQuoted(structure) ? QUOTED : TEXT;
}

/**
 * Something begins inside the first `depth` containers: the other containers end, and an empty item is no longer empty.
 */
function enter(structure: Structure, depth: number): void {
  const { containers } = structure;
  if (containers.length > depth) containers.length = depth;
  if (depth === 0) return;
  const last = containers[depth - 1];
  if (last?.kind === 'item') last.isEmpty = false;
}

function isQuoted({ containers }: Structure): boolean {
  for (const container of containers) if (container.kind === 'quote') return true;
  return false;
}
/**
 *     "  12)   text"
 *        ^-----^     the marker and one to four blanks: the item's content begins behind them
 */
function openItem(cursor: LineCursor, at: number, isInParagraph: boolean): Container | null {
  const width = itemWidth(cursor.text, at);
  if (width === 0) return null;
  const after = at + width;
  let visible = after;
  while (visible < cursor.text.length && isBlankCode(cursor.text.charCodeAt(visible))) visible++;
  const isEmpty = visible === cursor.text.length;
  // In the middle of a paragraph, a list item begins only if it has text and its number is 1: "in 1984.\n1985. was…" is
  // prose.
  if (isInParagraph && (isEmpty || (width > 1 && !(width === 2 && cursor.text[at] === '1')))) return null;
  const before = cursor.indent();
  cursor.skipBlanks();
  cursor.skipChars(width);
  const blanks = cursor.indent();
  const padding = isEmpty || blanks > 4 ? 1 : blanks;
  if (isEmpty) cursor.skipBlanks();
  else cursor.skipColumns(padding);
  return { kind: 'item', indent: before + width + padding, isEmpty };
}
