/** The help screen: all keys. */

import type { Area } from '../paint/layout.js';
import { box, hiddenWords } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine } from '../paint/text.js';
import { helpRows, helpSearch } from '../view/help-rows.js';
import type { State } from '../view/store.js';

interface HelpProps {
  readonly about: Pick<State, 'keymap' | 'prefix' | 'paint' | 'ui'>;
  readonly area: Area;
  readonly scroll: number;
}

/** Shows the keys that fit, in a box. */
export function Help({ about, area, scroll }: HelpProps) {
  const { width, height } = area;
  const room = height - 2;
  const rows = helpRows(about, width - 2);
  const first = Math.max(0, Math.min(scroll, rows.length - room));
  const hidden = hiddenWords(first, Math.max(0, rows.length - first - room));
  const search = helpSearch(about.ui);
  const title = search === '' ? 'Keys' : `Keys with “${plainLine(search)}”`;
  const shown = rows.slice(first, first + room);
  return <Rows rows={box(about.paint, shown, { width, height, title, foot: hidden, isFocused: true })} />;
}
