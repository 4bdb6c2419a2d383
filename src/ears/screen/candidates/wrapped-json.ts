/**
 * Wrapped JSON: one object out of the rows of a screen, however the program that painted it has broken and numbered
 * them.
 *
 *        3   "question": "Which database should the     gutter, then the row
 *              migration use?",                         a string goes on: a row end inside a string is a wrap
 *        4   "keepOld": tr
 *     ue }                                              a word cut in two
 *
 * Inside a string, a wrap may have removed one blank, several or none, and the screen does not show which. The text is
 * then a guess. It is exact only in rows that the terminal itself has wrapped.
 *
 * Inside a string, the reader removes the indent and joins the rows with one blank. It joins them without a blank where
 * a long word was cut, after a hyphen or slash, and between wide characters.
 *
 * The file is long because a repair reads the object again with another place of a wrap.
 */
import { MAX_BLOCK_CHARS } from '../../bounds.js';
import { ESCAPE, readJson } from '../../json.js';
import {
  areSplit,
  columns,
  isIdeograph,
  isUnsure,
  MAX_MOVED,
  type PlainRow,
  type Rows,
  UNSURE_WIDTH,
} from '../rows/index.js';

export type WrappedJson =
  | {
      readonly kind: 'closed';
      readonly text: string;
      readonly endRow: number;
      readonly endColumn: number;
      /** True if the strings are character by character what the program printed, without any guess. */
      readonly isExact: boolean;
      /** True if a row within the object is empty: its text may not be painted yet. */
      readonly hasGap: boolean;
    }
  /** The text is valid JSON so far, but the rows end before the object does. */
  | { readonly kind: 'open'; readonly chars: number; readonly endRow: number }
  /** The text cannot become JSON, whatever follows. */
  | { readonly kind: 'broken'; readonly chars: number; readonly endRow: number };

interface Wrap {
  /** Index in the text where the next row begins. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A scrollbar in the last column, which touches the text of a full row. */
const TOUCHING_BAR = /[█▄▀▐▕░▒▓┃│║]$/u;
const GAP = '  ';
const GUTTER = /^\s*\d{1,5}(?:\s|$)/;
const DIVIDER = /\s{2}[│┃║|▌▐█▓▒░╎┆┊]/gu;
/** The rest of a property's name, which has no blanks. */
const IN_NAME = /^\w*"\s*:/;
const MAX_NAME_CHARS = 40;
/**
 * A program that draws markdown removes the backticks of a fence in a string: its language is left, or an odd backtick.
 */
const LOST_FENCE = /(?:"|\\n)[a-z+#]{1,12}\\n/;
/** An escape of JSON, or a backslash that begins none. */
const ESCAPES = new RegExp(`${ESCAPE.source}|\\\\`, 'g');
/** Classes of characters outside of strings, by character code: the role of each in JSON. */
const OTHER = 0;
const BLANK = 1;
const PART = 2;
const OPENS = 3;
const CLOSES = 4;

function kindOf(char: string): number {
  if (isBlank(char)) return BLANK;
  if ('{['.includes(char)) return OPENS;
  if ('}]'.includes(char)) return CLOSES;
  return /[",:\d.E+\-a-z]/.test(char) ? PART : OTHER;
}

const isBlank = (char: string): boolean => char.trim() === '';

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
const [QUOTE, BACKSLASH] = ['"', '\\'].map((char) => char.charCodeAt(0));
/** Maximum number of rows of an object that are searched for a row that has lost characters. */
const MAX_REPAIR_DISTANCE = 64;
/**
 * Number of rows above an object that may have left cells in it. Such cells stay on the screen until the program paints
 * them again, which may be many screens later.
 */
export const MAX_LEFT_OVER_DISTANCE = 1000;
/** Maximum number of these rows whose text is compared. */
const MAX_UNSURE_ABOVE = 64;
/** Maximum number of rows of one object. */
const MAX_ROWS = 8192;

/**
 * Characters that a row may have lost at its end, because the terminal and the program count its columns differently.
 */
const LOST = ['"', '",', '","', '"]', '"],', '"}', '"},', '"]}}'];
/** Maximum number of columns by which a row that lost characters at its end is narrower than the screen. */
const MAX_LOST_COLS = 24;
/** Maximum number of rows of one object for which a repair is tried. */
const MAX_REPAIRED_ROWS = 4;
/** Maximum number of rows that repairs read in one picture: enough for every repair of four objects of thirty rows. */
export const MAX_REPAIR_READS = 4096;

export interface RepairBudget {
  /** Number of rows that repairs may still read. */
  rows: number;
}

interface Repair {
  /** Returns the text that a string has lost at the end of the row above. */
  readonly lost: (at: number, line: string) => string | undefined;
  /** Rows of the object and above whose width is unsure: cells of them may be left over in other rows. */
  readonly unsure: readonly number[];
  /** Maximum number of rows to read. */
  readonly maxRows: number;
}

/**
 * Reads a JSON object. If it is broken near a row whose characters the program and the terminal count differently, it
 * is read again with two corrections. The text that the row may have lost at its end is added. Cells that the row has
 * left in other rows, behind a gap, are removed.
 *
 *     "question": "a\u200bb (10)             the program has cut the row one column too early
 *     }                       (21)"         left over from the row that stood here before
 *
 * Such a reading is never exact. It counts only after nothing was painted for a while.
 *
 * @param row The row of its `{` …
 * @param column … and the index in the row's text.
 * @param repairs Limits the repairs, and counts them.
 */
export function readWrapped(
  rows: Rows,
  row: number,
  column: number,
  cols: number,
  repairs: RepairBudget = { rows: MAX_REPAIR_READS },
): WrappedJson {
  const once = readOnce(rows, row, column, cols);
  const whole = isWhole(once) ? once : withBackslashes(once);
  if (whole && restOf(rows, whole) === '') return whole;
  const read = whole ?? once;
  const unsure = findUnsure(rows, row, Math.min(read.endRow, row + MAX_REPAIR_DISTANCE));
  if (unsure.length === 0) return read;
  if (whole) return isLeftOver(rows, whole.endRow, whole.endColumn, unsure) ? repaired(rows, whole, unsure) : whole;
  const own = unsure.filter((at) => at >= row);
  // A row without text below it may still grow. It is cut only if it reaches the right margin.
  const isCut = (at: number): boolean =>
    (rows[at + 1]?.text ?? '').trim() !== '' || columns(rows[at]?.text ?? '') >= cols - MAX_LOST_COLS;
  const cut = own
    .filter(isCut)
    .slice(-MAX_REPAIRED_ROWS)
    .flatMap((place) => LOST.map((text) => (at: number) => (at === place + 1 ? text : undefined)));
  let { endRow } = read;
  for (const lost of [() => undefined, ...(cut.length > 0 ? [lostAbove] : []), ...cut]) {
    if (repairs.rows <= 0) break;
    const again = readOnce(rows, row, column, cols, { lost, unsure, maxRows: repairs.rows });
    repairs.rows -= again.endRow - row + 1;
    // Rows below a closed object are not read for it, so its candidate does not depend on them.
    if (read.kind === 'closed' && again.endRow > endRow) continue;
    if (again.kind === 'closed' && readJson(again.text).ok) return repaired(rows, again, unsure);
    endRow = Math.max(endRow, again.endRow);
  }
  // If one of the rows that were read changes, the object may become whole.
  return read.kind === 'closed' ? read : { ...read, endRow };
}

type Closed = WrappedJson & { readonly kind: 'closed' };

const isWhole = (read: WrappedJson): read is Closed => read.kind === 'closed' && readJson(read.text).ok;

/**
 * Writes a backslash that begins no escape as the escape of a backslash. Returns null unless that alone makes the
 * object JSON. A program that draws markdown shows both `a\\ b` and `a\ b` as `a\ b`.
 */
function withBackslashes(read: WrappedJson): Closed | null {
  if (read.kind !== 'closed' || !read.text.includes('\\')) return null;
  const text = read.text.replace(ESCAPES, (found) => (found === '\\' ? '\\\\' : found));
  const escaped: Closed = { ...read, text, isExact: false, hasGap: true };
  return isWhole(escaped) ? escaped : null;
}

/** Ends each string that does not end above a row in which another string begins, or in which a list or object ends. */
function lostAbove(_at: number, line: string): string | undefined {
  const next = line.trimStart().charAt(0);
  if (next === '"') return '",';
  return next === ']' || next === '}' ? '"' : undefined;
}

/** True between two strings: a program that cuts the end of a row may have put the comma into the first of them. */
const lacksComma = (last: string, line: string): boolean => last === '"' && line.trimStart().startsWith('"');

function repaired(rows: Rows, json: Closed, unsure: readonly number[]): Closed {
  const { endRow, endColumn } = json;
  const end = isLeftOver(rows, endRow, endColumn, unsure) ? (rows[endRow]?.text.length ?? 0) : endColumn;
  return { ...json, endColumn: end, isExact: false, hasGap: true };
}

/** The text behind an object in its last row. */
const restOf = (rows: Rows, { endRow, endColumn }: Closed): string =>
  (rows[endRow]?.text ?? '').slice(endColumn).trimEnd();

/** Returns the rows from `row` to `to` whose width is unsure, and those above that may have left cells in them. */
function findUnsure(rows: Rows, row: number, to: number): number[] {
  const above: number[] = [];
  const first = Math.max(0, row - MAX_LEFT_OVER_DISTANCE);
  for (let at = row - 1; at >= first && above.length < MAX_UNSURE_ABOVE; at--) if (isUnsure(rows[at])) above.push(at);
  const within: number[] = [];
  for (let at = row; at <= to; at++) if (isUnsure(rows[at])) within.push(at);
  return [...above.reverse(), ...within];
}

/** True if the text of a row from a column on stands behind a gap and consists of cells of rows with unsure width. */
function isLeftOver(rows: Rows, row: number, column: number, unsure: readonly number[]): boolean {
  const text = rows[row]?.text ?? '';
  const rest = text.slice(column);
  if (!rest.startsWith(GAP) || rest.trim() === '') return false;
  const isIn = (part: string, at: number): boolean =>
    (at === row ? text.slice(0, column) : (rows[at]?.text ?? '')).includes(part);
  const isCell = (part: string): boolean => UNSURE_WIDTH.test(part) || unsure.some((at) => isIn(part, at));
  return rest.trim().split(/\s+/).every(isCell);
}

/** The text of an object while it grows. One long string would be copied for each row that is added to it. */
class JsonText {
  readonly #parts: string[] = [];
  length = 0;

  /** The last character of the text. */
  get last(): string {
    return this.#parts.at(-1)?.at(-1) ?? '';
  }

  add(part: string): void {
    if (part === '') return;
    this.#parts.push(part);
    this.length += part.length;
  }

  dropLast(): void {
    const part = this.#parts.pop() ?? '';
    this.length -= part.length;
    this.add(part.slice(0, -1));
  }

  toString(): string {
    return this.#parts.join('');
  }
}

/** The part of a row that belongs to an object. */
interface Part {
  readonly line: string;
  /** Index of the part in the row. */
  readonly offset: number;
}

function withoutIndent({ line, offset }: Part): Part {
  const trimmed = line.trimStart();
  return { line: trimmed, offset: offset + line.length - trimmed.length };
}

/** An object while its rows are read. */
class GrowingObject {
  readonly text = new JsonText();
  readonly nesting: Nesting = { depth: 0, isString: false, isEscaped: false };
  readonly #rows: Rows;
  readonly #cols: number;
  readonly #repair: Repair | undefined;
  readonly #isNumbered: boolean;
  readonly #wraps: Wrap[] = [];
  #emptyRows = 0;
  #hasGap = false;
  /** False if a blank at the end of a row may not be part of the text, although the terminal itself has wrapped it. */
  #isSoftSure = true;

  /** @param lead  The text before the object in its first row. */
  constructor(rows: Rows, cols: number, lead: string, repair: Repair | undefined) {
    this.#rows = rows;
    this.#cols = cols;
    this.#repair = repair;
    this.#isNumbered = /^\s*\d+\s+$/.test(lead);
  }

  begin(row: number, column: number): Part {
    return { line: this.#shown(row).slice(column), offset: column };
  }

  /** Returns the part of the next row; 'none' for an empty row, and 'broken' for a row that cannot belong to it. */
  goOn(at: number): Part | 'none' | 'broken' {
    const { text, nesting } = this;
    const line = this.#shown(at);
    const lost = nesting.isString ? this.#repair?.lost(at, line) : undefined;
    if (lost !== undefined) {
      const rest = withoutIndent({ line, offset: 0 });
      return { line: lost + rest.line, offset: rest.offset - lost.length };
    }
    if (this.#rows[at]?.isSoft) {
      // The terminal leaves the last column empty if a wide character does not fit, so a blank there may not be part of
      // the text.
      if (nesting.isString && text.last === ' ' && isWide(line)) {
        text.dropLast();
        this.#isSoftSure = false;
      }
      return { line, offset: 0 };
    }
    if (line.trim() === '') {
      // One blank row may be part of pretty-printed JSON. More of them are the end of the painted text.
      if (nesting.isString || ++this.#emptyRows > 2) return 'broken';
      this.#hasGap = true;
      return 'none';
    }
    this.#emptyRows = 0;
    return nesting.isString ? this.#goOnInString(at, line) : this.#goOnBetween(at, line);
  }

  #goOnInString(at: number, line: string): Part | 'broken' {
    if (isBesideText(this.#rows, at - 1, at, this.#cols)) return 'broken';
    const part = withoutIndent({ line, offset: 0 });
    this.#wraps.push({ at: this.text.length, before: withoutBar(this.#rows, at - 1, this.#cols), after: part.line });
    return part;
  }

  #goOnBetween(at: number, line: string): Part {
    const { last } = this.text;
    const gutter = (this.#isNumbered && GUTTER.exec(line)?.[0].length) || 0;
    const part = { line: line.slice(gutter), offset: gutter };
    const isInWord = /[A-Za-z\d.+-]/.test(last) && /^\s*[a-z\d.]/.test(part.line);
    if (isInWord) return withoutIndent(part);
    this.text.add(this.#repair?.unsure.includes(at - 1) && lacksComma(last, part.line) ? ',\n' : '\n');
    return part;
  }

  #shown(at: number): string {
    const shown = withoutBar(this.#rows, at, this.#cols);
    if (shown !== this.#rows[at]?.text) this.#isSoftSure = false;
    return shown;
  }

  close(row: number, endRow: number, endColumn: number): Closed {
    const whole = this.text.toString();
    const isSure = this.#isSoftSure && this.#wraps.every(isWithinEscape);
    const isExact = isSure && isSureText(this.#rows.slice(row, endRow + 1), whole);
    const text = join(whole, this.#wraps, this.#cols);
    return { kind: 'closed', text, endRow, endColumn, isExact, hasGap: this.#hasGap };
  }
}

function readOnce(rows: Rows, row: number, column: number, cols: number, repair?: Repair): WrappedJson {
  const object = new GrowingObject(rows, cols, rows[row]?.text.slice(0, column) ?? '', repair);
  const { text, nesting } = object;
  const end = Math.min(rows.length, row + (repair?.maxRows ?? MAX_ROWS));
  let at = row;
  for (; at < end && rows[at]; at++) {
    const part = at === row ? object.begin(row, column) : object.goOn(at);
    if (part === 'none') continue;
    if (part === 'broken') return { kind: 'broken', chars: text.length, endRow: at };
    const { line, offset } = part;
    const isRest = repair ? (index: number) => isLeftOver(rows, at, offset + index, repair.unsure) : null;
    const index = scan(line, nesting, isRest);
    if (index < 0) return { kind: 'broken', chars: text.length - index, endRow: at };
    text.add(line.slice(0, index));
    if (nesting.depth === 0) return object.close(row, at, offset + index);
    if (text.length > MAX_BLOCK_CHARS) return { kind: 'broken', chars: text.length, endRow: at };
  }
  return { kind: 'open', chars: text.length, endRow: at };
}

/** How deep in the object a character is, and if it is within a string. */
interface Nesting {
  depth: number;
  isString: boolean;
  isEscaped: boolean;
}

/**
 * Reads a row of an object.
 *
 * @param isRest  Gets the index of a blank. Returns true if the text from there to the end of the row is not part of
 *   the object. Null if the whole row is.
 * @returns The index after the last character that was read: the object ends there, or the row does. A negative number
 *   -n means that the row cannot belong to an object, because of its n-th character.
 */
function scan(line: string, nesting: Nesting, isRest: ((index: number) => boolean) | null): number {
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (nesting.isString) {
      if (nesting.isEscaped) nesting.isEscaped = false;
      else if (code === BACKSLASH) nesting.isEscaped = true;
      else if (code === QUOTE) nesting.isString = false;
      continue;
    }
    const kind = code < KINDS.length ? KINDS[code] : isBlank(line.charAt(index)) ? BLANK : OTHER;
    if (kind === BLANK) {
      // All blanks of a run precede the same text, so only the first one is checked.
      const isFirst = isRest !== null && index > 0 && !isBlank(line.charAt(index - 1));
      if (isFirst && isRest(index)) return index;
      continue;
    }
    if (kind === OTHER) return -index - 1;
    if (code === QUOTE) nesting.isString = true;
    else if (kind === OPENS) nesting.depth++;
    else if (kind === CLOSES) nesting.depth--;
    if (nesting.depth === 0) return index + 1;
  }
  return line.length;
}

/** True if the text of two rows stands beside other text: it is divided by a line, or by backgrounds. */
export function isBesideText(rows: Rows, one: number, other: number, cols: number): boolean {
  return areSplit(rows[one], rows[other]) || isDivided(rows, one, other, cols);
}

/**
 * True if both rows have a line in the same column, behind a gap: the text at its right is that of a side panel. A
 * program that counts the width of a row differently has moved the line.
 */
function isDivided(rows: Rows, one: number, other: number, cols: number): boolean {
  const [before, row] = [one, other].map((at) => linesOf(withoutBar(rows, at, cols)));
  if (before === undefined || row === undefined || (before.length === 0 && row.length === 0)) return false;
  const maxMoved = isUnsure(rows[one]) || isUnsure(rows[other]) ? MAX_MOVED : 0;
  const areNear = (lines: readonly number[], others: readonly number[]): boolean =>
    lines.some((line) => others.some((column) => Math.abs(line - column) <= maxMoved));
  // In a row without words of its own, the line is at the left.
  return areNear(before, [...row, ...frameOf(rows[other])]) || areNear(row, frameOf(rows[one]));
}

const frameOf = (row: PlainRow | undefined): number[] => (row?.frame === undefined || row.frame < 0 ? [] : [row.frame]);

const linesOf = (text: string): number[] =>
  !text.includes(GAP)
    ? []
    : Array.from(text.matchAll(DIVIDER), ({ index }) => columns(text.slice(0, index + GAP.length)));

/** The text of a row without a scrollbar that touches it. A row that the terminal has wrapped is all text. */
function withoutBar(rows: Rows, at: number, cols: number): string {
  const row = rows[at];
  if (!row || rows[at + 1]?.isSoft || !TOUCHING_BAR.test(row.text)) return row?.text ?? '';
  return (row.width ?? columns(row.text)) >= cols - 1 ? row.text.slice(0, -1).trimEnd() : row.text;
}

function join(text: string, wraps: readonly Wrap[], cols: number): string {
  // Programs leave a margin. The widest row that was wrapped shows how large it is.
  const right = Math.max(cols * 0.5, ...wraps.map(({ before }) => columns(before)));
  let joined = '';
  let at = 0;
  for (const wrap of wraps) {
    joined += text.slice(at, wrap.at);
    at = wrap.at;
    if (!isGlued(wrap, right) && !IN_NAME.test(text.slice(at, at + MAX_NAME_CHARS))) joined += ' ';
  }
  return joined + text.slice(at);
}

const isWide = (line: string): boolean => columns(Array.from(line)[0] ?? '') === 2;

/** True if the row ends with a backslash, or with a part of `\\u00e9`: no blank can be there. */
function isWithinEscape({ before }: Pick<Wrap, 'before'>): boolean {
  return /(?<!\\)(?:\\\\)*\\(?:u[\dA-Fa-f]{0,3})?$/.test(before);
}

function isSureText(rows: Rows, text: string): boolean {
  const hasLostTicks = LOST_FENCE.test(text) || (text.match(/`/g)?.length ?? 0) % 2 === 1;
  return !hasLostTicks && !UNSURE_WIDTH.test(text) && !rows.some((row) => row?.isChanged);
}

/**
 *     …/routes/session-coo|kie.test.ts      a word that no row can hold is cut
 *     …a well-|known name    src/|auth      wrappers also break behind - and /
 *     …数据|库                               wide characters break anywhere
 *     "name":|"a b"                         a wrap beside the string's own quotes removes no blank of the string
 *     \\server\|\share  caf\u00|e9            an escape has no blank
 */
function isGlued({ before, after }: Wrap, right: number): boolean {
  const row = before.trimEnd();
  const indent = row.length - row.trimStart().length;
  if (isWithinEscape({ before })) return true;
  // A quote mark with a backslash is part of the word, not the end of the string.
  const tail = row.trim().replace(/\\"/g, '``').split(/[\s"]/).at(-1) ?? '';
  const head = after.replace(/\\"/g, '``').split(/[\s"]/)[0] ?? '';
  const isFull = columns(row) >= right - (isIdeograph(Array.from(after)[0] ?? '') ? 1 : 0);
  if (isFull && columns(tail) + columns(head) > right - indent) return true;
  if (/[-/]$/.test(row) && !/(?:\s|\\[nrt]|")[-/]$/.test(row)) return true;
  if (/\s\\"$/.test(row)) return true;
  const last = Array.from(row).at(-1) ?? '';
  const first = Array.from(after)[0] ?? '';
  if (isIdeograph(last) && isIdeograph(first)) return true;
  return first === '"' || (row.endsWith('"') && !row.endsWith('\\"'));
}
