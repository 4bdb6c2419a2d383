/**
 * Guards every emulator that reads the output of programs: some sequences in the pinned xterm.js throw, run for hours,
 * or take gigabytes.
 */
import type { Terminal } from '@xterm/headless';
import { CELL, IS_COMBINED } from './cell-layout.js';
import { type XtermInternals, xtermInternals } from './xterm-internals.js';

/**
 * Sequences with a count that the emulator repeats one by one, or allocates for, without a limit; each with the largest
 * count that has an effect.
 */
const COUNTED = {
  '@': ['insertChars', 'cols'],
  I: ['cursorForwardTab', 'cols'],
  L: ['insertLines', 'rows'],
  M: ['deleteLines', 'rows'],
  P: ['deleteChars', 'cols'],
  S: ['scrollUp', 'rows'],
  T: ['scrollDown', 'rows'],
  Z: ['cursorBackwardTab', 'cols'],
  b: ['repeatPrecedingCharacter', 'cells'],
  ' @': ['scrollLeft', 'cols'],
  ' A': ['scrollRight', 'cols'],
  "'}": ['insertColumns', 'cols'],
  "'~": ['deleteColumns', 'cols'],
} as const satisfies Record<string, readonly [keyof XtermInternals, 'cols' | 'rows' | 'cells']>;

/** Limit of the output of one REP, in UTF-16 units for each cell of the screen. */
const UNITS_PER_CELL = 4;

/** Sequences that move whole rows within the scroll region. */
const WHOLE_ROWS = { S: 'region', T: 'region', L: 'cursor', M: 'cursor' } as const;

/** Makes sure that output can neither stop the process nor keep it busy for much longer than its size justifies. */
export function guard(terminal: Terminal): void {
  const inside = xtermInternals(terminal);
  boundCells(inside);
  boundStrings(inside);
  for (const [sequence, [method, most]] of Object.entries(COUNTED)) {
    const id = { intermediates: sequence.slice(0, -1), final: sequence.slice(-1) };
    inside._parser.registerCsiHandler(id, ({ params }) => {
      const limit = most === 'cells' ? repeatLimit(terminal, inside) : terminal[most];
      if ((params[0] ?? 0) <= limit) return false;
      return inside[method]({ params: [limit], length: 1 });
    });
  }
  for (const [final, from] of Object.entries(WHOLE_ROWS)) {
    inside._parser.registerCsiHandler({ final }, ({ params, length }) => {
      const { buffer } = inside._bufferService;
      const top = from === 'region' ? buffer.scrollTop : buffer.y;
      const isWithin = top >= buffer.scrollTop && top <= buffer.scrollBottom;
      if (length > 1 || !isWithin || (params[0] ?? 0) <= buffer.scrollBottom - top) return false;
      const { _curAttrData: pen } = inside;
      const { bg } = pen;
      if (final === 'T') pen.bg = 0; // scrolled down, rows come in without a background
      eraseRows(inside, top, buffer.scrollBottom);
      pen.bg = bg;
      if (from === 'cursor') buffer.x = 0;
      return true;
    });
  }
  for (const prefix of ['', '?']) {
    inside._parser.registerCsiHandler({ prefix, final: 'J' }, ({ params }) => {
      if (params[0] !== 1 || inside._bufferService.buffer.x + 1 < terminal.cols) return false;
      eraseAbove(inside, prefix === '?');
      return true;
    });
  }
}

/**
 * Returns how often REP (CSI b) may repeat a character: at most a full screen, and fewer times if many characters are
 * combined in its cell.
 */
function repeatLimit({ cols, rows }: Terminal, { _parser, _bufferService: { buffer } }: XtermInternals): number {
  const width = (_parser.precedingJoinState >> 1) & 3;
  const units = buffer.lines.get(buffer.ybase + buffer.y)?.getString(buffer.x - width).length ?? 0;
  return Math.max(1, Math.floor((cols * rows * UNITS_PER_CELL) / Math.max(UNITS_PER_CELL, units)));
}

/** Maximal length of the text in one cell, in UTF-16 units. Accents and flags need less. xterm.js sets no limit. */
const MAX_CELL_UNITS = 32;
/** A text of this length plus one character may be stored as a tree: V8 does so from 13 units on. */
const FLAT_UNITS = 11;

interface CombiningLine {
  readonly _data: Uint32Array;
  readonly _combined: Record<number, string>;
  addCodepointToCell(index: number, code: number, width: number): void;
}

const bounded = new WeakSet<CombiningLine>();

/**
 * Drops combining characters that exceed MAX_CELL_UNITS: xterm.js copies the text of the cell for each of them.
 *
 * From FLAT_UNITS on, the text is made anew for each character. Node would keep a longer text as a tree of its
 * characters, which needs ten times the memory, and time to collect it and to read it.
 */
function boundCells({ _bufferService: { buffer } }: XtermInternals): void {
  const type = Object.getPrototypeOf(buffer.lines.get(0)) as CombiningLine; // shared by all lines of all terminals
  if (bounded.has(type)) return;
  bounded.add(type);
  const add = type.addCodepointToCell;
  type.addCodepointToCell = function (this: CombiningLine, index, code, width) {
    const isCombined = ((this._data[index * CELL] ?? 0) & IS_COMBINED) !== 0;
    const length = isCombined ? (this._combined[index]?.length ?? 0) : 0;
    if (length >= MAX_CELL_UNITS) return;
    add.call(this, index, code, width);
    if (length >= FLAT_UNITS) this._combined[index] = flat(this._combined[index] ?? '');
  };
}

const units = new Uint16Array(MAX_CELL_UNITS + 2);

/** Returns the same text, stored as one piece. */
function flat(text: string): string {
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return String.fromCharCode(...units.subarray(0, text.length));
}

/**
 * Maximum length of the text of an OSC or DCS sequence, in characters. The parts that a screen reads are much shorter.
 */
const MAX_STRING = 64 * 1024;

/** Drops the rest of a long string: xterm.js keeps 10 million characters, in some 300 MB. */
function boundStrings({ _parser: { _oscParser: osc, _dcsParser: dcs } }: XtermInternals): void {
  let left = 0;
  const { start } = osc;
  osc.start = () => {
    left = MAX_STRING;
    start.call(osc);
  };
  const { hook } = dcs;
  dcs.hook = (ident, params) => {
    left = MAX_STRING;
    hook.call(dcs, ident, params);
  };
  for (const parser of [osc, dcs]) {
    const { put } = parser;
    parser.put = (codes, from, end) => {
      if (left > 0) put.call(parser, codes, from, Math.min(end, from + left));
      left -= end - from;
    };
  }
}

/** If all rows of the region leave it, they are erased instead. xterm.js would create new rows one by one. */
function eraseRows(inside: XtermInternals, from: number, to: number): void {
  const { buffer } = inside._bufferService;
  for (let y = from; y <= to; y++) {
    inside._resetBufferLine(y, false);
    const line = buffer.lines.get(buffer.ybase + y);
    if (line) line.isWrapped = false;
  }
  inside.markRangeDirty(from, to);
}

/**
 * ED 1 with the cursor in the last column: xterm.js looks for the next row at a wrong place, and throws if there is
 * none.
 */
function eraseAbove(inside: XtermInternals, respectProtect: boolean): void {
  const { buffer, cols } = inside._bufferService;
  buffer.x = cols - 1;
  inside._eraseInBufferLine(buffer.y, 0, cols, true, respectProtect);
  for (let y = 0; y < buffer.y; y++) inside._resetBufferLine(y, respectProtect);
  const next = buffer.lines.get(buffer.ybase + buffer.y + 1);
  if (next) next.isWrapped = false;
  inside.markRangeDirty(0, buffer.y);
}

/** Maximum length of a title in UTF-16 units. Longer titles are cut, because they are shown in one row. */
const MAX_TITLE = 1024;

/** Returns a title of bounded length that does not keep the text it was cut from in memory. */
export function boundedTitle(title: string): string {
  if (title.length <= MAX_TITLE) return title;
  return Buffer.from(title.slice(0, MAX_TITLE)).toString();
}
