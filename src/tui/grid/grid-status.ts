/**
 * The text of the grid's status row: where typed keys go, the keys that leave and help, and how many screens it has.
 */
import type { GridAction, PrefixTable } from '../keys/index.js';
import { plainLine } from '../paint/text.js';
import type { GridScreens } from './grid-screens.js';

/** @param prefix  The name of the prefix key. */
export function gridStatus(screens: GridScreens, prefix: string, keys: PrefixTable<GridAction>): string {
  const { all, tiles, split, focusedSession, isTogether, marks } = screens;
  const count = screens.targets().length;
  const hidden = all.length - tiles.length;
  const typed = isTogether
    ? `typing into ${marks === 0 ? 'all' : 'the marked'} ${count}`
    : `typing into ${focusedSession ? plainLine(focusedSession.name) : 'nothing'}`;
  const kind = split ? 'split' : 'grid';
  const room = hidden > 0 ? ` · no room for ${hidden} more` : '';
  const hints = (['leave', 'help'] as const).flatMap((action) => {
    const first = keys.keyOf(action);
    return first === undefined ? [] : [`${prefix} ${first} ${action === 'leave' ? 'leaves' : 'keys'}`];
  });
  return [typed, ...hints, `${kind} of ${tiles.length}${room}`].join(' · ');
}
