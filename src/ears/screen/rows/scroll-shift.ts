/**
 * Scroll shift: finds by how many rows the screen has moved over the transcript since the last look.
 *
 *     transcript           screen now        k = 2
 *       Let me see.
 *       I looked at it.
 *     ┌ There is a file.   ┌ Which one?
 *     │ Which one?         │ {
 *     └ > composer         └ > composer      equal rows at the top or bottom: a pinned header or composer
 *
 * A positive k: rows left the screen at the top. A negative k: a person scrolled back. Null: a different picture.
 */
import type { PlainRow, Rows } from './rows.js';

export interface Shift {
  readonly by: number;
  /** Number of pinned rows at the top and at the bottom. */
  readonly header: number;
  readonly footer: number;
  /** Number of rows whose text differs from the transcript's. */
  readonly misses: number;
}

/** Minimum number of characters of a row that is compared: borders and single words occur everywhere. */
const MIN_DISTINCT_CHARS = 4;
/** Minimum number of equal distinct rows of a place. */
const MIN_HITS = 2;
const UNEQUAL = -1;
/** Maximum height of a composer and its status rows, in which rows may change while the screen stands still. */
export const MAX_COMPOSER_ROWS = 8;
const MAX_CHANGED = 0.25;
const GROWN = -0.1;
const WEAK = 0.3;
/** Penalty per row of movement: of equally good places the nearest wins. */
const DISTANCE = -0.01;
/** Bonus for a place with a header. It decides between equal places. */
const PINNED = 0.03;
/** A nearer place is preferred if it has at least this part of the best place's hits. */
const NEARLY = 0.6;

/** This many changed rows are always few; on a large screen, a quarter of the rows. */
const MIN_CHANGED = 4;
/** For each changed row, at least this many of the compared rows must be unchanged. */
const MIN_STANDING = 2;

/**
 * True if the screen has not moved and nothing has begun on it: few rows have other text, and none of them is or was
 * notable.
 *
 * @param changed Indices of the rows whose text may differ.
 */
export function isInPlace(previous: Rows, screen: readonly PlainRow[], changed: Iterable<number>): boolean {
  const size = screen.length;
  if (previous.length !== size) return false;
  let count = 0;
  for (const index of changed) {
    const before = previous[index];
    const now = screen[index];
    if (before === now || !before || !now || (before.text === now.text && before.isSoft === now.isSoft)) continue;
    if (before.isNotable || now.isNotable) return false;
    if (++count > Math.max(MIN_CHANGED, size >> 2)) return false;
    // If the old or the new text stands in another row, the text has moved, so the screen is not in place.
    if (stands(now, previous) || stands(before, screen)) return false;
  }
  let standing = 0;
  for (let index = 0; index < size; index++) {
    if (previous[index]?.squashed === screen[index]?.squashed && isDistinct(screen[index])) standing++;
  }
  return standing >= MIN_STANDING * count;
}

const stands = (row: PlainRow, rows: Rows): boolean =>
  isDistinct(row) && rows.some((other) => other?.squashed === row.squashed);

/**
 * @param transcript All rows so far.
 * @param top Index in it of the first row of the last look's screen.
 * @param previous The last look's rows. Pinned rows are not in the transcript.
 * @param screen This look's rows.
 */
export function findShift(transcript: Rows, top: number, previous: Rows, screen: readonly PlainRow[]): Shift | null {
  const size = screen.length;
  const isSame = (index: number): boolean => previous[index]?.squashed === screen[index]?.squashed;
  let header = 0;
  while (header < size && isSame(header)) header++;
  if (header === size) return { by: 0, header: size, footer: 0, misses: 0 };
  const footer = findFooter(size, header, isSame);

  const isAtEnd = top + size >= transcript.length;
  // Pinned rows are only in the last look's screen. A torn screen showed old rows in place of some that are known.
  const [seen, known] = [scoreAt(previous, 0, screen, 0, size), scoreAt(transcript, top, screen, 0, size)];
  const stay = known.score > seen.score ? known : seen;
  const places: (Shift & Score)[] = [];
  if (stay.hits >= 1 || stay.distinct === 0) places.push({ by: 0, header, footer, ...stay });
  // No place can be much better than this one, and the nearest one is preferred.
  if (stay.hits >= 1 && stay.misses === 0 && stay.hits >= stay.distinct * NEARLY && stay.score + PINNED * header > 0) {
    return { by: 0, header, footer, misses: 0 };
  }
  const pinned = [headerWithClock(previous, screen), header, 0].filter(
    (rows, at, all) => rows <= size / 2 && all.indexOf(rows) === at,
  );
  const equal = countEqual(transcript, top, screen);
  for (let distance = 1; distance < size - footer; distance++) {
    for (const by of [distance, -distance]) {
      if ((equal.get(by) ?? 0) < MIN_HITS) continue;
      for (const from of pinned) {
        if (distance >= size - footer - from) continue;
        // When the screen scrolls, the rows that enter at the bottom take the place of the composer.
        const to = size - footer - (isAtEnd ? Math.max(0, by) : 0);
        const score = scoreAt(transcript, top + by, screen, from, to);
        if (score.hits >= MIN_HITS && score.hits > score.misses) places.push({ by, header: from, footer, ...score });
      }
    }
  }
  const best = nearest(places);
  if (best?.by === 0 && stay.misses > 3 && stay.misses > 2 * stay.hits) return null;
  return best;
}

/** Maximum number of rows of a header that show a clock or a counter. */
const MAX_CLOCK_ROWS = 4;
const withoutNumbers = (row: PlainRow | undefined): string | undefined => row?.squashed.replace(/\d+/g, '0');

/** True if the rows differ at most in their numbers. */
export const hasClock = (before: PlainRow | undefined, now: PlainRow | undefined): boolean =>
  before?.squashed === now?.squashed || (now?.isNotable === false && withoutNumbers(before) === withoutNumbers(now));

/** Returns the number of rows at the top that differ at most in their numbers; 0 if too many for a header differ. */
function headerWithClock(previous: Rows, screen: readonly PlainRow[]): number {
  let rows = 0;
  let clocks = 0;
  for (; rows < screen.length && hasClock(previous[rows], screen[rows]); rows++)
    if (previous[rows]?.squashed !== screen[rows]?.squashed) clocks++;
  return clocks > MAX_CLOCK_ROWS ? 0 : rows;
}

/** Counts for each shift how many distinct rows of the screen it would bring to an equal row of the transcript. */
function countEqual(transcript: Rows, top: number, screen: readonly PlainRow[]): ReadonlyMap<number, number> {
  const indexes = new Map<string, number[]>();
  screen.forEach((row, index) => {
    if (!isDistinct(row)) return;
    const same = indexes.get(row.squashed);
    if (same) same.push(index);
    else indexes.set(row.squashed, [index]);
  });
  const counts = new Map<number, number>();
  const end = Math.min(transcript.length, top + 2 * screen.length);
  for (let at = Math.max(0, top - screen.length); at < end; at++) {
    for (const index of indexes.get(transcript[at]?.squashed ?? '') ?? []) {
      const by = at - top - index;
      counts.set(by, (counts.get(by) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 *     ──────────────     same
 *     >                  same
 *     ──────────────     same
 *       ? for help       a status row, or a clock, may have changed
 */
function findFooter(size: number, header: number, isSame: (index: number) => boolean): number {
  let footer = 0;
  let changed = 0;
  for (let rows = 1; rows <= size - header; rows++) {
    if (!isSame(size - rows)) changed++;
    else if (changed === 0 || (rows <= MAX_COMPOSER_ROWS && changed <= rows * MAX_CHANGED)) footer = rows;
  }
  return footer;
}

/**
 * The best place. If several are almost as good, the nearest one: a conversation that repeats itself fits in many
 * places, and may fit further up with even more rows than at its end.
 */
function nearest(places: readonly (Shift & Score)[]): Shift | null {
  let best: (Shift & Score) | null = null;
  for (const place of places) if (!best || worth(place) > worth(best)) best = place;
  if (!best) return null;
  const { hits, misses } = best;
  // The places are sorted by distance, so the first one that is nearly as good is the nearest.
  const near = places.find((place) => place.misses <= misses && place.hits >= hits * NEARLY && worth(place) > 0);
  const { by, header, footer, misses: unlike } = near ?? best;
  return { by, header, footer, misses: unlike };
}

function worth({ score, by, header }: Shift & Score): number {
  return score + DISTANCE * Math.abs(by) + PINNED * header;
}

interface Score {
  readonly score: number;
  readonly hits: number;
  readonly misses: number;
  readonly distinct: number;
}

/** How well rows `from` … `to - 1` of the screen match the transcript, beginning at `top`. */
function scoreAt(transcript: Rows, top: number, screen: readonly PlainRow[], from: number, to: number): Score {
  let score = 0;
  let hits = 0;
  let misses = 0;
  let distinct = 0;
  for (let index = from; index < to; index++) {
    const before = transcript[top + index]?.squashed;
    const now = screen[index]?.squashed ?? '';
    const isDistinct = now.length >= MIN_DISTINCT_CHARS && !screen[index]?.isOrnament;
    if (isDistinct) distinct++;
    if (before === undefined || (before === '' && now === '')) continue;
    if (before === now) {
      score += isDistinct ? 1 : WEAK;
      if (isDistinct) hits++;
    } else if (before === '') score += GROWN;
    else if (now.startsWith(before)) score += GROWN;
    else {
      score += UNEQUAL;
      if (!transcript[top + index]?.isOrnament) misses++;
    }
  }
  return { score, hits, misses, distinct };
}

/** If a text occurs more often, only this many of its last occurrences are compared. */
const MAX_OCCURRENCES = 50;
/** The part of a picture's distinct rows that must match the transcript. */
const MIN_AGREEING = 0.5;
export const MIN_AGREEING_ROWS = 3;
/** Minimum number of distinct rows. A picture with fewer may still turn out to be an old one. */
const MIN_EVIDENCE_ROWS = 4;

export interface Alignment {
  /**
   * Index of the transcript's row that matches the picture's first row; negative if the picture begins above all known
   * rows; or null.
   */
  readonly place: number | null;
  /**
   * True if more rows of the picture would hardly change the place: enough rows match, and no other place is as good.
   */
  readonly isCertain: boolean;
}

/**
 * Finds the place in the transcript of a picture that does not continue the last one: after page keys, a dialog, a
 * repaint. Of several equally good places it returns `stay`, else the last one.
 *
 * @param floor Index of the first row that counts.
 * @param stay Index of the picture if it has no other place; null if the screen was erased or changed its size.
 */
export function findPlace(transcript: Rows, picture: Rows, floor = 0, stay: number | null = null): Alignment {
  const places = new Map<string, number[]>();
  for (const row of picture) if (isDistinct(row)) places.set(row.squashed, []);
  for (let index = Math.max(0, floor); index < transcript.length; index++) {
    const row = transcript[index];
    if (row && !row.isOrnament) places.get(row.squashed)?.push(index);
  }
  const votes = new Map<number, number>();
  let distinct = 0;
  picture.forEach((row, index) => {
    if (!isDistinct(row)) return;
    distinct++;
    for (const place of (places.get(row.squashed) ?? []).slice(-MAX_OCCURRENCES)) {
      votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
    }
  });
  let best: number | null = null;
  let most = 0;
  let isTie = false;
  for (const [offset, count] of votes) {
    if (count < most) continue;
    isTie = count === most;
    if (count > most || offset > (best ?? offset)) best = offset;
    most = count;
  }
  if (stay !== null && votes.get(stay) === most) {
    best = stay;
    isTie = false;
  }
  const isMost = most >= MIN_AGREEING_ROWS && most >= distinct * MIN_AGREEING;
  // Rows that were wrapped at another width match only by chance, so a majority or an equal beginning is required.
  const fits = isMost || (stay !== null && best !== null && beginsAt(transcript, best, picture));
  const isCertain = distinct >= MIN_EVIDENCE_ROWS && !(fits && isTie);
  return { place: fits ? best : null, isCertain };
}

/** True if the picture's first rows match the transcript there. The rows below them may all be new. */
function beginsAt(transcript: Rows, place: number, picture: Rows): boolean {
  let agreeing = 0;
  for (const [index, row] of picture.entries()) {
    if (!isDistinct(row)) continue;
    if (transcript[place + index]?.squashed !== row.squashed) return false;
    if (++agreeing === MIN_EVIDENCE_ROWS) return true;
  }
  return false;
}

export function isDistinct(row: PlainRow | undefined): row is PlainRow {
  return row !== undefined && row.squashed.length >= MIN_DISTINCT_CHARS && !row.isOrnament;
}

/**
 * Returns how much of the screen's previous content was painted over, from its first row on. `nothing`: that row, or
 * all but a few rows, are the same. `some`, or `most`: that part is different.
 *
 * @param top Index in the transcript of the screen's first row.
 */
export function paintedOver(transcript: Rows, top: number, screen: readonly PlainRow[]): 'nothing' | 'some' | 'most' {
  let same = 0;
  let changed = 0;
  let isFirstSame = false;
  screen.forEach((row, index) => {
    const before = transcript[top + index];
    if (!isDistinct(before)) return;
    if (row.squashed.startsWith(before.squashed)) {
      isFirstSame ||= changed === 0;
      same++;
    } else changed++;
  });
  if (changed < MIN_AGREEING_ROWS) return 'nothing';
  if (changed > same) return 'most';
  return isFirstSame ? 'nothing' : 'some';
}

/**
 * Returns how many of the transcript's rows that could be a message are shown again by a picture. `all`: all or most of
 * them. `some`: the others may follow below. `none`: other rows are there.
 *
 * @param place Index in the transcript of the picture's first row.
 */
export function paintedAgain(transcript: Rows, place: number, picture: Rows): 'all' | 'some' | 'none' {
  const end = place + picture.findLastIndex((row) => row !== undefined && row.squashed !== '');
  let same = 0;
  let other = 0;
  let open = 0;
  for (let index = Math.max(0, place); index < transcript.length; index++) {
    const row = transcript[index];
    if (!row?.isNotable) continue;
    if (index > end) open++;
    else if (picture[index - place]?.squashed === row.squashed) same++;
    else other++;
  }
  if (same > other + open) return 'all';
  return other === 0 && open > 0 ? 'some' : 'none';
}
