/**
 * An xterm.js terminal as the page uses it: the daemon's widths, the page's theme, WebGL if the browser has it.
 *
 * Output of a program has no effect outside the terminal: xterm.js asks before it follows a link, and follows web
 * addresses only. The page
 * neither writes the clipboard nor changes its title for a program.
 */
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebglAddon } from '@xterm/addon-webgl';
import { type ITerminalOptions, Terminal } from '@xterm/xterm';
import type { Theme } from '../browser/theme.js';
import { TERMINAL_FONT } from './font.js';
import { TERMINAL_THEMES } from './terminal-theme.js';
import '@xterm/xterm/css/xterm.css';

const LINE_HEIGHT = 1.15;
const MAX_FONT_PX = 14;
/** Small enough that 120 columns fit on a phone. */
const MIN_FONT_PX = 4;
/** The minimum contrast of WCAG AA, whatever colours a program chooses. */
const CONTRAST = 4.5;

export function createTerminal(element: HTMLElement, theme: Theme, options: ITerminalOptions): Terminal {
  const terminal = new Terminal({
    allowProposedApi: true, // the Unicode addon needs it
    fontFamily: TERMINAL_FONT,
    fontSize: 13,
    lineHeight: LINE_HEIGHT,
    minimumContrastRatio: CONTRAST,
    theme: TERMINAL_THEMES[theme],
    ...options,
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  terminal.open(element);
  try {
    const webgl = new WebglAddon();
    // If a page has many WebGL contexts, browsers discard some. The terminal then draws with HTML elements.
    webgl.onContextLoss(() => webgl.dispose());
    terminal.loadAddon(webgl);
  } catch {
    // No WebGL: xterm.js draws with elements.
  }
  return terminal;
}

/** Returns the largest font size at which a terminal of `cols` columns and `rows` rows fits into an element. */
export function fontFor(
  element: HTMLElement,
  { cols, rows }: { readonly cols: number; readonly rows: number },
): number {
  const { width, height } = perPixel();
  const fits = Math.min(element.clientWidth / (cols * width), element.clientHeight / (rows * height));
  return Math.max(MIN_FONT_PX, Math.min(MAX_FONT_PX, Math.floor(fits * 4) / 4));
}

let measured: { readonly width: number; readonly height: number } | undefined;

/** Returns the width and the height of a cell for a font size of 1 pixel. */
function perPixel(): { readonly width: number; readonly height: number } {
  if (measured) return measured;
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return { width: 0.6, height: LINE_HEIGHT * 1.2 };
  const px = 100;
  context.font = `${px}px ${TERMINAL_FONT}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('W'.repeat(10));
  // In WebGL, a cell is a whole number of pixels wide, so some spare width is kept.
  measured = {
    width: (width / 10 / px) * 1.02,
    height: ((fontBoundingBoxAscent + fontBoundingBoxDescent) / px) * LINE_HEIGHT * 1.02,
  };
  return measured;
}
