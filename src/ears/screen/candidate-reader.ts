/**
 * Candidate reader: reads the rows of a screen from top to bottom, and finds candidates in them (candidates.ts says
 * which).
 *
 * In:   rows, of which most are those of the reading before.
 * Out:  the same candidates as a reading of all rows. Only these rows are read: those from the first changed row on,
 *       and earlier ones whose meaning depends on a later row.
 *
 *     rows     0 ──────── 16 ──────── 32 ──────── 48 ─────── 60
 *     marks    └ state    └ state     └ state     └ state
 *                                        ▲ changed    reading goes on at 32, or at 16 if a row above 32
 *                                                     was read with the help of a row below 32
 *
 * The state is only a cache: a new reader finds the same candidates.
 */
import {
  AROUND,
  type Candidate,
  FENCE,
  INFO,
  indentOf,
  LABEL,
  MAX_FENCE_ROWS,
  MAX_OBJECT_ROWS,
  NUMBERED,
  OBJECT_ROW_CHARS,
  type Opening,
  type Reading,
  type ReadingRules,
  readMarker,
  readObject,
  rowAbove,
  type Span,
} from './candidates.js';
import { echoEnd } from './echoed-rows.js';
import { DECORATED, NEAR_MISS_ROWS, type NearMiss, readNearMiss } from './near-misses.js';
import { ABOVE_ROWS } from './object-memo.js';
import type { PlainRow, Rows } from './rows.js';
import { MAX_REPAIR_READS } from './wrapped-json.js';

/** Rows between two marks. */
const MARK_ROWS = 16;
const PRINTED = { fences: 'printed' } as const;

interface OpenFence {
  readonly length: number;
  readonly row: number;
  readonly indent: number;
  readonly isOwn: boolean;
}

/** State of the reader between two rows: everything that the meaning of later rows depends on. */
interface State {
  readonly fences: readonly OpenFence[];
  /** Fences that were open where the box or the barred rows began. Fences that open inside are closed at its end. */
  readonly outer: readonly OpenFence[];
  readonly frame: { readonly column: number; readonly fencedFrom: number };
  readonly branch: { readonly column: number; readonly row: number };
  readonly isOther: boolean;
  /** True within the output of a person's own command. */
  readonly isCommand: boolean;
  readonly skipTo: number;
  /** Number of object rows that may still be read. */
  readonly unread: number;
  /** Number of rows that repairs of objects may still read. */
  readonly repairRows: number;
}

/** A row at which reading can continue, with the results for the rows above it. */
interface Mark {
  readonly row: number;
  readonly state: State;
  /** Index of the first row that nothing above the mark depends on. */
  readonly reach: number;
  readonly counts: readonly number[];
}

export class CandidateReader {
  #candidates: Candidate[] = [];
  #openings: Opening[] = [];
  #nearMisses: NearMiss[] = [];
  #spans: Span[] = [];
  #branches: Span[] = [];
  #marks: Mark[] = [];
  #reach = 0;
  /** The arguments and the result of the last reading. */
  #rows: Rows = [];
  #from = -1;
  #to = 0;
  #rules: ReadingRules | null = null;

  /** Reads rows `from` to `to - 1`. Later rows are read only as parts of candidates that begin before them. */
  read(rows: Rows, from: number, to: number, rules: ReadingRules): Reading {
    const mark = this.#goOn(rows, from, to, rules);
    this.#rows = rows.slice();
    this.#from = from;
    this.#to = to;
    this.#rules = rules;
    const { frame, branch, fences } = this.#readRows(mark.row, to, mark.state);
    const spans = frame.fencedFrom === -1 ? [...this.#spans] : [...this.#spans, [frame.fencedFrom, to] as const];
    const branches = branch.column === -1 ? [...this.#branches] : [...this.#branches, [branch.row, to] as const];
    const [candidates, openings, nearMisses] = [[...this.#candidates], [...this.#openings], [...this.#nearMisses]];
    return { candidates, openings, nearMisses, spans, branches, openFences: fences.map(({ row }) => row) };
  }

  /** Drops the results from the first changed row on. Returns the mark at which reading continues. */
  #goOn(rows: Rows, from: number, to: number, rules: ReadingRules): Mark {
    const changed = this.#isLike(from, rules) ? this.#firstChanged(rows, to) : -1;
    let mark = this.#marks.at(-1);
    while (mark && (mark.row > changed || mark.reach > changed)) {
      this.#marks.pop();
      mark = this.#marks.at(-1);
    }
    const [candidates = 0, openings = 0, nearMisses = 0, spans = 0, branches = 0] = mark?.counts ?? [];
    this.#candidates.length = candidates;
    this.#openings.length = openings;
    this.#nearMisses.length = nearMisses;
    this.#spans.length = spans;
    this.#branches.length = branches;
    this.#reach = mark?.reach ?? 0;
    return mark ?? { row: from, state: { ...FRESH, skipTo: from }, reach: 0, counts: [] };
  }

  #isLike(from: number, rules: ReadingRules): boolean {
    const before = this.#rules;
    if (!before || from !== this.#from || rules.typed.length > 0 || before.typed.length > 0) return false;
    const { cols, fences, isBoxed, isKnown, base } = rules;
    const isSameProgram = fences === before.fences && isBoxed === before.isBoxed && isKnown === before.isKnown;
    const isSameText = base === before.base && rules.fenceEnds === before.fenceEnds;
    return isSameProgram && isSameText && cols === before.cols;
  }

  /** Returns the index of the first row that differs from the previous reading, or that one of the two did not read. */
  #firstChanged(rows: Rows, to: number): number {
    const end = Math.min(rows.length, this.#rows.length);
    let at = this.#from;
    while (at < end && rows[at] === this.#rows[at]) at++;
    return to === this.#to ? at : Math.min(at, to, this.#to);
  }

  #isMarked(row: number): boolean {
    return row >= (this.#marks.at(-1)?.row ?? this.#from) + MARK_ROWS;
  }

  #mark(row: number, state: State): void {
    const { length } = this.#candidates;
    const counts = [length, this.#openings.length, this.#nearMisses.length, this.#spans.length, this.#branches.length];
    this.#marks.push({ row, state, reach: this.#reach, counts });
  }

  /** Records that the candidates so far depend on the rows before `row`. */
  #reaches(row: number): void {
    if (row > this.#reach) this.#reach = row;
  }

  #readRows(from: number, to: number, start: State): State {
    const rows = this.#rows;
    const rules = this.#rules as ReadingRules; // set before
    let { fences, outer, frame, branch, isOther, isCommand, skipTo, unread } = start;
    const repairs = { rows: start.repairRows };
    for (let at = from; at < to; at++) {
      if (this.#isMarked(at))
        this.#mark(at, { fences, outer, frame, branch, isOther, isCommand, skipTo, unread, repairRows: repairs.rows });
      const row = rows[at];
      const ended = rules.fenceEnds.get(rules.base + at);
      if (ended) {
        const goesOn = (fence: OpenFence): boolean => !ended.includes(rules.base + fence.row);
        [fences, outer] = [fences.filter(goesOn), outer.filter(goesOn)];
      }
      if (!row) {
        fences = [];
        [isOther, isCommand] = [false, false];
      } else if (row.voice) isOther = row.voice === 'other';
      if (isCommand) isCommand = !isRule(row, rules.cols);
      else if (row?.voice === 'command') isCommand = isRule(rows[at - 1], rules.cols);
      if (!row || (row.frame ?? -1) !== frame.column) {
        if (row?.isSoft) continue;
        if (frame.fencedFrom !== -1) this.#spans.push([frame.fencedFrom, at]);
        if (frame.column !== -1 && row) fences = outer;
        outer = fences;
        frame = { column: row?.frame ?? -1, fencedFrom: -1 };
      }
      if (!row || row.isSoft || at < skipTo) continue;
      if (row.branch !== -1) {
        if (branch.column !== -1) this.#branches.push([branch.row, at]);
        branch = { column: row.branch, row: at };
      } else if (branch.column !== -1 && row.text !== '' && indentOf(row) <= branch.column) {
        this.#branches.push([branch.row, at]);
        branch = { column: -1, row: -1 };
      }
      if (!row.isNotable || branch.column !== -1 || isOther || isCommand) continue;
      if (row.isBoxed && !rules.isBoxed) continue;
      if (fences.some((fence) => at - fence.row > MAX_FENCE_ROWS)) {
        const isNear = (fence: OpenFence): boolean => at - fence.row <= MAX_FENCE_ROWS;
        [fences, outer] = [fences.filter(isNear), outer.filter(isNear)];
      }
      this.#reaches(at + NEAR_MISS_ROWS + 1);
      const nearMiss = fences.length === 0 ? readNearMiss(rows, at) : null;
      if (nearMiss) this.#nearMisses.push(nearMiss);
      if (nearMiss || DECORATED.test(row.text)) this.#spans.push([at, at + NEAR_MISS_ROWS]);
      const fence = readFence(row, at);
      if (fence) {
        // A row that may be an echo also depends on the rows around it.
        if (rules.typed.length > 0) this.#spans.push([at - MAX_FENCE_ROWS, at + MAX_FENCE_ROWS]);
        if (frame.column !== -1 && frame.fencedFrom === -1) frame = { ...frame, fencedFrom: at };
        const end = echoEnd(rows, at, rules.typed);
        if (end !== -1) skipTo = end;
        else if (frame.column === -1) fences = moveFences(fences, fence);
        else fences = [...outer, ...moveFences(fences.slice(outer.length), fence)];
        continue;
      }
      const marker = fences.length === 0 ? readMarker(rows, at, to, rules) : null;
      if (marker) {
        this.#candidates.push(marker);
        this.#reaches(Math.max(marker.end, at + AROUND) + 1);
        this.#spans.push([at, marker.end]);
        skipTo = marker.end;
        continue;
      }
      if (unread <= 0) continue;
      const known = rules.memo.get(rows, rules.base, at, to);
      const { found, end } = known
        ? { found: known, end: known.end }
        : readObject(rows, at, to, rules, this.#spans, repairs);
      unread -= rowsRead(rows, at, end);
      this.#reaches(end + 1);
      if (known) this.#spans.push([at - ABOVE_ROWS, known.end - 1]);
      if (!found) continue;
      if ('chars' in found) {
        this.#openings.push(found);
        continue;
      }
      // A fence is remembered only if it is complete, because an envelope's end may still arrive.
      if (!known && found.form === 'fence' && !found.hasGap) rules.memo.set(rows, rules.base, found);
      skipTo = found.end;
      if (!isQuoted(rows, at, fences, rules)) this.#candidates.push(found);
      else if (!rules.isKnown && !isQuoted(rows, at, fences, PRINTED))
        this.#candidates.push({ ...found, isShown: true });
    }
    return { fences, outer, frame, branch, isOther, isCommand, skipTo, unread, repairRows: repairs.rows };
  }
}

const FRESH: State = {
  fences: [],
  outer: [],
  frame: { column: -1, fencedFrom: -1 },
  branch: { column: -1, row: -1 },
  isOther: false,
  isCommand: false,
  skipTo: 0,
  unread: MAX_OBJECT_ROWS,
  repairRows: MAX_REPAIR_READS,
};

/** True for a rule over the whole width. */
const isRule = (row: PlainRow | undefined, cols: number): boolean =>
  row?.isOrnament === true && row.text.length >= cols && /^─+$/.test(row.text);

/** Reading a long row takes as long as reading several short ones. */
function rowsRead(rows: Rows, from: number, end: number): number {
  let count = 0;
  for (let row = from; row < Math.max(end, from + 1); row++)
    count += 1 + Math.floor((rows[row]?.text.length ?? 0) / OBJECT_ROW_CHARS);
  return count;
}

function readFence(row: PlainRow, at: number): { fence: OpenFence; info: string } | null {
  const numbered = NUMBERED.exec(row.text);
  const body = numbered ? row.text.slice(numbered[0].length) : row.text;
  const match = FENCE.exec(body);
  if (!match) return null;
  const info = match[3] ?? '';
  return {
    fence: {
      length: (match[2] ?? '').length,
      row: at,
      indent: (match[1] ?? '').length + (numbered?.[0].length ?? 0),
      isOwn: info === INFO,
    },
    info,
  };
}

/** A fence with an info string opens a block. A bare fence closes the innermost block, or opens one if none is open. */
function moveFences(fences: readonly OpenFence[], { fence, info }: { fence: OpenFence; info: string }): OpenFence[] {
  if (info !== '') return [...fences, fence];
  const last = fences.at(-1);
  if (last && fence.length >= last.length) return fences.slice(0, -1);
  return last ? [...fences] : [...fences, fence];
}

/**
 * ```orchestrator-message      A program that prints fences indents their content, unless `fences` says `printed`.
 * {
 * ^
 */
function isQuoted(rows: Rows, at: number, fences: readonly OpenFence[], rules: Pick<ReadingRules, 'fences'>): boolean {
  const above = rowAbove(rows, at);
  // `markdownorchestrator-message`: the info strings of two nested fences were joined by the program.
  if (above?.text.trim().endsWith(INFO) && !LABEL.test(above.text.trim()) && !FENCE.test(stripNumber(above.text)))
    return true;
  const fence = fences.at(-1);
  if (!fence) return false;
  if (fences.length > 1 || !fence.isOwn) return true;
  const isIndented = indentOf(rows[at]) > fence.indent && !NUMBERED.test(rows[at]?.text ?? '');
  return rules.fences === 'swallowed' && !isIndented;
}

function stripNumber(text: string): string {
  const numbered = NUMBERED.exec(text);
  return numbered ? text.slice(numbered[0].length) : text;
}
