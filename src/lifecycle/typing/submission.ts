/**
 * Submission: determines if a typed text is still in a program's input line. Pure.
 *
 * Used for programs whose input line no adapter reads. The text itself shows where that line is: it is found among the
 * rows that are new since it was typed (`findTyped`). Its place is described relative to the cursor and by its
 * surroundings, because programs move their input line when they print (`standsIn`).
 *
 *     before                typed                    submitted                not submitted
 *     ╭──────────────╮      ╭──────────────╮         > postgres               ╭──────────────╮
 *     │ > █          │      │ > postgres█  │         Thinking…                │ > postgres   │
 *     ╰──────────────╯      ╰──────────────╯         ╭──────────────╮         │   █          │
 *       12:00:01              12:00:02               │ > █          │         ╰──────────────╯
 *                                                    ╰──────────────╯           12:00:09
 */
import { FRAME, isAboveEmptyLines, isInFrame, isLineLike, type Surroundings } from './input-frame.js';
import { significant, skeleton } from './significant.js';

export interface Picture {
  readonly rows: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
}

/** The place of a typed text on the screen. */
export interface TypedPosition extends Surroundings {
  /** The text to search for: the significant characters of the text, or of the part of it that the program shows. */
  readonly needle: string;
  /** The insignificant characters before the needle in the text, such as an emoji at its beginning. */
  readonly lead: string;
  /** Number of rows from the text's last row down to the cursor. */
  readonly rowsToCursor: number;
  /** Number of columns from the text's end to the cursor. Used only if they are in the same row. */
  readonly columnsToCursor: number;
  readonly isCursorVisible: boolean;
  /** The words directly behind the end of the text, such as those of a completion. Null if its end is not shown. */
  readonly tail: string | null;
  /** Number of columns from the end of those words to the cursor. */
  readonly tailToCursor: number;
  /** True if a visible cursor stands before the text, as before a suggestion that the program shows. */
  readonly isBehindCursor: boolean;
  /** The text's last row, as it is shown. */
  readonly shown: string;
  /** Number of boxes like that of the text below it, such as a footer in a box of its own. */
  readonly boxesBelow: number;
}

/**
 * `stands`: the text is still where it was typed. `left`: that place is visible without it. `unknown`: neither is
 * certain.
 */
export type TextStanding = 'stands' | 'left' | 'unknown';

/** A typed text as the screen shows it. */
interface TextSeen {
  readonly standing: TextStanding;
  /** The row of a text that is still there. */
  readonly shown: string | null;
  /** True if a completion has added words after the text. */
  readonly isChanged: boolean;
  /** True if the empty input line is seen. Without it, the program may have erased the text to paint it again. */
  readonly isLineSeen: boolean;
}

/** Lengths of the end or the beginning of a long text that may identify it. An input line may show only a part. */
const PART_CHARS = [48, 24, 12] as const;
/** Texts up to this length may occur inside other words, so they must be surrounded by blanks. */
const SHORT_CHARS = 4;
/** Matches a placeholder for a long text, such as `[Pasted text #1 +12 lines]` or `[paste #2 3 lines]`. */
const PASTED = /\[[^[\]]{0,200}\bpast[^[\]]{0,200}\]/i;

/** Matches a row of an input line without text. */
const EMPTY = /^[\s│┃║|]*$/u;

interface Occurrence {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Column indexes in those rows. */
  readonly start: number;
  readonly end: number;
}

/** @returns  The place of the text in `now` if it is not in `before`; null if it is not found. */
export function findTyped(text: string, before: Picture, now: Picture): TypedPosition | null {
  const isNew = newRows(before.rows, now.rows);
  for (const needle of needlesOf(text, now.rows)) {
    const found = occurrencesOf(needle, now.rows).filter((each) =>
      isNew.slice(each.firstRow, each.lastRow + 1).includes(true),
    );
    // If the prompt before the text is the same word, both are found: the text is further right.
    const [nearest] = found.toReversed().sort((one, other) => distance(one, now) - distance(other, now));
    if (!nearest) continue;
    const typed = placeOf({ needle, lead: leadOf(text, needle) }, nearest, now);
    const place = { ...typed, boxesBelow: boxesBelow(typed, typed, now.rows) };
    return significant(text).endsWith(needle) ? place : { ...place, tail: null };
  }
  return null;
}

/**
 * Finds the place of a text that was not seen before Enter, because the program was slow. The program may have printed
 * the text since. So the place must be the frame that was the input line `before`, and the lowest of its kind now.
 */
export function findUnsent(text: string, before: Picture, now: Picture): TypedPosition | null {
  const found = findTyped(text, before, now);
  if (!found || !FRAME.test(found.above)) return null;
  const below = skeleton(now.rows.slice(found.lastRow + 1).find((row) => FRAME.test(row)) ?? '');
  const place = { ...found, below, boxesBelow: 0 };
  // Boxes of the conversation have other prompts than the input line, which is the lowest box.
  const lowestBox = before.rows.findLastIndex((_, y) => isLineLike({ ...place, prefix: '' }, before.rows, y));
  const wasInputLine = isLineLike(place, before.rows, lowestBox);
  return wasInputLine && isLowest(place, place, now.rows) ? place : null;
}

/**
 * Finds out if a typed text is still in the input line.
 *
 * @param place  The place at which the text was found after it was typed.
 */
export function standsIn(place: TypedPosition, now: Picture): TextSeen {
  const found = occurrencesOf(place.needle, now.rows)
    .map((each) => placeOf(place, each, now))
    .filter((each) => place.isBehindCursor || !each.isBehindCursor);
  // A chat may show what was said in a box like its input line. The input line is the box below it.
  const lowest = found.filter((each) => isLowest(place, each, now.rows));
  const seen = (standing: TextStanding, isLineSeen = false): TextSeen => ({
    standing,
    shown: null,
    isChanged: false,
    isLineSeen,
  });
  const isChanged = ({ tail }: TypedPosition) => place.tail !== null && tail !== '' && tail !== place.tail;
  const stands = (each: TypedPosition): TextSeen => ({
    standing: 'stands',
    shown: each.shown,
    isChanged: isChanged(each),
    isLineSeen: true,
  });
  // Programs hide the cursor while they paint, so the text near it is then not reliable.
  const isCursorShown = now.cursor.visible || !place.isCursorVisible;
  const aboveLines = lowest.find((each) => isAboveEmptyLines(place, each, now.rows));
  if (aboveLines) return stands(aboveLines);
  const unmoved = lowest.find((each) => isUnmoved(place, each));
  if (unmoved) return stands(unmoved);
  if (isCursorShown && isSeenWithout(place, found, now)) return seen('left', now.cursor.visible);
  const inPlace = lowest.find((each) => (isCursorShown && isAtCursor(place, each)) || isInFrame(place, each, now.rows));
  if (inPlace) return stands(inPlace);
  return seen(lowest.some(({ prefix }) => prefix === place.prefix) ? 'unknown' : 'left');
}

/**
 * True if the text is still in its place, or a part of it from its beginning: a program may have deleted less than the
 * person's keys ask for.
 */
export function isLeftOver(place: TypedPosition, now: Picture): boolean {
  for (const chars of partLengths(place.needle.length, 1))
    if (standsIn({ ...place, needle: place.needle.slice(0, chars) }, now).standing === 'stands') return true;
  return false;
}

/** The lengths of the parts of a text that are looked for, from `longest` down: of a long text not every one. */
function* partLengths(longest: number, shortest: number): Generator<number> {
  for (let chars = longest; chars >= shortest; chars -= chars > PART_CHARS[0] ? PART_CHARS[0] : 1) yield chars;
}

/** A shorter part of a text may be a word of the program. */
const MIN_REST_CHARS = 4;

/**
 * Returns the row with the first or the last part of a submitted text. The part must be where the text was typed, and
 * must not have been there before the typing: that is, the program has read only the other part. Null if there is none.
 */
export function partLeft(place: TypedPosition, before: Picture, now: Picture): string | null {
  const { needle } = place;
  const shown = significant(now.rows.join(''));
  const seen = (part: string, picture: Picture): TextSeen => standsIn({ ...place, needle: part, tail: null }, picture);
  for (const chars of partLengths(needle.length - 1, MIN_REST_CHARS)) {
    for (const part of [needle.slice(0, chars), needle.slice(-chars)]) {
      const left = shown.includes(part) ? seen(part, now) : null;
      if (left?.standing === 'stands' && seen(part, before).standing !== 'stands') return left.shown;
    }
  }
  return null;
}

/**
 * True if the text is in the same rows, between the same ones: only the cursor has moved, for example from a field of a
 * form to its button.
 */
const isUnmoved = (place: TypedPosition, each: TypedPosition): boolean =>
  each.firstRow === place.firstRow &&
  each.lastRow === place.lastRow &&
  each.prefix === place.prefix &&
  each.above === place.above &&
  each.below === place.below &&
  place.below !== '';

/**
 * True for the same distance to the cursor. If the cursor is below the input line, the row below must also be the same.
 */
function isAtCursor(place: TypedPosition, each: TypedPosition): boolean {
  if (each.prefix !== place.prefix || each.rowsToCursor !== place.rowsToCursor) return false;
  if (place.rowsToCursor !== 0) return each.below === place.below;
  return each.columnsToCursor === place.columnsToCursor || each.tailToCursor === place.tailToCursor;
}

/** True if no more boxes like that of `place` are below `each` than when the text was typed. */
const isLowest = (place: TypedPosition, each: TypedPosition, rows: readonly string[]): boolean =>
  boxesBelow(place, each, rows) <= place.boxesBelow;

const boxesBelow = (place: TypedPosition, each: TypedPosition, rows: readonly string[]): number =>
  rows.filter((_, y) => y > each.lastRow && isLineLike(place, rows, y)).length;

/** True if the row where the text would be is visible without it. */
function isSeenWithout(place: TypedPosition, found: readonly TypedPosition[], { rows, cursor }: Picture): boolean {
  const y = cursor.y - place.rowsToCursor;
  const row = rows[y];
  if (row === undefined || found.some(({ lastRow }) => lastRow === y)) return false;
  if (!skeleton(row).startsWith(place.prefix)) return false;
  // In a bare frame every row of an input line begins in the same way. The row above must then also equal the row above
  // the text.
  const isPrompt = /[^\s│┃║|]/u.test(place.prefix);
  return isPrompt || (place.above !== '' && skeleton(rows[y - 1] ?? '') === place.above);
}

/** True if rows hold the text, or the beginning or the end of a long one. */
export const holdsText = (text: string, rows: readonly string[]): boolean =>
  needlesOf(text, []).some((needle) => occurrencesOf(needle, rows).length > 0);

/** True if rows hold the whole text. */
export const holdsWholeText = (text: string, rows: readonly string[]): boolean =>
  occurrencesOf(significant(text), rows).length > 0;

/** True if the place is known only by a part of a long text. */
export const isPart = (place: TypedPosition, text: string): boolean => place.needle.length < significant(text).length;

/** True if the place is known only by the beginning of a long text. */
export const isBeginning = (place: TypedPosition, text: string): boolean =>
  isPart(place, text) && significant(text).startsWith(place.needle);

/** True if the end of a text is on the screen, in a row that is new since `before`. */
export function showsEnd(text: string, before: Picture, now: Picture): boolean {
  const isNew = newRows(before.rows, now.rows);
  const end = partsOf(significant(text)).ends.at(-1);
  if (end === undefined) return false;
  return occurrencesOf(end, now.rows).some(({ firstRow, lastRow }) =>
    isNew.slice(firstRow, lastRow + 1).includes(true),
  );
}

/** Returns the parts that identify the end and the beginning of a long text: they occur in it once. */
function partsOf(whole: string): { readonly ends: string[]; readonly beginnings: string[] } {
  const isOnce = (part: string): boolean => whole.indexOf(part) === whole.lastIndexOf(part);
  const lengths = PART_CHARS.filter((chars) => chars < whole.length);
  return {
    ends: lengths.map((chars) => whole.slice(-chars)).filter(isOnce),
    beginnings: lengths.map((chars) => whole.slice(0, chars)).filter(isOnce),
  };
}

function needlesOf(text: string, rows: readonly string[]): string[] {
  const whole = significant(text);
  if (whole === '') return [];
  const { ends, beginnings } = partsOf(whole);
  const pasted = rows.map((row) => PASTED.exec(row)?.[0]).filter((each) => each !== undefined);
  return [whole, ...ends, ...beginnings, ...pasted.map(significant)];
}

/** For each row of `now`: true if there are more equal rows than before. */
export function newRows(before: readonly string[], now: readonly string[]): boolean[] {
  const counts = new Map<string, number>();
  for (const row of before) counts.set(row.trimEnd(), (counts.get(row.trimEnd()) ?? 0) + 1);
  // Equal rows are counted from the top, so the lowest of them counts as the new one.
  return now.map((row) => {
    const left = counts.get(row.trimEnd()) ?? 0;
    counts.set(row.trimEnd(), left - 1);
    return left <= 0;
  });
}

function occurrencesOf(needle: string, rows: readonly string[]): Occurrence[] {
  const places: (readonly [row: number, index: number])[] = [];
  let all = '';
  rows.forEach((row, y) => {
    let index = 0;
    for (const character of row) {
      if (significant(character) !== '') {
        all += character;
        for (let unit = 0; unit < character.length; unit++) places.push([y, index]);
      }
      index += character.length;
    }
  });
  const found: Occurrence[] = [];
  for (let at = all.indexOf(needle); at !== -1; at = all.indexOf(needle, at + 1)) {
    const [firstRow, start] = places[at] ?? [0, 0];
    const [lastRow, last] = places[at + needle.length - 1] ?? [0, 0];
    const occurrence = { firstRow, lastRow, start, end: last + 1 };
    if (needle.length >= SHORT_CHARS || standsAlone(occurrence, rows)) found.push(occurrence);
  }
  return found;
}

function standsAlone({ firstRow, lastRow, start, end }: Occurrence, rows: readonly string[]): boolean {
  const before = rows[firstRow]?.slice(0, start) ?? '';
  const after = rows[lastRow]?.slice(end) ?? '';
  return !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
}

function distance({ lastRow, end }: Occurrence, { cursor }: Picture): number {
  const rows = Math.abs(cursor.y - lastRow);
  return rows * 1000 + (rows === 0 ? Math.abs(cursor.x - end) : 0);
}

function placeOf(
  { needle, lead }: Pick<TypedPosition, 'needle' | 'lead'>,
  { firstRow, lastRow, start: needleStart, end }: Occurrence,
  { rows, cursor }: Picture,
): TypedPosition {
  const tail = tailOf(rows[lastRow]?.slice(end) ?? '');
  const start = startBefore(lead, rows[firstRow] ?? '', needleStart);
  return {
    needle,
    lead,
    rowsToCursor: cursor.y - lastRow,
    columnsToCursor: cursor.x - end,
    isCursorVisible: cursor.visible,
    firstRow,
    lastRow,
    prefix: skeleton(rows[firstRow]?.slice(0, start) ?? ''),
    above: skeleton(rows[firstRow - 1] ?? ''),
    below: skeleton(rows.slice(lastRow + 1).find((row) => !EMPTY.test(row)) ?? ''),
    tail: significant(tail),
    tailToCursor: cursor.x - end - tail.length,
    isBehindCursor: cursor.visible && cursor.y === firstRow && cursor.x === start,
    shown: (rows[lastRow] ?? '').trim(),
    boxesBelow: 0,
  };
}

/** Returns the insignificant characters before a needle that begins a text; '' for another needle. */
function leadOf(text: string, needle: string): string {
  if (!significant(text).startsWith(needle)) return '';
  const [first = ''] = needle;
  return text.slice(0, text.indexOf(first));
}

/** Returns the column of the first character of a lead. A program may show only some of the lead's characters. */
function startBefore(lead: string, row: string, end: number): number {
  const characters = Array.from(row.slice(0, end));
  const others = characters.findLastIndex((character) => !lead.includes(character));
  return lead === '' ? end : characters.slice(0, others + 1).join('').length;
}

/** Returns the words directly behind a text. Words further right, such as a clock, do not follow it. */
const tailOf = (rest: string): string =>
  (/^ ?(?! )(?:(?! {2}).)*/u.exec(rest)?.[0] ?? '').replace(/(?<![│┃║|\s])[│┃║|\s]+$/u, '');
