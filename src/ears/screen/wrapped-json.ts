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
 */
import { MAX_BLOCK_CHARS } from '../bounds.js';
import { readJson } from '../json.js';
import { columns, isIdeograph, type Rows } from './rows.js';

export type WrappedJson =
  | {
      readonly kind: 'closed';
      readonly text: string;
      readonly endRow: number;
      readonly endColumn: number;
      /** True if the strings are, character by character, what the program was given, so that nothing was guessed. */
      readonly isExact: boolean;
      /** True if a row within the object is empty: its text may not be painted yet. */
      readonly hasGap: boolean;
    }
  /** The text could be JSON so far, but the rows end. */
  | { readonly kind: 'open'; readonly chars: number; readonly endRow: number }
  /** The text cannot become JSON, whatever follows. */
  | { readonly kind: 'broken'; readonly chars: number; readonly endRow: number };

function kindOf(char: string): number {
  if (isBlank(char)) return BLANK;
  if ('{['.includes(char)) return OPENS;
  if ('}]'.includes(char)) return CLOSES;
  return /[",:\d.E+\-a-z]/.test(char) ? PART : OTHER;
}

const isBlank = (char: string): boolean => char.trim() === '';

interface Wrap {
  /** Index in the text where the next row begins. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

const GUTTER = /^\s*\d{1,5}(?:\s|$)/;
/** Indexed by character code: what a character outside of strings does in JSON, if it can stand there. */
const OTHER = 0;
const BLANK = 1;
const PART = 2;
const OPENS = 3;
const CLOSES = 4;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
const [QUOTE, BACKSLASH] = ['"', '\\'].map((char) => char.charCodeAt(0));
/** Maximum number of rows that are searched for a row that has lost characters. */
const MAX_REPAIR_DISTANCE = 64;
/** Maximal number of rows of one object. */
const MAX_ROWS = 8192;

/**
 * Characters that a row may have lost at its end, because the terminal counts more columns for its emoji than the
 * program.
 */
const LOST = ['"', '",', '","', '"]', '"],', '"}', '"},', '"]}}'];
/** Number of rows of one object for which a repair is tried. */
const MAX_REPAIRED_ROWS = 4;

interface Repair {
  /** The row behind which something is missing, and the missing text. */
  readonly row: number;
  readonly lost: string;
}

/**
 * Reads an object. If it is broken behind a row that emoji have made longer than the screen, the text that the row may
 * have lost is added.
 *
 * @param row The row of its `{` …
 * @param column … and the index in the row's text.
 */
export function readWrapped(rows: Rows, row: number, column: number, cols: number): WrappedJson {
  const read = readOnce(rows, row, column, cols);
  if (read.kind === 'closed' && readJson(read.text).ok) return read;
  let tried = 0;
  for (let at = row; at < rows.length && at <= row + MAX_REPAIR_DISTANCE && tried < MAX_REPAIRED_ROWS; at++) {
    const text = rows[at]?.text ?? '';
    if (!UNSURE_WIDTH.test(text) || columns(text) < cols - 1) continue;
    tried++;
    for (const lost of LOST) {
      const repaired = readOnce(rows, row, column, cols, { row: at, lost });
      if (repaired.kind === 'closed' && readJson(repaired.text).ok) return { ...repaired, isExact: false };
    }
  }
  return read;
}

function readOnce(rows: Rows, row: number, column: number, cols: number, repair?: Repair): WrappedJson {
  const lead = rows[row]?.text.slice(0, column) ?? '';
  const isNumbered = /^\s*\d+\s+$/.test(lead);
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let text = '';
  let gap = 0;
  let hasGap = false;
  const wraps: Wrap[] = [];
  let isSoftSure = true;
  let at = row;
  for (; at < rows.length && at < row + MAX_ROWS; at++) {
    const current = rows[at];
    if (!current) break;
    let line = at === row ? current.text.slice(column) : current.text;
    let offset = at === row ? column : 0;
    if (repair && at === repair.row + 1) {
      const trimmed = line.trimStart();
      offset += line.length - trimmed.length - repair.lost.length;
      line = repair.lost + trimmed;
    } else if (at > row && !current.isSoft) {
      if (line.trim() === '') {
        if (isString) return { kind: 'broken', chars: text.length, endRow: at };
        // One blank row may be part of pretty-printed JSON; more are the end of what is painted.
        if (++gap > 2) return { kind: 'broken', chars: text.length, endRow: at };
        hasGap = true;
        continue;
      }
      gap = 0;
      if (isNumbered && !isString && GUTTER.test(line)) {
        const gutter = GUTTER.exec(line)?.[0] ?? '';
        line = line.slice(gutter.length);
        offset = gutter.length;
      }
      if (isString) {
        const trimmed = line.trimStart();
        offset += line.length - trimmed.length;
        line = trimmed;
        wraps.push({ at: text.length, before: rows[at - 1]?.text ?? '', after: trimmed });
      } else if (/[A-Za-z\d.+-]$/.test(text) && /^\s*[a-z\d.]/.test(line)) {
        const trimmed = line.trimStart();
        offset += line.length - trimmed.length;
        line = trimmed;
      } else text += '\n';
    } else if (at > row && isString && text.endsWith(' ') && isWide(line)) {
      // The terminal leaves the last column empty if a wide character does not fit, so a blank there may not be part of
      // the text.
      text = text.slice(0, -1);
      isSoftSure = false;
    }
    for (let index = 0; index < line.length; index++) {
      const code = line.charCodeAt(index);
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isString = false;
        continue;
      }
      const kind = code < KINDS.length ? KINDS[code] : isBlank(line.charAt(index)) ? BLANK : OTHER;
      if (kind === BLANK) continue;
      if (kind === OTHER) return { kind: 'broken', chars: text.length + index + 1, endRow: at };
      if (code === QUOTE) isString = true;
      else if (kind === OPENS) depth++;
      else if (kind === CLOSES) depth--;
      if (depth === 0) {
        text += line.slice(0, index + 1);
        const isExact = isSoftSure && wraps.every(isWithinEscape) && isSureText(rows.slice(row, at + 1), text);
        const end = { endRow: at, endColumn: offset + index + 1 };
        return { kind: 'closed', text: join(text, wraps, cols), ...end, isExact, hasGap };
      }
    }
    text += line;
    if (text.length > MAX_BLOCK_CHARS) return { kind: 'broken', chars: text.length, endRow: at };
  }
  return { kind: 'open', chars: text.length, endRow: at };
}

function join(text: string, wraps: readonly Wrap[], cols: number): string {
  // Programs leave a margin of their own; the widest row that was broken shows its size.
  const right = Math.max(cols * 0.5, ...wraps.map(({ before }) => columns(before)));
  let joined = '';
  let at = 0;
  for (const wrap of wraps) {
    joined += text.slice(at, wrap.at);
    at = wrap.at;
    if (!isGlued(wrap, right)) joined += ' ';
  }
  return joined + text.slice(at);
}

const isWide = (line: string): boolean => columns(Array.from(line)[0] ?? '') === 2;

/** True if the row ends with a backslash, or with a part of `\\u00e9`: no blank can be there. */
function isWithinEscape({ before }: Pick<Wrap, 'before'>): boolean {
  return /(?<!\\)(?:\\\\)*\\(?:u[\dA-Fa-f]{0,3})?$/.test(before);
}

/**
 * Characters for whose width programs and terminals differ: cells of them may be lost, or left over. Parts of emoji,
 * marks that combine with other letters (Hindi, Thai), and characters without a width, such as those for the direction
 * of text.
 */
const UNSURE_WIDTH = /\p{M}|\p{Cf}|[\u0e33\u0eb3]|[\u{1f3fb}-\u{1f3ff}]|[\u{1f1e6}-\u{1f1ff}]/u;

/**
 * A program that draws markdown removes the backticks of a fence in a string: its language is left, or an odd backtick.
 */
const LOST_FENCE = /(?:"|\\n)[a-z+#]{1,12}\\n/;

function isSureText(rows: Rows, text: string): boolean {
  const hasLostTicks = LOST_FENCE.test(text) || (text.match(/`/g)?.length ?? 0) % 2 === 1;
  return !hasLostTicks && !UNSURE_WIDTH.test(text) && !rows.some((row) => row?.isChanged);
}

/**
 *     …/routes/session-coo|kie.test.ts      a word that no row can hold is cut
 *     …a well-|known name    src/|auth      wrappers also break behind - and /
 *     …数据|库                               wide characters break anywhere
 *     "name":|"a b"                         nothing was eaten at the string's own quotes
 *     \\server\|\share  caf\u00|e9            nor within an escape
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
