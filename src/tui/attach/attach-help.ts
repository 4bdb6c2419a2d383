/** The help overlay of an attached terminal. It lists every key that follows the prefix. */

import type { Paint } from '../paint/paint.js';
import { box } from '../paint/rows.js';
import { fill } from '../paint/text.js';
import type { AttachKeys } from './attach-keys.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

const KEY_COLUMNS = 7;

/** @param prefix  The prefix key, such as `Ctrl-]`. */
export function createHelp(paint: Paint, prefix: string, { table }: AttachKeys, { close }: OverlayPorts): Overlay {
  return {
    rows({ cols, rows }) {
      const inner = cols - 2;
      const lines = [
        ...table.map(({ keys, help }) => [keysWords(keys), help] as const),
        [prefix, `send ${prefix} to the program`] as const,
      ];
      const height = Math.min(rows, lines.length + 2);
      const body = lines.map(([key, help]) => {
        const keys = Math.max(KEY_COLUMNS, prefix.length + 1);
        return fill(`  ${fill(key, keys)}`, inner).length < inner || inner <= keys + 2
          ? fill(` ${key} ${help}`, inner)
          : ` ${paint(['bold', 'cyan'], fill(key, keys))}${fill(help, inner - keys - 1)}`;
      });
      const title = `Behind ${prefix}`;
      return box(paint, body, { width: cols, height, title, foot: 'any key closes this', isFocused: true });
    },
    press: () => close(),
  };
}

/** Returns `n`, `w Tab`, `1–9`, or `—` for an action without a key. */
function keysWords(keys: readonly string[]): string {
  if (keys.length === 0) return '—';
  return keys.length > 3 ? `${keys[0]}–${keys.at(-1)}` : keys.join(' ');
}
