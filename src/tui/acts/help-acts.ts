/**
 * The keys of the help page. Scroll keys scroll, the key of the filter searches, Escape ends the search, and every
 * other key leads back. Pure.
 */
import { spell } from '../input/key-names.js';
import type { Key } from '../input/key-reader.js';
import { EMPTY_LINE, edit, textOf } from '../input/line-editor.js';
import { go, type KeyContext, type KeyResult, type Mode, stay, type UiState } from './ui-state.js';

type HelpMode = Extract<Mode, { kind: 'help' }>;

export const openHelp = (ui: UiState): KeyResult =>
  go(ui, { kind: 'help', scroll: 0, back: ui.mode, line: EMPTY_LINE, isSearching: false });

export function readHelp(ui: UiState, mode: HelpMode, key: Key, context: KeyContext): KeyResult {
  const step = helpStep(key, mode, context);
  if (step !== null) {
    const scroll = Math.max(0, Math.min(context.maxHelpScroll(), mode.scroll + step));
    return go(ui, { ...mode, scroll });
  }
  const name = spell(key);
  const put = (next: Partial<HelpMode>): KeyResult => go(ui, { ...mode, ...next });
  if (mode.isSearching) {
    if (name === 'Enter') return put({ isSearching: false });
    if (name === 'Escape') return put({ isSearching: false, line: EMPTY_LINE, scroll: 0 });
    const line = edit(mode.line, key);
    return line === null ? stay(ui) : put({ line, scroll: 0 });
  }
  if (name !== null && context.keymap.find('inbox', name)?.name === 'filter')
    return put({ isSearching: true, scroll: 0 });
  if (name === 'Escape' && textOf(mode.line) !== '') return put({ line: EMPTY_LINE, scroll: 0 });
  return go(ui, mode.back);
}

const PAGE = 10;
const WHEEL = 3;

function helpStep(key: Key, { isSearching }: HelpMode, { keymap }: KeyContext): number | null {
  if (key.kind === 'mouse') return key.what === 'click' ? null : key.what === 'wheelup' ? -WHEEL : WHEEL;
  // While a search is typed, letters are text, and Home and End move the cursor.
  if (isSearching && (key.kind !== 'named' || key.name === 'home' || key.name === 'end')) return null;
  const name = spell(key);
  switch (name === null ? null : keymap.find('inbox', name)?.name) {
    case 'down':
      return 1;
    case 'up':
      return -1;
    case 'page_down':
      return PAGE;
    case 'page_up':
      return -PAGE;
    case 'first':
      return Number.NEGATIVE_INFINITY;
    case 'last':
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}
