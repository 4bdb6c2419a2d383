/**
 * Themes: the SGR parameters of each style. No theme uses colour as the only sign.
 *
 * `dark` and `high-contrast` use the terminal's own colours. `light` uses darker ones, because yellow and cyan are not
 * readable on white. `none` uses only weight and inversion.
 */
import type { Style } from '../../protocol/index.js';

/** SGR parameters that start and end a style; null for an unstyled text. */
export type Theme = Readonly<Record<Style, readonly [on: string, off: string] | null>>;

const WEIGHTS = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  italic: ['3', '23'],
  inverse: ['7', '27'],
} as const;

const colours = (on: Readonly<Record<Exclude<Style, keyof typeof WEIGHTS>, string>>) => ({
  red: [on.red, '39'] as const,
  green: [on.green, '39'] as const,
  yellow: [on.yellow, '39'] as const,
  blue: [on.blue, '39'] as const,
  magenta: [on.magenta, '39'] as const,
  cyan: [on.cyan, '39'] as const,
});

export const THEMES = {
  dark: {
    ...WEIGHTS,
    ...colours({ red: '31', green: '32', yellow: '33', blue: '34', magenta: '35', cyan: '36' }),
  },
  light: {
    ...WEIGHTS,
    dim: ['38;5;240', '39'],
    ...colours({
      red: '38;5;124',
      green: '38;5;22',
      yellow: '38;5;94',
      blue: '38;5;19',
      magenta: '38;5;90',
      cyan: '38;5;24',
    }),
  },
  // No dim text, and bright colours only.
  'high-contrast': {
    ...WEIGHTS,
    dim: null,
    ...colours({ red: '91', green: '92', yellow: '93', blue: '96', magenta: '95', cyan: '96' }),
  },
  none: {
    ...WEIGHTS,
    red: null,
    green: null,
    yellow: null,
    blue: null,
    magenta: null,
    cyan: null,
  },
} as const satisfies Record<string, Theme>;

export type ThemeName = keyof typeof THEMES;

/** True for the name of a theme. */
export const isThemeName = (name: string): name is ThemeName => Object.hasOwn(THEMES, name);
