/** The details of one task, run, blueprint or session, with scrolling. */

import type { Area } from '../../paint/layout.js';
import { box, centred, hiddenWords, padded } from '../../paint/rows.js';
import { Rows } from '../../paint/rows-view.js';
import type { State } from '../../view/store.js';
import { detailsOf } from '../../view/work-areas.js';

interface WorkDetailsProps {
  readonly state: State;
  readonly area: Area;
  readonly isFocused: boolean;
}

export function WorkDetails({ state, area, isFocused }: WorkDetailsProps) {
  const { paint, ui } = state;
  const { width, height } = area;
  const room = height - 2;
  const details = detailsOf(state, width - 4);
  if (!details)
    return <Rows rows={box(paint, centred(paint, ['…'], width - 2, room), { width, height, title: '…', isFocused })} />;
  const { title, note, rows } = details;
  const first = Math.max(0, Math.min(ui.scroll, rows.length - room));
  const shown = rows.slice(first, first + room).map((row) => ` ${padded(row, width - 4)} `);
  const hidden = hiddenWords(first, Math.max(0, rows.length - first - room));
  const foot = hidden === '' ? '' : `${hidden} · PgUp PgDn`;
  return <Rows rows={box(paint, shown, { width, height, title, note, foot, isFocused })} />;
}
