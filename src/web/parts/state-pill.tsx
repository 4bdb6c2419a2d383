/** The coloured label that shows the state of an object in the dashboard. */
import type { Badge } from '../../protocol/index.js';
import { toneOf } from './tone.js';

/** A state as a mark and a word, in its colour. */
export function StatePill({ badge, word }: { readonly badge: Badge; readonly word: string }) {
  return (
    <span className={`pill ${toneOf(badge)}`}>
      <span aria-hidden="true">{badge.mark}</span> {word}
    </span>
  );
}
