/** The last line: what the keys do here, or what has just been said. */
import type { ItemEntry } from '../model.js';
import type { Paint } from '../paint.js';
import { Rows } from '../rows-view.js';
import type { Place } from '../steering.js';
import { cut, fill, plainLine, widthOf } from '../text.js';

export interface KeyLineProps {
  readonly paint: Paint;
  readonly columns: number;
  readonly place: Place;
  /** The item that is open in details. */
  readonly entry: ItemEntry | null;
  /** Of its options, those in sight. */
  readonly optionCount: number;
  /** Whether the feed, when it is shown, hides the lists. */
  readonly isFeedAlone: boolean;
}

/** The most useful first: what does not fit is left out, whole, but `? help` stays. */
type Hint = readonly [key: string, meaning: string];
const HELP: Hint = ['?', 'help'];
const QUIT: Hint = ['q', 'quit'];

export function KeyLine({ paint, columns, place, entry, optionCount, isFeedAlone }: KeyLineProps) {
  const { notice } = place;
  if (notice) {
    const text = fill(` ${plainLine(notice.text)}`, columns);
    return <Rows rows={[paint(notice.isError ? ['bold', 'red'] : 'bold', text)]} />;
  }
  const isFeed = isFeedAlone && place.pane === 'feed' && place.mode.kind === 'browse';
  const hints: readonly Hint[] = isFeed ? [['Tab', 'back'], HELP, QUIT] : hintsFor(place, entry, optionCount);
  const last = hints.includes(HELP) ? widthOf('? help') + 2 : 0;
  let line = '';
  let width = 1;
  for (const hint of hints) {
    const [key, meaning] = hint;
    const wide = widthOf(`${key} ${meaning}`) + 2;
    if (hint !== HELP && width + wide + last > columns) continue;
    if (hint === HELP && width + wide > columns) continue;
    line += `${paint(['bold', 'cyan'], cut(key, columns))} ${paint('dim', meaning)}  `;
    width += wide;
  }
  return <Rows rows={[` ${line}`]} />;
}

function hintsFor(
  { mode, focus, pane, sending, itemId, sessionId }: Place,
  entry: ItemEntry | null,
  optionCount: number,
): readonly Hint[] {
  switch (mode.kind) {
    case 'help':
      return [['any key', 'goes back']];
    case 'typing':
      return [
        ['Enter', 'sends'],
        ['Esc', 'does not'],
        ['Ctrl-U', 'clear'],
        ['Ctrl-W', 'delete a word'],
      ];
    case 'declining':
      return [
        ['y', 'declines'],
        ['any other key', 'does not'],
      ];
    case 'item': {
      if (entry?.item.state !== 'open' || sending.includes(entry.item.id))
        return [['Enter', 'next open item'], ['Esc', 'back'], ['g', 'session'], HELP];
      const count = Math.min(9, optionCount);
      const choose: Hint[] = count === 0 ? [] : [[count === 1 ? '1' : `1–${count}`, 'answer with it']];
      return [...choose, ['a', 'type an answer'], ['x', 'decline'], ['Esc', 'back'], ['g', 'session'], HELP];
    }
    case 'browse': {
      const other: Hint = ['f', pane === 'screen' ? 'feed' : 'screen'];
      const here: Hint[] =
        focus === 'inbox'
          ? itemId === null
            ? []
            : [
                ['Enter', 'open'],
                ['a', 'answer'],
                ['g', 'session'],
              ]
          : sessionId === null
            ? []
            : [
                ['Enter', 'attach'],
                ['i', 'item'],
              ];
      return [...here, ['Tab', focus === 'inbox' ? 'sessions' : 'inbox'], other, HELP, QUIT];
    }
  }
}
