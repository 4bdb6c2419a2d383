/** The coloured label that shows the state of an object in the dashboard. */
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

/** A state as a mark in its colour, with its word for screen readers. */
export function Mark({ badge, word, tone = toneOf(badge) }: PillProps & { readonly tone?: string }) {
  return (
    <span className={`mark ${tone}`} title={word}>
      <span aria-hidden="true">{badge.mark}</span>
      <span className="hidden-visually">{word}</span>
    </span>
  );
}

interface PillProps {
  readonly badge: Badge;
  readonly word: string;
}

/** A state as a mark and a word, in its colour. */
export function StatePill({ badge, word }: PillProps) {
  return (
    <span className={`pill ${toneOf(badge)}`}>
      <span aria-hidden="true">{badge.mark}</span> {word}
    </span>
  );
}
