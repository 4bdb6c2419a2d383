/** The colours of terminals, of the page's theme. The 16 colours are readable on their ground. */
import type { ITheme } from '@xterm/xterm';
import type { Theme } from '../browser/theme.js';

const DARK = {
  background: '#0b0c10',
  foreground: '#e4e6eb',
  cursor: '#9a9bff',
  selectionBackground: '#3b3c6e',
  black: '#1b1e25',
  red: '#ff8589',
  green: '#5bd6a0',
  yellow: '#f0b849',
  blue: '#74b6ff',
  magenta: '#d59bff',
  cyan: '#5fd3dc',
  white: '#d3d7df',
  brightBlack: '#8f97a5',
  brightRed: '#ffa3a6',
  brightGreen: '#86e6bd',
  brightYellow: '#ffd27d',
  brightBlue: '#a3cfff',
  brightMagenta: '#e5bfff',
  brightCyan: '#93e6ec',
  brightWhite: '#ffffff',
};

const LIGHT: typeof DARK = {
  background: '#fbfbfd',
  foreground: '#17191f',
  cursor: '#4a49c4',
  selectionBackground: '#d4d4fa',
  black: '#17191f',
  red: '#b4232c',
  green: '#12724b',
  yellow: '#8a5a00',
  blue: '#1c62ad',
  magenta: '#7b34b5',
  cyan: '#0b6b75',
  white: '#5d6574',
  brightBlack: '#5d6574',
  brightRed: '#c22f38',
  brightGreen: '#0f7a4f',
  brightYellow: '#936100',
  brightBlue: '#2169b8',
  brightMagenta: '#8a3fc6',
  brightCyan: '#0d727c',
  brightWhite: '#3f4653',
};

export const TERMINAL_THEMES: Readonly<Record<Theme, typeof DARK & ITheme>> = { dark: DARK, light: LIGHT };

/** The colours 0 to 15. */
export const ansiColours = (theme: (typeof TERMINAL_THEMES)[Theme]): readonly string[] => [
  theme.black,
  theme.red,
  theme.green,
  theme.yellow,
  theme.blue,
  theme.magenta,
  theme.cyan,
  theme.white,
  theme.brightBlack,
  theme.brightRed,
  theme.brightGreen,
  theme.brightYellow,
  theme.brightBlue,
  theme.brightMagenta,
  theme.brightCyan,
  theme.brightWhite,
];
