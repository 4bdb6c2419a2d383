/** Colour for people who want it: with NO_COLOR weight and inversion remain, and every mark has its word. */
import type { ItemType, State } from '../protocol/index.js';

export type Style = 'bold' | 'dim' | 'inverse' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};
const WEIGHTS: ReadonlySet<Style> = new Set(['bold', 'dim', 'inverse']);

export interface Paint {
  (style: Style | readonly Style[], text: string): string;
  readonly hasColour: boolean;
}

export function createPaint(env: NodeJS.ProcessEnv): Paint {
  const hasColour = !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const one = (style: Style, text: string): string => {
    if (!hasColour && !WEIGHTS.has(style)) return text;
    const [on, off] = CODES[style];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
  const paint = (style: Style | readonly Style[], text: string): string =>
    text === ''
      ? ''
      : typeof style === 'string'
        ? one(style, text)
        : style.reduceRight((inner, outer) => one(outer, inner), text);
  return Object.assign(paint, { hasColour });
}

interface Look {
  readonly mark: string;
  readonly style: Style;
}

/** Mark and colour of each state; the word always stands beside the mark. */
export const STATE_LOOKS: Readonly<Record<State, Look>> = {
  starting: { mark: '·', style: 'dim' },
  working: { mark: '▸', style: 'blue' },
  waiting: { mark: '?', style: 'yellow' },
  blocked: { mark: '!', style: 'red' },
  done: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  exited: { mark: '○', style: 'dim' },
  lost: { mark: '×', style: 'magenta' },
  unknown: { mark: '~', style: 'dim' },
};

export const ITEM_LOOKS: Readonly<Record<ItemType, Look & { readonly word: string }>> = {
  QUESTION: { mark: '?', style: 'yellow', word: 'question' },
  BLOCKED: { mark: '!', style: 'red', word: 'blocked' },
  REQUEST_REVIEW: { mark: '◆', style: 'cyan', word: 'review' },
  attention: { mark: '•', style: 'magenta', word: 'attention' },
};
