/** The palette: a line to type on, and the matching actions, each with its key and description. */

import { GROUPS } from '../acts/action.js';
import type { ActionName } from '../acts/actions.js';
import type { Keymap } from '../acts/keymap.js';
import { type Choice, whereWords, wordsOf } from '../acts/palette.js';
import { editorRows } from '../input/editor-rows.js';
import type { Line } from '../input/line-editor.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, type Cell, hiddenWords, listRow, padded, windowOf } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { shownKeys } from '../view/help-rows.js';

interface PaletteProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly keymap: Keymap;
  readonly line: Line;
  readonly choices: readonly Choice[];
  readonly selected: number;
}

const NAME_COLS = 16;
const KEY_COLS = 10;

/** Shows the palette in a box. */
export function Palette({ paint, area, keymap, line, choices, selected }: PaletteProps) {
  const { width, height } = area;
  const columns = width - 2;
  const input = editorRows(paint, 'do: ', line, columns - 2, 1).map((row) => ` ${padded(row, columns - 2)} `);
  const room = Math.max(0, height - 2 - input.length);
  const { from, to } = windowOf(choices.length, selected, room);
  const rows = choices.slice(from, to).map(({ action, holds }, i) => {
    const { name, words, group } = action;
    const cells: Cell[] = [
      { text: wordsOf(action), width: NAME_COLS, style: 'bold' },
      { text: shownKeys(keymap.keysOf(name as ActionName)), width: KEY_COLS, style: 'cyan' },
      { text: holds ? words : `(in ${whereWords(GROUPS[group].where)}) ${words}` },
    ];
    return listRow(paint, cells, columns, from + i === selected ? 'hot' : holds ? 'plain' : 'faint');
  });
  const none = choices.length === 0 ? [` ${padded('No action is called so.', columns - 2)} `] : [];
  const foot = hiddenWords(from, choices.length - to);
  return (
    <Rows rows={box(paint, [...input, ...rows, ...none], { width, height, title: 'Do', foot, isFocused: true })} />
  );
}
