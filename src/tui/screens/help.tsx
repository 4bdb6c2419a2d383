/** The help screen: all keys. */
import { helpRows } from '../help-rows.js';
import type { Area } from '../layout.js';
import { box, hiddenWords } from '../rows.js';
import { Rows } from '../rows-view.js';
import type { State } from '../store.js';

export interface HelpProps {
  readonly about: Pick<State, 'keymap' | 'prefix' | 'paint'>;
  readonly area: Area;
  readonly scroll: number;
}

export function Help({ about, area, scroll }: HelpProps) {
  const { width, height } = area;
  const room = height - 2;
  const rows = helpRows(about, width - 2);
  const first = Math.max(0, Math.min(scroll, rows.length - room));
  const hidden = hiddenWords(first, Math.max(0, rows.length - first - room));
  const foot = hidden === '' ? 'any key goes back' : `${hidden} · ↑ ↓ scroll, any other key goes back`;
  const shown = rows.slice(first, first + room);
  return <Rows rows={box(about.paint, shown, { width, height, title: 'Keys', foot, isFocused: true })} />;
}
