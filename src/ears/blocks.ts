/**
 * Blocks: the block structure of CommonMark, line by line, as far as it decides what a line *is*: code in a fence, quoted, indented
 * code, HTML, or text. Inline structure, headings' levels and lists' looseness make no difference here and are not kept.
 *
 * In:   lines without their ends.
 * Out:  for each line one reading.
 * State is plain data (`structure`), so that a checkpoint is a copy of it. Deliberate differences from CommonMark are the
 * forgotten stray opener (bounds.ts), MAX_CONTAINERS, and `<output>`; protocol/identity.md lists them.
 *
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
import { MAX_CONTAINERS, MAX_FOREIGN_CHARS, MAX_FOREIGN_LINES } from './bounds.js';
import { type HtmlKind, htmlEnds, htmlStart } from './html-blocks.js';
import { isBlankCode, LineCursor } from './line-cursor.js';

/** The first word of our own fences' info string. */
export const OWN_INFO = 'orchestrator-message';

type Container =
  | { readonly kind: 'quote' }
  /** `indent`: columns to its content; `isEmpty`: nothing but its marker so far. */
  | { readonly kind: 'item'; readonly indent: number; isEmpty: boolean };

export interface FenceLeaf {
  readonly kind: 'fence';
  readonly char: '`' | '~';
  readonly length: number;
  /** Columns before the opening fence; as many are taken from each content line. */
  readonly indent: number;
  /** A block of ours that is not quoted: a message. It is bounded by its reader, not here. */
  isOwn: boolean;
  lines: number;
  chars: number;
}
interface HtmlLeaf {
  readonly kind: 'html';
  readonly type: HtmlKind;
  lines: number;
  chars: number;
}
type Leaf = { readonly kind: 'none' } | { readonly kind: 'paragraph' } | FenceLeaf | HtmlLeaf;

/** Everything that is remembered between two lines. */
export interface Structure {
  containers: Container[];
  leaf: Leaf;
}

export type Reading =
  | { readonly kind: 'fence_open'; readonly isOwn: boolean }
  | { readonly kind: 'fence_line'; readonly text: string }
  | { readonly kind: 'fence_close' }
  /** `<output>`, alone or before a `{`, outside quotes. `after` is what follows it, `indent` the columns of its containers. */
  | { readonly kind: 'tag'; readonly after: string; readonly indent: number; readonly wasParagraph: boolean }
  | { readonly kind: 'text'; readonly isQuoted: boolean }
  | { readonly kind: 'code' | 'html' | 'blank' };

const NONE: Leaf = { kind: 'none' };
const PARAGRAPH: Leaf = { kind: 'paragraph' };
const BLANK: Reading = { kind: 'blank' };
const CODE: Reading = { kind: 'code' };
const HTML: Reading = { kind: 'html' };
const CLOSE: Reading = { kind: 'fence_close' };
const TEXT: Reading = { kind: 'text', isQuoted: false };
const QUOTED: Reading = { kind: 'text', isQuoted: true };

const OUTPUT_TAG = /^<output>[ \t]*(\{.*)?$/s;
const THEMATIC = /^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$|^(?:-[ \t]*){3,}$/;
const SETEXT = /^(?:=+|-+)[ \t]*$/;
const ATX = /^#{1,6}(?:[ \t]|$)/;
const ITEM = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;

export function createStructure(): Structure {
  return { containers: [], leaf: NONE };
}

/** Whether text at the beginning of a line can only be a paragraph, whatever came before. */
export function isOpenText(structure: Structure): boolean {
  return structure.containers.length === 0 && (structure.leaf.kind === 'none' || structure.leaf.kind === 'paragraph');
}

/** As `readLine` of a line that begins with a letter while `isOpenText`. */
export function readOpenText(structure: Structure): void {
  structure.leaf = PARAGRAPH;
}

/** Takes `<output>` back: no envelope began there, so it is what CommonMark says. */
export function readAsHtml(structure: Structure, tag: { after: string; wasParagraph: boolean }): void {
  structure.leaf = tag.wasParagraph ? PARAGRAPH : { kind: 'html', type: 7, lines: 1, chars: tag.after.length };
}

/** Reads one line and moves the structure on. */
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

/** How many of the open containers go on in this line; their prefixes are consumed. */
function matchContainers(structure: Structure, cursor: LineCursor): number {
  let matched = 0;
  for (const container of structure.containers) {
    if (container.kind === 'quote') {
      //  "   > text"
      //      ^        at most three columns before the mark, one blank after it belongs to it
      if (cursor.indent() > 3 || cursor.text[cursor.nextVisible()] !== '>') break;
      skipQuoteMark(cursor);
    } else if (cursor.isBlank()) {
      if (container.isEmpty) break; // an item may begin with one blank line, not with two
      cursor.skipBlanks();
    } else if (cursor.indent() >= container.indent) cursor.skipColumns(container.indent);
    else break;
    matched++;
  }
  return matched;
}

function skipQuoteMark(cursor: LineCursor): void {
  cursor.skipBlanks();
  cursor.skipChars(1);
  cursor.skipColumns(1);
}

/**
 *     ```js          the opening fence
 *       code         content: the opening's indent is taken away
 *     ````           at least as long, the same character, nothing behind it: closes
 *     ^
 */
function readFenceLine(structure: Structure, fence: FenceLeaf, cursor: LineCursor): Reading | null {
  if (cursor.indent() <= 3 && closesFence(fence, cursor.text, cursor.nextVisible())) {
    structure.leaf = NONE;
    return CLOSE;
  }
  if (!fence.isOwn && isStray(fence)) {
    structure.leaf = NONE;
    return null;
  }
  cursor.skipColumns(fence.indent);
  const text = cursor.rest();
  fence.lines++;
  fence.chars += text.length + 1;
  return { kind: 'fence_line', text };
}

function closesFence(fence: FenceLeaf, text: string, start: number): boolean {
  const end = runEnd(text, start, fence.char);
  if (end - start < fence.length) return false;
  for (let at = end; at < text.length; at++) if (!isBlankCode(text.charCodeAt(at))) return false;
  return true;
}

/** Whether a fence that is open and not ours would be closed by this text (a row that may still grow). */
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

function isStray(leaf: { lines: number; chars: number }): boolean {
  return leaf.lines >= MAX_FOREIGN_LINES || leaf.chars > MAX_FOREIGN_CHARS;
}

/** What begins in this line, container by container, down to its leaf. */
function readStarts(structure: Structure, cursor: LineCursor, matched: number): Reading {
  const { containers } = structure;
  const isParagraphOpen = structure.leaf.kind === 'paragraph';
  if (!isParagraphOpen) structure.leaf = NONE; // a fence or HTML block whose container ended here, or a forgotten one
  // A paragraph goes on here only if all its containers do; otherwise it can go on lazily, when nothing else begins.
  let isInParagraph = isParagraphOpen && matched === containers.length;
  let depth = matched;
  const enter = (container: Container): void => {
    leave();
    containers.push(container);
    depth++;
    structure.leaf = NONE;
    isInParagraph = false;
  };
  const leave = (): void => {
    if (containers.length > depth) containers.length = depth;
    const last = containers.at(-1);
    if (last?.kind === 'item') last.isEmpty = false;
  };
  const isQuoted = (): boolean => containers.some((container, at) => at < depth && container.kind === 'quote');

  for (;;) {
    if (cursor.isBlank()) {
      //  "" or ">" or "-": ends a paragraph, and every quote (and empty item) that did not go on
      containers.length = depth;
      structure.leaf = NONE;
      return BLANK;
    }
    if (cursor.indent() > 3) {
      //  "    code": unless it is the rest of a paragraph, wherever that stands
      if (structure.leaf.kind === 'paragraph') break;
      leave();
      return CODE;
    }
    const at = cursor.nextVisible();
    const first = cursor.text[at];
    if (first === '>' && depth < MAX_CONTAINERS) {
      skipQuoteMark(cursor);
      enter({ kind: 'quote' });
      continue;
    }
    if (first === '#' && ATX.test(cursor.text.slice(at, at + 8))) {
      leave();
      structure.leaf = NONE;
      return isQuoted() ? QUOTED : TEXT;
    }
    if (first === '`' || first === '~') {
      const fence = openFence(cursor, at, first);
      if (fence) {
        leave();
        if (fence.isOwn && isQuoted()) fence.isOwn = false;
        structure.leaf = fence;
        return { kind: 'fence_open', isOwn: fence.isOwn };
      }
    }
    if (first === '<') {
      const text = cursor.text.slice(at);
      const tag = isQuoted() ? null : OUTPUT_TAG.exec(text);
      if (tag) {
        const wasParagraph = structure.leaf.kind === 'paragraph';
        leave();
        structure.leaf = NONE;
        return { kind: 'tag', after: tag[1] ?? '', indent: cursor.column, wasParagraph };
      }
      const type = htmlStart(text, structure.leaf.kind !== 'paragraph');
      if (type !== null) {
        leave();
        structure.leaf = htmlEnds(type, text) ? NONE : { kind: 'html', type, lines: 1, chars: text.length };
        return HTML;
      }
    }
    if (first === '-' || first === '=' || first === '*' || first === '_') {
      const rule = cursor.text.slice(at);
      if ((isInParagraph && SETEXT.test(rule)) || THEMATIC.test(rule)) {
        leave();
        structure.leaf = NONE;
        return isQuoted() ? QUOTED : TEXT;
      }
    }
    const item = depth < MAX_CONTAINERS ? openItem(cursor, at, isInParagraph) : null;
    if (item) {
      enter(item);
      continue;
    }
    break;
  }

  if (structure.leaf.kind === 'paragraph') {
    //  "> quoted"
    //  "lazy"      belongs to the paragraph, and so to the quote
    return containers.some((container) => container.kind === 'quote') ? QUOTED : TEXT;
  }
  leave();
  structure.leaf = PARAGRAPH;
  return isQuoted() ? QUOTED : TEXT;
}

/**
 *     "  ~~~~ orchestrator-message key=value"
 *        ^---^ length    ^ first word of the info string; after backticks the info string holds none
 */
function openFence(cursor: LineCursor, at: number, char: '`' | '~'): FenceLeaf | null {
  const end = runEnd(cursor.text, at, char);
  if (end - at < 3 || (char === '`' && cursor.text.includes('`', end))) return null;
  let start = end;
  while (isBlankCode(cursor.text.charCodeAt(start))) start++;
  const after = cursor.text.charCodeAt(start + OWN_INFO.length);
  const isOwn = cursor.text.startsWith(OWN_INFO, start) && (Number.isNaN(after) || isBlankCode(after));
  return { kind: 'fence', char, length: end - at, indent: cursor.indent(), isOwn, lines: 0, chars: 0 };
}

/**
 *     "  12)   text"
 *        ^-----^     the marker and one to four blanks: the item's content begins behind them
 */
function openItem(cursor: LineCursor, at: number, isInParagraph: boolean): Container | null {
  const marker = ITEM.exec(cursor.text.slice(at, at + 11));
  if (!marker) return null;
  const width = marker[0].length;
  const after = at + width;
  let visible = after;
  while (visible < cursor.text.length && isBlankCode(cursor.text.charCodeAt(visible))) visible++;
  const isEmpty = visible === cursor.text.length;
  // In the middle of a paragraph only items with text begin, and only the number 1: "in 1984.\n1985. was…" is prose.
  if (isInParagraph && (isEmpty || (marker[1] !== undefined && marker[1] !== '1'))) return null;
  const before = cursor.indent();
  cursor.skipBlanks();
  cursor.skipChars(width);
  const blanks = cursor.indent();
  const padding = isEmpty || blanks > 4 ? 1 : blanks;
  if (isEmpty) cursor.skipBlanks();
  else cursor.skipColumns(padding);
  return { kind: 'item', indent: before + width + padding, isEmpty };
}

function runEnd(text: string, start: number, char: string): number {
  let end = start;
  while (end < text.length && text[end] === char) end++;
  return end;
}
