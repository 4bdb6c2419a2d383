/** xterm.js as the emulator of the ears needs it: how it is opened and serialized. */
import headless, { type Terminal } from '@xterm/headless';
import { guard, rowsOf } from '../../terminal/index.js';
import { clusterWidths } from './cluster-widths.js';

/** Maximum number of rows that may leave the main screen between two looks. */
const SCROLLBACK_ROWS = 600;

/** @param saved  Place of the saved cursor on the screen; the serializer leaves it out. */
export function snapshotOf(terminal: Terminal, saved: { readonly x: number; readonly y: number }): string {
  const { cursorX, cursorY } = terminal.buffer.active;
  const to = (x: number, y: number): string => `\x1b[${Math.max(0, y) + 1};${x + 1}H`;
  const text = rowsOf(terminal, SCROLLBACK_ROWS);
  // A cursor after the last column waits for the next character to wrap. The serializer keeps that state, and moving
  // the cursor would end it.
  if (cursorX >= terminal.cols) return text;
  return `${text}${to(saved.x, saved.y)}\x1b7${to(cursorX, cursorY)}`;
}

export function openTerminal(cols: number, rows: number): Terminal {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK_ROWS,
    allowProposedApi: true,
    logLevel: 'off',
  });
  const widths = clusterWidths();
  terminal.unicode.register(widths);
  terminal.unicode.activeVersion = widths.version;
  guard(terminal);
  return terminal;
}
