/** The last line: what the keys do here, or what has just been said. */
import { takesText } from '../../protocol/index.js';
import type { ItemEntry } from '../model.js';
import type { Paint } from '../paint.js';
import { prefixName } from '../prefix-reader.js';
import { Rows } from '../rows-view.js';
import type { Place } from '../steering.js';
import { cut, fill, plainLine, widthOf } from '../text.js';

export interface KeyLineProps {
  readonly paint: Paint;
  readonly columns: number;
  readonly place: Place;
  /** The item that is open in details, or selected in the list. */
  readonly entry: ItemEntry | null;
  /** Whether any item waits for an answer. */
  readonly hasOpen: boolean;
  /** Of its options, those in sight. */
  readonly optionCount: number;
  /** Whether the feed, when it is shown, hides the lists. */
  readonly isFeedAlone: boolean;
  readonly prefix: string;
}

/** The most useful first: what does not fit is left out, whole, but `? help` stays. */
type Hint = readonly [key: string, meaning: string];
const HELP: Hint = ['?', 'help'];
const QUIT: Hint = ['q', 'quit'];

export function KeyLine(props: KeyLineProps) {
  const { paint, columns, place, isFeedAlone } = props;
  const { notice } = place;
  if (notice) {
    const text = fill(` ${plainLine(notice.text)}`, columns);
    return <Rows rows={[paint(notice.isError ? ['bold', 'red'] : 'bold', text)]} />;
  }
  const isFeed = isFeedAlone && place.pane === 'feed' && place.mode.kind === 'browse';
  const hints: readonly Hint[] = isFeed ? [['Tab', 'back'], HELP, QUIT] : hintsFor(props);
  let last = hints.includes(HELP) ? widthOf('? help') + 2 : 0;
  let line = '';
  let width = 1;
  for (const hint of hints) {
    const [key, meaning] = hint;
    const wide = widthOf(`${key} ${meaning}`) + 2;
    if (hint === HELP) last = 0;
    if (width + wide + last > columns) continue;
    line += `${paint(['bold', 'cyan'], cut(key, columns))} ${paint('dim', meaning)}  `;
    width += wide;
  }
  return <Rows rows={[` ${line}`]} />;
}

function hintsFor({ place, entry, hasOpen, optionCount, columns, prefix }: KeyLineProps): readonly Hint[] {
  const { mode, focus, pane, sending, itemId, sessionId } = place;
  const takesAnswer = entry?.item.state === 'open' && !sending.includes(entry.item.id);
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
        ['y', entry && !takesText(entry.item) ? 'puts it away' : 'declines'],
        ['any other key', 'does not'],
      ];
    case 'item': {
      if (!takesAnswer) {
        const next: Hint[] = hasOpen ? [['Enter', 'next open item']] : [];
        return [...next, ['Esc', 'back'], ['g', 'session'], HELP];
      }
      const count = Math.min(9, optionCount);
      const choose: Hint[] = count === 0 ? [] : [[count === 1 ? '1' : `1–${count}`, 'answer with it']];
      if (!takesText(entry.item)) {
        return [...choose, ['Enter', 'attach'], ['x', 'put away'], ['Esc', 'back'], ['g', 'session'], HELP];
      }
      return [...choose, ['a', 'type an answer'], ['x', 'decline'], ['Esc', 'back'], ['g', 'session'], HELP];
    }
    case 'browse': {
      const inbox: readonly Hint[] = [
        ...(takesAnswer
          ? ([['Enter', 'open'], ...(takesText(entry.item) ? ([['a', 'answer']] as const) : [])] as const)
          : []),
        ...(itemId === null ? [] : ([['g', 'session']] as const)),
      ];
      const attach = (meaning: string): readonly Hint[] =>
        sessionId === null
          ? []
          : [
              ['Enter', meaning],
              ['i', 'item'],
            ];
      const withOthers = (here: readonly Hint[]): readonly Hint[] => [
        ...here,
        ['Tab', focus === 'inbox' ? 'sessions' : 'inbox'],
        ['f', pane === 'screen' ? 'feed' : 'screen'],
        HELP,
        QUIT,
      ];
      if (focus === 'inbox') return withOthers(inbox);
      // How to come back, where nothing else has to give way to it.
      const full = withOthers(attach(`attach (${prefixName(prefix)} d comes back)`));
      return widthOfAll(full) <= columns ? full : withOthers(attach('attach'));
    }
  }
}

const widthOfAll = (hints: readonly Hint[]): number =>
  hints.reduce((sum, [key, meaning]) => sum + widthOf(`${key} ${meaning}`) + 2, 1);
