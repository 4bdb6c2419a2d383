/**
 * Compares two terminals: they are the same if they show the same, including scrollback, and stay the same for any
 * further output.
 *
 * It compares cells, cursor, pen, modes, margins, tab stops, character sets, saved cursors and the parser. It ignores
 * states that no sequence can restore, such as the address of a link, which is not shown.
 */

import { CELL, HAS_EXTENDED, IS_COMBINED, IS_RGB, KIND, NUMBER, RGB } from './cell-layout.js';
import { savedCursorOf } from './corrections.js';
import { type Core, GROUND, type Line, type Buffer as ScreenBuffer } from './xterm-core.js';

/** Character sets G0 to G3. One that was never chosen equals one that was set to ASCII. */
const CHARSETS = [0, 1, 2, 3];

/** Rows that are compared before other work may have its turn. */
const ROWS_AT_ONCE = 64;

/** Compares two terminals in steps. They must not change meanwhile. Returns true if they are the same. */
export function* comparison(one: Core, other: Core): Generator<undefined, boolean> {
  const [a, b] = [one._bufferService, other._bufferService];
  if (a.cols !== b.cols || a.rows !== b.rows || !isBetween(one) || !isBetween(other)) return false;
  const isAlternate = a.buffers.active === a.buffers.alt;
  if (isAlternate !== (b.buffers.active === b.buffers.alt)) return false;
  if (JSON.stringify(statesOf(one)) !== JSON.stringify(statesOf(other))) return false;
  if (!(yield* sameBuffers(a.buffers.normal, b.buffers.normal))) return false;
  return !isAlternate || (yield* sameBuffers(a.buffers.alt, b.buffers.alt));
}

const isBetween = (core: Core): boolean => core._inputHandler._parser.currentState === GROUND;

function statesOf({
  _inputHandler: input,
  coreService,
  _charsetService: charsets,
  coreMouseService: mouse,
  _bufferService,
}: Core) {
  const { fg, bg, extended } = input._curAttrData;
  return [
    plainColour(fg),
    plainColour(bg),
    bg & HAS_EXTENDED,
    extended.underlineStyle,
    extended.underlineColor,
    coreService.modes,
    coreService.decPrivateModes,
    coreService.isCursorHidden,
    input._parser.precedingJoinState,
    charsets.glevel,
    CHARSETS.map((at) => charsets._charsets[at] ?? null),
    mouse.activeProtocol,
    mouse.activeEncoding,
    _bufferService.buffer === _bufferService.buffers.alt,
  ];
}

function* sameBuffers(a: ScreenBuffer, b: ScreenBuffer): Generator<undefined, boolean> {
  const places = (of: ScreenBuffer) => [
    of.x,
    of.y,
    of.ybase,
    of.scrollTop,
    of.scrollBottom,
    of.lines.length,
    of.savedX,
    savedCursorOf(of),
    of.savedCharset ?? null,
    plainColour(of.savedCurAttrData.fg),
    plainColour(of.savedCurAttrData.bg),
    ...Object.keys(of.tabs).filter((column) => of.tabs[Number(column)]),
  ];
  if (JSON.stringify(places(a)) !== JSON.stringify(places(b))) return false;
  for (let y = 0; y < a.lines.length; y++) {
    if (!isSameLine(a.lines.get(y), b.lines.get(y))) return false;
    if (y % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
  }
  return true;
}

function isSameLine(a: Line | undefined, b: Line | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.length !== b.length || a.isWrapped !== b.isWrapped) return false;
  for (let at = 0; at < a.length * CELL; at += CELL) {
    const content = a._data[at] ?? 0;
    if (content !== (b._data[at] ?? 0)) return false;
    const [fg, bg, otherFg, otherBg] = [
      a._data[at + 1] ?? 0,
      a._data[at + 2] ?? 0,
      b._data[at + 1] ?? 0,
      b._data[at + 2] ?? 0,
    ];
    if (fg !== otherFg && plainColour(fg) !== plainColour(otherFg)) return false;
    if (bg !== otherBg && plainColour(bg) !== plainColour(otherBg)) return false;
    if ((content & IS_COMBINED) !== 0 && a._combined[at / CELL] !== b._combined[at / CELL]) return false;
    if ((bg & HAS_EXTENDED) !== 0) {
      const [x, y] = [a._extendedAttrs[at / CELL], b._extendedAttrs[at / CELL]];
      if (x?.underlineStyle !== y?.underlineStyle || x?.underlineColor !== y?.underlineColor) return false;
    }
  }
  return true;
}

/** Removes bits that an earlier colour has left and that have no meaning. */
function plainColour(attributes: number): number {
  const kind = attributes & KIND;
  if (kind === IS_RGB) return attributes;
  return attributes & ~(kind === 0 ? RGB : RGB & ~NUMBER);
}
