/** Shortens untrusted text for a label, a row or a title. */
import { type Badge, displayLine, type Style } from '../../protocol/index.js';

const LINE_CHARS = 300;

/** Returns a text on one line, cut if it is long. */
export function line(text: string, most = LINE_CHARS): string {
  const cut = text.length > most * 2 ? text.slice(0, most * 2) : text;
  const shown = displayLine(cut);
  return shown.length > most || cut !== text ? `${shown.slice(0, most)}…` : shown;
}

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
