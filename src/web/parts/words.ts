/** Words of untrusted texts, cut so that no text of an agent is larger than what shows it. */
import { displayLine, type Look, type Style } from '../../protocol/index.js';

const LINE_CHARS = 300;

/** One line of a text. */
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
  ...{ dim: 'dim', bold: 'plain', italic: 'dim', inverse: 'plain' },
};

export const toneOf = ({ style }: Pick<Look, 'style'>): string => `tone-${TONES[style]}`;
