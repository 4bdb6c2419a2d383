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
 *
 * The file is long because every reading can continue from the state of the one before.
 */

import { echoEnd, type PlainRow, type Rows } from '../rows/index.js';
import {
  AROUND,
  type Candidate,
  FENCE,
  INFO,
  indentOf,
  isLabel,
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
import {
  DAMAGED_ROWS,
  DECORATED,
  isTyped,
  NEAR_MISS_ROWS,
  type NearMiss,
  readDamaged,
  readNearMiss,
} from './near-misses.js';
import { ABOVE_ROWS } from './object-memo.js';
import { MAX_REPAIR_READS, type RepairBudget } from './wrapped-json.js';

/** Rows between two marks. */
const MARK_ROWS = 16;
const PRINTED = { fences: 'printed' } as const;

interface OpenFence {
  /** A backtick or a tilde. */
  readonly sign: string;
  readonly length: number;
  readonly row: number;
  readonly indent: number;
  readonly isOwn: boolean;
}

/** State of the reader between two rows: everything that the meaning of later rows depends on. */
interface State {
  fences: readonly OpenFence[];
  /** Fences that were open where the box or the barred rows began. Fences that open inside are closed at its end. */
  outer: readonly OpenFence[];
  frame: { readonly column: number; readonly fencedFrom: number };
  branch: { readonly column: number; readonly row: number };
  /** The last row that has ended a block, and the row in which that block began. */
  ended: { readonly at: number; readonly from: number };
  isOther: boolean;
  /** True within the output of a person's own command. */
  isCommand: boolean;
  skipTo: number;
  /** Number of object rows that may still be read. */
  unread: number;
  /** Limits the repairs of objects. */
  repairs: RepairBudget;
}

/** A row at which reading can continue, with the results for the rows above it. */
interface Mark {
  readonly row: number;
  readonly state: Readonly<State>;
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
  #state = FRESH;
  #nextMark = 0;
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
    this.#state = copyOf(mark.state);
    this.#nextMark = (this.#marks.at(-1)?.row ?? from) + MARK_ROWS;
    this.#readRows(mark.row, to);
    const { frame, branch, fences } = this.#state;
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
    return mark ?? { row: from, state: { ...copyOf(FRESH), skipTo: from }, reach: 0, counts: [] };
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

  #mark(row: number): void {
    const { length } = this.#candidates;
    const counts = [length, this.#openings.length, this.#nearMisses.length, this.#spans.length, this.#branches.length];
    this.#marks.push({ row, state: copyOf(this.#state), reach: this.#reach, counts });
    this.#nextMark = row + MARK_ROWS;
  }

  /** Records that the candidates so far depend on the rows before `row`. */
  #reaches(row: number): void {
    if (row > this.#reach) this.#reach = row;
  }

  #readRows(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (at >= this.#nextMark) this.#mark(at);
      if (this.#canBegin(at)) this.#readCandidate(at, to);
    }
  }

  /** Follows fences, boxes, branches and speakers. Returns true if a candidate can begin in the row. */
  #canBegin(at: number): boolean {
    const state = this.#state;
    const rules = this.#rules as ReadingRules; // set before
    const row = this.#rows[at];
    const ended = rules.fenceEnds.size > 0 ? rules.fenceEnds.get(rules.base + at) : undefined;
    if (ended) this.#keepFences((fence) => !ended.includes(rules.base + fence.row));
    if (!row) {
      state.fences = NO_FENCES;
      state.isOther = false;
      state.isCommand = false;
    } else if (row.voice) state.isOther = row.voice === 'other';
    if (state.isCommand) state.isCommand = !isRule(row, rules.cols);
    else if (row?.voice === 'command') state.isCommand = isRule(this.#rows[at - 1], rules.cols);
    if (!row || (row.frame ?? -1) !== state.frame.column) {
      if (row?.isSoft) return false;
      this.#changeFrame(row, at);
    }
    if (!row || row.isSoft || at < state.skipTo) return false;
    if (row.branch !== -1 || state.branch.column !== -1) this.#followBranch(row, at);
    if (!row.isNotable || state.branch.column !== -1 || state.isOther || state.isCommand) return false;
    return !row.isBoxed || rules.isBoxed;
  }

  #changeFrame(row: PlainRow | undefined, at: number): void {
    const state = this.#state;
    const { column, fencedFrom } = state.frame;
    if (fencedFrom !== -1) this.#spans.push([fencedFrom, at]);
    if (column !== -1 && row) state.fences = state.outer;
    state.outer = state.fences;
    state.frame = row?.frame === undefined || row.frame === -1 ? NO_FRAME : { column: row.frame, fencedFrom: -1 };
  }

  #followBranch(row: PlainRow, at: number): void {
    const { branch } = this.#state;
    // An unknown program may count columns differently than a terminal: an object is less indented then.
    const isJoined = !this.#rules?.isKnown && row.isNotable && this.#rows[at - 1]?.text !== '';
    if (row.branch === -1 && (row.text === '' || indentOf(row) > branch.column || isJoined)) return;
    if (branch.column !== -1) this.#branches.push([branch.row, at]);
    this.#state.branch = row.branch === -1 ? NO_BRANCH : { column: row.branch, row: at };
  }

  #keepFences(isKept: (fence: OpenFence) => boolean): void {
    const state = this.#state;
    state.fences = state.fences.filter(isKept);
    state.outer = state.outer.filter(isKept);
  }

  /** Reads what begins in a notable row: a near miss, a fence, a marker or an object. */
  #readCandidate(at: number, to: number): void {
    const state = this.#state;
    const rows = this.#rows;
    const rules = this.#rules as ReadingRules; // set before
    const isFar = (fence: OpenFence): boolean => at - fence.row > MAX_FENCE_ROWS;
    if (state.fences.some(isFar)) this.#keepFences((fence) => !isFar(fence));
    this.#reaches(at + NEAR_MISS_ROWS + 1);
    const isBare = state.fences.length === 0;
    const nearMiss = isBare ? readNearMiss(rows, at) : null;
    if (nearMiss) this.#nearMisses.push(nearMiss);
    if (nearMiss || DECORATED.test((rows[at] as PlainRow).text)) this.#spans.push([at, at + NEAR_MISS_ROWS]);
    if (this.#readFence(at)) return;
    const marker = isBare ? readMarker(rows, at, to, rules) : null;
    if (marker) {
      this.#candidates.push(this.#belowFence(marker));
      this.#reaches(Math.max(marker.end, at + AROUND) + 1);
      this.#spans.push([at, marker.end]);
      state.skipTo = marker.end;
    } else if (state.unread > 0) this.#readObject(at, to);
  }

  /** Opens or closes the fence in a row. Returns false if there is none. */
  #readFence(at: number): boolean {
    const state = this.#state;
    const rows = this.#rows;
    const { typed } = this.#rules as ReadingRules; // set before
    const fence = readFence(rows[at] as PlainRow, at); // the row is notable
    if (!fence) return false;
    // A row that may be an echo also depends on the rows around it.
    if (typed.length > 0) this.#spans.push([at - MAX_FENCE_ROWS, at + MAX_FENCE_ROWS]);
    const { column, fencedFrom } = state.frame;
    if (column !== -1 && fencedFrom === -1) state.frame = { column, fencedFrom: at };
    const end = echoEnd(rows, at, typed);
    const last = state.fences.at(-1);
    if (end !== -1) state.skipTo = end;
    else if (column === -1) state.fences = moveFences(state.fences, fence);
    else state.fences = [...state.outer, ...moveFences(state.fences.slice(state.outer.length), fence)];
    if (last && !state.fences.includes(last)) state.ended = { at, from: last.row };
    return true;
  }

  /** Returns the candidate, with the row of the block that ends directly above it. */
  #belowFence(candidate: Candidate): Candidate {
    const { ended } = this.#state;
    return ended.at === candidate.row - 1 ? { ...candidate, fencedFrom: ended.from } : candidate;
  }

  #readObject(at: number, to: number): void {
    const state = this.#state;
    const rows = this.#rows;
    const rules = this.#rules as ReadingRules; // set before
    const known = rules.memo.get(rows, rules.base, at, to);
    const { found, end } = known
      ? { found: known, end: known.end }
      : readObject(rows, at, to, rules, this.#spans, state.repairs);
    state.unread -= rowsRead(rows, at, end);
    this.#reaches(end + 1);
    if (known) this.#spans.push([at - ABOVE_ROWS, known.end - 1]);
    if (!found || 'chars' in found) {
      if (found) this.#openings.push(found);
      this.#readDamaged(at, to);
      return;
    }
    // A fence is remembered only if it is complete, because an envelope's end may still arrive.
    if (!known && found.form === 'fence' && !found.hasGap) rules.memo.set(rows, rules.base, found);
    state.skipTo = found.end;
    if (!isQuoted(rows, at, state.fences, rules)) this.#candidates.push(this.#belowFence(found));
    else if (!rules.isKnown && !isQuoted(rows, at, state.fences, PRINTED))
      this.#candidates.push({ ...found, isShown: true });
  }

  #readDamaged(at: number, to: number): void {
    if (this.#state.fences.length > 0 || !isTyped(this.#rows, at)) return;
    const miss = readDamaged(this.#rows, at, to);
    if (miss) this.#nearMisses.push(miss);
    this.#reaches(at + DAMAGED_ROWS + 1);
    this.#spans.push([at, at + DAMAGED_ROWS]);
  }
}

const NO_FENCES: readonly OpenFence[] = [];
const NO_FRAME: State['frame'] = { column: -1, fencedFrom: -1 };
const NO_BRANCH: State['branch'] = { column: -1, row: -1 };

const FRESH: State = {
  fences: NO_FENCES,
  outer: NO_FENCES,
  frame: NO_FRAME,
  branch: NO_BRANCH,
  ended: { at: -2, from: -2 },
  isOther: false,
  isCommand: false,
  skipTo: 0,
  unread: MAX_OBJECT_ROWS,
  repairs: { rows: MAX_REPAIR_READS },
};

/** Always makes an object of the same shape, for V8. */
const copyOf = (state: State): State => ({ ...state, repairs: { rows: state.repairs.rows } });

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
  const [, , signs = ''] = match;
  return {
    fence: {
      sign: signs.charAt(0),
      length: signs.length,
      row: at,
      indent: (match[1] ?? '').length + (numbered?.[0].length ?? 0),
      isOwn: info === INFO,
    },
    info,
  };
}

/**
 * True if a candidate on a screen may stand in a fence. Below it stands a fence; above it stands one of the same signs,
 * which may be the beginning or the end of a block, or none. A label shows that the program does not print the
 * candidate's own fence.
 *
 * @param from  The first row of the screen, or the first row below the last prompt.
 * @param isBegun  True if no text stands above `from`, so that no block is open there.
 */
export function mayBeFenced(rows: Rows, { row, end }: Candidate, from: number, to: number, isBegun: boolean): boolean {
  const label = rows[row - 1];
  if (label && isLabel(label)) return false;
  const below = nextFence(rows, end, to);
  if (below?.info !== '') return false;
  let last: OpenFence | null = null;
  let isOpen = false;
  let isCertain = isBegun;
  for (let found = nextFence(rows, from, row); found; found = nextFence(rows, found.fence.row + 1, row)) {
    last = found.fence;
    isCertain ||= found.info !== '';
    isOpen = found.info !== '' || !isOpen;
  }
  // A fence directly below a text without one above it: the block may have begun above the screen.
  if (last === null) return !isBegun && below.fence.row === end;
  if (last.isOwn) return false;
  return (isOpen || !isCertain) && last.sign === below.fence.sign && below.fence.length >= last.length;
}

function nextFence(rows: Rows, from: number, to: number): ReturnType<typeof readFence> {
  for (let at = from; at < to; at++) {
    const row = rows[at];
    const found = row ? readFence(row, at) : null;
    if (found) return found;
  }
  return null;
}

/**
 * A fence with an info string opens a block. A bare fence closes the innermost block of the same sign, or opens one if
 * none is open.
 */
function moveFences(fences: readonly OpenFence[], { fence, info }: { fence: OpenFence; info: string }): OpenFence[] {
  if (info !== '') return [...fences, fence];
  const last = fences.at(-1);
  if (last && fence.sign === last.sign && fence.length >= last.length) return fences.slice(0, -1);
  return last ? [...fences] : [...fences, fence];
}

/**
 * ```orchestrator-message      A program that prints fences draws them in another column than their content, unless
 * {                            `fences` says `printed`. A quotation has both in the same column.
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
  const isApart = indentOf(rows[at]) !== fence.indent && !NUMBERED.test(rows[at]?.text ?? '');
  return rules.fences === 'swallowed' && !isApart;
}

function stripNumber(text: string): string {
  const numbered = NUMBERED.exec(text);
  return numbered ? text.slice(numbered[0].length) : text;
}
