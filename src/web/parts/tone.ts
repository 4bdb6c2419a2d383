/** The class of the style sheet that gives a state its colour. */
import type { Badge, Style } from '../../protocol/index.js';

const TONES: Readonly<Record<Style, string>> = {
  red: 'bad',
  green: 'good',
  yellow: 'warn',
  blue: 'info',
  cyan: 'info',
  magenta: 'violet',
  dim: 'dim',
  bold: 'plain',
  italic: 'dim',
  inverse: 'plain',
};

export const toneOf = ({ style }: Pick<Badge, 'style'>): string => `tone-${TONES[style]}`;
