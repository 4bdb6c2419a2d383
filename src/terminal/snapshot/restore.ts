/**
 * Restores the states that the text of the rows (serializer.ts) does not contain: coloured rows without text, modes,
 * the exact cursor, a pending wrap, saved cursors with their attributes, tab stops, character sets.
 *
 * Out:  sequences for a terminal that has just read that text. Positions are absolute, so the position after it does
 *       not matter. Of the character sets, line drawing and the British set are restored; any other becomes ASCII.
 */
import type { IBufferCell, Terminal } from '@xterm/headless';
import { sgrOf } from '../rows/row-ansi.js';
import { hasSavedCursor, savedCursorOf } from '../xterm/corrections.js';
import { type Buffer, type Charset, type XtermInternals, xtermInternals } from '../xterm/xterm-internals.js';
import { Serializer } from './serializer.js';

const TAB_STOP_COLS = 8;
const DRAWING = '0';
const BRITISH = 'A';
const ASCII = 'B';
/** Origin mode off, insert mode off, wrapping on. */
const PLAIN = '\x1b[?6l\x1b[4l\x1b[?7h';
const TO_ALTERNATE = '\x1b[?1049h';

/** Returns sequences that print what the terminal shows, with this number of scrollback lines. */
export function rowsOf(terminal: Terminal, scrollbackLines: number): string {
  const rows = new Serializer(terminal, scrollbackLines);
  rows.goOn(() => false);
  const { normal, alternate } = rows;
  return (alternate === null ? normal : `${normal}${TO_ALTERNATE}\x1b[H${alternate}`) + modes(terminal);
}

/**
 * @param rows    Both screens, completely written.
 * @param others  Sets modes that the rows do not contain; its final cursor position does not matter.
 */
export function withState(terminal: Terminal, rows: Serializer, others: string): string {
  const inside = xtermInternals(terminal);
  const { buffer, buffers } = inside._bufferService;
  const { originMode, insertMode, wraparoundMode } = terminal.modes;
  // Entering the alternate screen saves the cursor of the main one, and clears in the current colour.
  const entering = `${PLAIN}${toSaved(terminal, buffers.normal)}${TO_ALTERNATE}\x1b(B\x1b[0m\x1b[2J\x1b[H`;
  const { normal, alternate } = rows;
  let text = (alternate === null ? normal : normal + entering + alternate) + modes(terminal);
  text += PLAIN + tabStops(terminal, buffer);
  if (hasSavedCursor(buffer)) text += `${toSaved(terminal, buffer)}\x1b7\x1b(B\x1b[?6l`;
  text += paintBlankRows(terminal) + others + margins(terminal, buffer);
  if (originMode) text += '\x1b[?6h';
  text += moveTo(terminal, buffer, buffer.x, buffer.y - (originMode ? buffer.scrollTop : 0));
  text += attributes(inside._curAttrData) + charsets(inside);
  if (insertMode) text += '\x1b[4h';
  if (!wraparoundMode) text += '\x1b[?7l';
  return text;
}

/**
 * Returns sequences that paint coloured rows without text. xterm's serializer leaves them out below the last text, so a
 * program that cleared its screen in a colour would lose the colour. The cursor and its attributes are undefined
 * afterwards.
 */
function paintBlankRows(terminal: Terminal): string {
  const buffer = terminal.buffer.active;
  let text = '';
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    if (line?.translateToString(true) !== '') continue;
    // The serializer scrolls rows in. They then have the background of the text before them.
    text += `\x1b[${y + 1}H\x1b[0m\x1b[2K`;
    for (let x = 0; x < terminal.cols; ) {
      const cell = line.getCell(x);
      const from = x;
      if (!cell || cell.isBgDefault()) {
        x++;
        continue;
      }
      const colour = sgrOf(cell);
      do x++;
      while (x < terminal.cols && hasGround(line.getCell(x), colour));
      text += `\x1b[${y + 1};${from + 1}H\x1b[0;${colour}m\x1b[${x - from}X`;
    }
  }
  return text;
}

const hasGround = (cell: IBufferCell | undefined, colour: string): boolean =>
  cell !== undefined && !cell.isBgDefault() && sgrOf(cell) === colour;

function modes({ modes: of }: Terminal): string {
  const set: readonly (readonly [isSet: boolean, sequence: string])[] = [
    [of.applicationCursorKeysMode, '\x1b[?1h'],
    [of.applicationKeypadMode, '\x1b[?66h'],
    [of.bracketedPasteMode, '\x1b[?2004h'],
    [of.insertMode, '\x1b[4h'],
    [of.originMode, '\x1b[?6h'],
    [of.reverseWraparoundMode, '\x1b[?45h'],
    [of.sendFocusMode, '\x1b[?1004h'],
    [!of.wraparoundMode, '\x1b[?7l'],
  ];
  const mouse = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' };
  return set.map(([isSet, sequence]) => (isSet ? sequence : '')).join('') + mouse[of.mouseTrackingMode];
}

/** Returns sequences that move to a screen's saved cursor and set the state saved with it. */
function toSaved(terminal: Terminal, buffer: Buffer): string {
  if (!hasSavedCursor(buffer)) return '\x1b[H\x1b[0m';
  const saved = savedCursorOf(buffer);
  const set = `\x1b(${nameOf(buffer.savedCharset)}`;
  return (
    (saved.origin ? '\x1b[?6h' : '') +
    moveTo(terminal, buffer, buffer.savedX, saved.y) +
    attributes(buffer.savedCurAttrData) +
    set
  );
}

/**
 * A cursor after the last column has a pending wrap. Only printing that column's character again restores this state.
 */
function moveTo(terminal: Terminal, buffer: Buffer, x: number, y: number): string {
  if (x < terminal.cols) return `\x1b[${y + 1};${x + 1}H`;
  const shown =
    buffer === xtermInternals(terminal)._bufferService.buffer ? terminal.buffer.active : terminal.buffer.normal;
  const line = shown.getLine(shown.baseY + Math.min(y, terminal.rows - 1));
  const isWide = line?.getCell(terminal.cols - 1)?.getWidth() === 0;
  const column = terminal.cols - (isWide ? 2 : 1);
  const cell = line?.getCell(column);
  return `\x1b[${y + 1};${column + 1}H${cell ? attributes(cell) : ''}${cell?.getChars() || ' '}`;
}

function tabStops(terminal: Terminal, { tabs }: Buffer): string {
  const columns = Array.from({ length: terminal.cols }, (_, x) => x);
  if (columns.every((x) => Boolean(tabs[x]) === (x % TAB_STOP_COLS === 0))) return '';
  return `\x1b[3g${columns
    .filter((x) => tabs[x])
    .map((x) => `\x1b[1;${x + 1}H\x1bH`)
    .join('')}`;
}

const margins = ({ rows }: Terminal, { scrollTop, scrollBottom }: Buffer): string =>
  scrollTop === 0 && scrollBottom === rows - 1 ? '' : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;

function charsets({ _charsetService: { charset, glevel, _charsets } }: XtermInternals): string {
  // Restoring a cursor changes the character set in use, not the designated one.
  const sets = Array.from(_charsets, (set, at) => (at === glevel ? charset : set));
  const names = sets.map((set, at) => (set ? `\x1b${'()*+'[at]}${nameOf(set)}` : ''));
  return `${names.join('')}${['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? ''}`;
}

function nameOf(set: Charset | undefined): string {
  if (set?.['q'] === '─') return DRAWING;
  return set?.['#'] === '£' && !set['@'] ? BRITISH : ASCII;
}

const attributes = (of: unknown): string => {
  const codes = sgrOf(of);
  return codes === '' ? '\x1b[0m' : `\x1b[0;${codes}m`;
};
