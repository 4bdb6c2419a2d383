/**
 * Styles text with the colours of the theme. With NO_COLOR, or on a dumb terminal, the theme is `none`; every mark has
 * a word beside it.
 */
import type { Style } from '../../protocol/index.js';
import { THEMES, type Theme, type ThemeName } from './themes.js';

export type { Style };

export interface Paint {
  (style: Style | readonly Style[], text: string): string;
  readonly hasColour: boolean;
  readonly theme: ThemeName;
}

/**
 * Creates the function that styles text.
 *
 * @param env  NO_COLOR, or TERM=dumb, replaces the wanted theme by `none`.
 */
export function createPaint(env: NodeJS.ProcessEnv, wanted: ThemeName = 'dark'): Paint {
  const name = env['NO_COLOR'] || env['TERM'] === 'dumb' ? 'none' : wanted;
  const theme: Theme = THEMES[name];
  const one = (style: Style, text: string): string => {
    const codes = theme[style];
    return codes === null ? text : `\x1b[${codes[0]}m${text}\x1b[${codes[1]}m`;
  };
  const paint = (style: Style | readonly Style[], text: string): string =>
    text === ''
      ? ''
      : typeof style === 'string'
        ? one(style, text)
        : style.reduceRight((inner, outer) => one(outer, inner), text);
  return Object.assign(paint, { hasColour: name !== 'none', theme: name });
}
