/**
 * Dialogs: reads the questions of agent programs from their screens. One reader, with settings for the differences
 * between programs.
 *
 *     ──────────────────────────       the border: everything above the lowest one is the conversation
 *     Do you want to proceed?          the text, up to the row `top` above it
 *     ❯ 1. Yes                         a choice with a digit; the pointer shows the one that Enter takes
 *       2. No, and tell me why
 *          what it means               rows between choices are explanations
 *
 *     ❯ No, exit                       choices without digits are directly below each other
 *       Yes, I trust this folder
 *
 *     Enter to stay · Esc to cancel    a dialog without a list: its last row names the keys (key-legend.ts)
 *
 * An agent can print all that as its own words. A dialog is recognized by its place, which is that of the composer: the
 * caller makes sure that no composer is visible.
 */
import type { Choice, Dialog, ScreenView } from '../adapter.js';
import { type DialogBlock, dialogBlock } from './dialog-block.js';
import { readKeyLegend } from './key-legend.js';

export interface DialogTraits {
  /** The signs that this program puts before the chosen row, and before nothing else. */
  readonly pointer: string;
  /**
   * Matches the first row of a dialog; null if it has none. Rows above the lowest border with text below it do not
   * belong to a dialog.
   */
  readonly border: RegExp | null;
  /** True if a dialog is in a box, so that each row begins with the side of the box. */
  readonly isBoxed: boolean;
  /**
   * Matches a row above the dialog that does not belong to it, such as a border. Null: the dialog begins at an empty
   * row.
   */
  readonly top: RegExp | null;
  /**
   * For programs whose dialogs have no border, but empty rows above them, and often a background of their own
   * (dialog-block.ts). `top` applies as well. Matches the header of the program's start screen, below which only a
   * dialog can follow.
   */
  readonly startHeader?: RegExp;
  /** Matches rows of a dialog that are not part of the question: hints, tips. */
  readonly noise?: RegExp;
  /** Matches choices that ask for text, and so cannot be chosen with one key. */
  readonly open?: RegExp;
  /** Matches choices whose key is Esc. Typing their digit only moves the pointer. */
  readonly escape?: RegExp;
  /** Matches rows whose choices have no pointer: the program marks the chosen one by its colour. */
  readonly bare?: RegExp;
}

/** Rows between two choices: explanations, rules, long labels. */
const MAX_GAP = 5;
const MAX_CHOICES = 99;
/** Maximum length of a text. A person reads a longer one in the terminal. */
const MAX_TEXT = 8000;
/** Maximum number that one key can choose. */
const MAX_DIGIT = 9;
const NUMBERED = /^(\s*)(?:([❯›>●▶→])\s*)?(\d{1,2})\.\s+(\S.*)$/u;
const POINTED = /^(\s*([❯›>●▶→])\s+)(\S.*)$/u;
const BOX_SIDE = /^\s*[│┃║]/u;
const RULES = /^[\s─━═╌╍┄┅╭╮╰╯┌┐└┘├┤│┃▄▀▔▁╹╻]*$/u;
const SIDES = /^(\s*)[│┃║](?:(\s)[│┃║])?(?=\s|$)|\s[│┃║█▐▕░▒▓](?:\s?[│┃║█▐▕░▒▓])?\s*$/gu;
const DOWN = '\x1b[B';
const UP = '\x1b[A';
const ENTER = '\r';
const ESCAPE = '\x1b';

interface Listed {
  readonly row: number;
  readonly column: number;
  readonly number: number;
  readonly label: string;
  readonly isPointed: boolean;
}

/** Returns the lowest dialog on the screen; null if there is none. */
export function readDialog(view: ScreenView, traits: DialogTraits): Dialog | null {
  const rows = view.rows.map(({ text }) => text);
  const begin = lowestBorder(rows, traits.border);
  const { startHeader, top } = traits;
  const dialogAt: DialogAt = (firstChoiceRow, choices) => {
    const block = startHeader && top ? dialogBlock(view.rows, firstChoiceRow, { top, startHeader }) : null;
    return dialogOf(rows, firstChoiceRow, choices, traits, block);
  };
  const listed = listDialog(rows, begin, traits, dialogAt);
  return listed ?? (begin === null ? null : legendDialog(rows, begin, traits, dialogAt));
}

/** Returns the dialog whose choices begin at a row. */
type DialogAt = (firstChoiceRow: number, choices: readonly Choice[]) => Dialog | null;

/** @param begin  The row of the dialog's border; null if none is visible. */
function listDialog(
  rows: readonly string[],
  begin: number | null,
  traits: DialogTraits,
  dialogAt: DialogAt,
): Dialog | null {
  const isInside = (row: number): boolean =>
    (begin === null || row > begin) && (!traits.isBoxed || BOX_SIDE.test(rows[row] ?? ''));
  const listed = numbered(rows, traits);
  const last = listed?.at(-1);
  if (listed && last && isInside(last.row)) {
    const choices = listed.map(({ number, label }): Choice => {
      const isTyped = number > MAX_DIGIT || traits.open?.test(label);
      const key = traits.escape?.test(label) ? ESCAPE : String(number);
      return { label, keys: isTyped ? null : key };
    });
    return dialogAt(listed[0]?.row ?? 0, choices);
  }
  const pointed = pointedRows(rows, traits);
  // A prompt of several lines looks the same, but is above the border.
  if (!pointed || (traits.border !== null && begin === null)) return null;
  const { first, labels, chosen } = pointed;
  if (!isInside(first)) return null;
  const choices = labels.map((label, at): Choice => {
    const moves = at < chosen ? UP.repeat(chosen - at) : DOWN.repeat(at - chosen);
    return { label, keys: traits.open?.test(label) ? null : moves + ENTER };
  });
  return dialogAt(first, choices);
}

function legendDialog(rows: readonly string[], begin: number, traits: DialogTraits, dialogAt: DialogAt): Dialog | null {
  const at = rows.findLastIndex((row) => isWords(inside(row)));
  if (at <= begin || (traits.isBoxed && !BOX_SIDE.test(rows[at] ?? ''))) return null;
  const choices = readKeyLegend(inside(rows[at] ?? ''));
  return choices ? dialogAt(at, choices) : null;
}

/** Returns the row of the lowest border that has text below it. */
function lowestBorder(rows: readonly string[], border: RegExp | null): number | null {
  if (border === null) return null;
  const last = rows.findLastIndex((row) => isWords(inside(row)));
  const found = rows.findLastIndex((row, at) => at < last && border.test(row));
  return found < 0 ? null : found;
}

const isWords = (text: string): boolean => text.trim() !== '' && !RULES.test(text);

/** Returns the text of a row without the sides of its boxes. */
export function inside(row: string): string {
  return row.replace(SIDES, (side) => ' '.repeat(side.length)).trimEnd();
}

/**
 * Returns the dialog whose choices begin at a row.
 * @param block  The rows that can belong to it, if that was determined otherwise than by their text.
 */
export function dialogOf(
  rows: readonly string[],
  end: number,
  choices: readonly Choice[],
  { top, noise }: Pick<DialogTraits, 'top' | 'noise'>,
  block: DialogBlock | null = null,
): Dialog | null {
  const words: string[] = [];
  let isWhole = false;
  for (let at = end - 1; at >= (block?.first ?? 0); at--) {
    const row = rows[at] ?? '';
    const text = inside(row).trim();
    isWhole = block === null && (top ? top.test(row) : text === '' && words.length > 0);
    if (isWhole) break;
    if (text !== '' && !RULES.test(text) && !noise?.test(text)) words.unshift(text);
  }
  // A dialog on a separate screen begins below an empty row, or with the program's name.
  if (inside(rows[0] ?? '').trim() === '') isWhole = true;
  if (block) ({ isWhole } = block);
  const all = words.join('\n');
  if (all === '') return null;
  if (isWhole && all.length <= MAX_TEXT) return { text: all, choices };
  // Offer no keys if the beginning of the dialog cannot be read.
  const text = `${isWhole ? '' : '…\n'}${all.slice(0, MAX_TEXT)}${all.length > MAX_TEXT ? '…' : ''}`;
  return { text, choices: choices.map(({ label }) => ({ label, keys: null })) };
}

/** Finds the lowest list 1, 2, 3, … with a pointer at an entry. */
function numbered(rows: readonly string[], { bare, pointer: signs }: DialogTraits): Listed[] | null {
  const found: Listed[] = [];
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] ?? '';
    if (!/\d\./.test(row)) continue;
    const match = NUMBERED.exec(inside(row));
    if (!match) continue;
    const [all, , pointer, digits = '', label = ''] = match;
    const column = all.length - label.length - digits.length;
    const below = found[0];
    const number = Number(digits);
    if (below && (number !== below.number - 1 || below.row - at > MAX_GAP || Math.abs(column - below.column) > 2)) {
      continue; // a number in an explanation
    }
    const isPointed = pointer !== undefined && signs.includes(pointer);
    found.unshift({ row: at, column, number, label: wholeLabel(rows, at, label), isPointed });
    if (number === 1) break;
  }
  const isList = found[0]?.number === 1 && found.length > 1 && found.length <= MAX_CHOICES;
  const isAsked = found.some(({ row, isPointed }) => isPointed || bare?.test(rows[row] ?? ''));
  return isList && isAsked ? found : null;
}

/**
 * Returns a label that was wrapped. The row below continues it, unless its first word would have fitted into the row
 * above.
 */
function wholeLabel(rows: readonly string[], at: number, label: string): string {
  const row = rows[at] ?? '';
  const next = inside(rows[at + 1] ?? '');
  const word = next.trim().split(/\s/)[0] ?? '';
  const width = Math.max(...rows.map((one) => one.length));
  const isWrapped = word !== '' && !NUMBERED.test(next) && !RULES.test(next);
  if (!isWrapped || inside(row).length + 1 + word.length < width - SIDE_COLUMNS) return label.trim();
  return `${label.trim()} ${next.trim()}`;
}

/** Number of columns that the boxes around a dialog use at the right. */
const SIDE_COLUMNS = 4;

/** Returns the rows directly above and below the pointed one that begin in its column. */
function pointedRows(
  rows: readonly string[],
  { pointer }: DialogTraits,
): { first: number; labels: string[]; chosen: number } | null {
  for (let at = rows.length - 1; at >= 0; at--) {
    const match = POINTED.exec(inside(rows[at] ?? ''));
    if (!match || !pointer.includes(match[2] ?? '')) continue;
    const column = (match[1] ?? '').length;
    const isChoice = (row: number): boolean => {
      const text = inside(rows[row] ?? '');
      return text !== '' && text.length - text.trimStart().length === column;
    };
    let first = at;
    while (first > 0 && isChoice(first - 1)) first--;
    let last = at;
    while (isChoice(last + 1)) last++;
    if (first === last || last - first >= MAX_CHOICES) continue;
    const labels = rows.slice(first, last + 1).map((row, index) => {
      return first + index === at ? (match[3] ?? '').trim() : inside(row).trim();
    });
    return { first, labels, chosen: at - first };
  }
  return null;
}
