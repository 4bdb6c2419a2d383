/** Colour for people who want it: with NO_COLOR weight and inversion remain, and every mark has its word. */
import { type Style, styled } from '../protocol/index.js';

export type { Style };

const WEIGHTS: ReadonlySet<Style> = new Set(['bold', 'dim', 'inverse']);

export interface Paint {
  (style: Style | readonly Style[], text: string): string;
  readonly hasColour: boolean;
}

export function createPaint(env: NodeJS.ProcessEnv): Paint {
  const hasColour = !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const one = (style: Style, text: string): string => {
    if (!hasColour && !WEIGHTS.has(style)) return text;
    return styled(style, text);
  };
  const paint = (style: Style | readonly Style[], text: string): string =>
    text === ''
      ? ''
      : typeof style === 'string'
        ? one(style, text)
        : style.reduceRight((inner, outer) => one(outer, inner), text);
  return Object.assign(paint, { hasColour });
}
