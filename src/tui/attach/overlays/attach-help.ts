/**
 * Help overlays: the keys that follow the prefix in an attached terminal, and in the grid. If the terminal is too small
 * for all of them, the arrows scroll.
 */
import { spell } from '../../input/key-names.js';
import type { PrefixTable } from '../../keys/index.js';
import type { Paint } from '../../paint/paint.js';
import { box, hiddenWords } from '../../paint/rows.js';
import { fill, widthOf, wrap } from '../../paint/text.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

const KEY_COLUMNS = 7;
const PAGE = 5;

/** @param prefix  The prefix key, such as `Ctrl-]`. */
export function createHelp<A extends string>(
  paint: Paint,
  prefix: string,
  { table }: PrefixTable<A>,
  ports: OverlayPorts,
): Overlay {
  const lines = [
    ...table.map(({ keys, help }) => [keysWords(keys), help] as const),
    [prefix, `send ${prefix} to the program`] as const,
  ];
  return createKeyList(paint, `Behind ${prefix}`, lines, ports);
}

/** @param lines  Keys, and what they do. */
function createKeyList(
  paint: Paint,
  title: string,
  lines: readonly (readonly [keys: string, words: string])[],
  { redraw, close }: OverlayPorts,
): Overlay {
  let from = 0;
  /** The highest number of rows to scroll by, at the size that was drawn last. */
  let most = 0;
  const widest = Math.max(KEY_COLUMNS, ...lines.map(([keys]) => widthOf(keys)));

  function scroll(step: number): void {
    from = Math.max(0, Math.min(most, from + step));
    redraw();
  }

  return {
    rows({ cols, rows }) {
      const inner = cols - 2;
      const keyCols = Math.min(widest, Math.floor(inner / 3));
      const body = lines.flatMap(([keys, words]) => {
        const said = wrap(words, Math.max(1, inner - keyCols - 3));
        return said.map((row, y) => {
          const shown = paint(['bold', 'cyan'], fill(y === 0 ? keys : '', keyCols));
          return ` ${shown}  ${fill(row, Math.max(0, inner - keyCols - 3))}`;
        });
      });
      const height = Math.min(rows, body.length + 2);
      const room = Math.max(0, height - 2);
      most = body.length - room;
      from = Math.min(from, most);
      const foot = most === 0 ? 'any key closes this' : `${hiddenWords(from, most - from)} · ↑ ↓`;
      return box(paint, body.slice(from, from + room), { width: cols, height, title, foot, isFocused: true });
    },
    press(key) {
      const name = key.kind === 'mouse' ? (key.what === 'wheelup' ? 'Up' : 'Down') : spell(key);
      if (most > 0 && (name === 'Up' || name === 'Down')) scroll(name === 'Up' ? -1 : 1);
      else if (most > 0 && (name === 'PageUp' || name === 'PageDown')) scroll(name === 'PageUp' ? -PAGE : PAGE);
      else close();
    },
  };
}

/** Returns `n`, `w Tab`, `1–9`, or `—` for an action without a key. */
function keysWords(keys: readonly string[]): string {
  if (keys.length === 0) return '—';
  return keys.length > 3 ? `${keys[0]}–${keys.at(-1)}` : keys.join(' ');
}
