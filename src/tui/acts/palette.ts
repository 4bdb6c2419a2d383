/**
 * The palette: all actions by name, sorted by how well they match the typed text. Enter runs the selected one if it is
 * available in the current view. Pure.
 */

import { fuzzyScore } from '../input/fuzzy.js';
import { spell } from '../input/key-names.js';
import type { Key } from '../input/key-reader.js';
import { edit, textOf } from '../input/line-editor.js';
import { type Action, GROUPS, holdsIn, type Where, whereIs } from './action.js';
import { ACTIONS } from './actions.js';
import { go, type KeyContext, type KeyResult, type Mode, notify, stay, type UiState } from './ui-state.js';

type PaletteMode = Extract<Mode, { kind: 'palette' }>;

export interface Choice {
  readonly action: Action;
  /** True if the action is available in the view where the palette was opened. */
  readonly holds: boolean;
}

/** Returns the matching actions, best match first; equal matches are sorted by availability. */
export function choicesFor(ui: UiState, { line, back }: PaletteMode): readonly Choice[] {
  const where = whereIs({ ...ui, mode: back });
  const query = textOf(line);
  return (ACTIONS as readonly Action[])
    .filter(({ name }) => name !== 'palette')
    .flatMap((action) => {
      const score = scoreOf(query, action);
      const holds = where !== null && holdsIn(action, where);
      return score === null ? [] : [{ action, holds, score }];
    })
    .sort((a, b) => b.score - a.score || Number(b.holds) - Number(a.holds));
}

export const wordsOf = ({ name }: Action): string => name.replaceAll('_', ' ');

/** A name matches by scattered letters, a description only as a contiguous text. */
function scoreOf(query: string, action: Action): number | null {
  const byName = fuzzyScore(query, wordsOf(action));
  if (byName !== null) return byName;
  return action.words.toLowerCase().includes(query.trim().toLowerCase()) ? BY_WORDS : null;
}

/** Score offset that ranks an entry below every match by name. */
const BY_WORDS = -1_000;

export function handlePaletteKey(ui: UiState, mode: PaletteMode, key: Key, context: KeyContext): KeyResult {
  const choices = choicesFor(ui, mode);
  const select = (to: number): KeyResult =>
    go(ui, { ...mode, selected: Math.max(0, Math.min(choices.length - 1, to)) });
  switch (spell(key)) {
    case 'Escape':
      return go(ui, mode.back);
    case 'Down':
    case 'C-n':
      return select(mode.selected + 1);
    case 'Up':
    case 'C-p':
      return select(mode.selected - 1);
    case 'PageDown':
      return select(mode.selected + PAGE);
    case 'PageUp':
      return select(mode.selected - PAGE);
    case 'Enter': {
      const chosen = choices[mode.selected];
      if (!chosen) return stay(ui);
      if (chosen.holds) return chosen.action.act({ ...ui, mode: mode.back }, context, null);
      const where = whereWords(GROUPS[chosen.action.group].where);
      return stay(notify(ui, `${wordsOf(chosen.action)} works in ${where}`, context.at, true));
    }
    default: {
      if (key.kind === 'mouse') return key.what === 'click' ? stay(ui) : select(mode.selected + wheelStep(key.what));
      const line = edit(mode.line, key);
      return line === null ? stay(ui) : go(ui, { ...mode, line, selected: 0 });
    }
  }
}

const PAGE = 10;
export const wheelStep = (what: 'wheelup' | 'wheeldown'): 1 | -1 => (what === 'wheelup' ? -1 : 1);

export const whereWords = (where: readonly Where[]): string =>
  where.map((one) => WHERE_WORDS[one] ?? `the ${one}`).join(', ');

const WHERE_WORDS: Readonly<Partial<Record<Where, string>>> = {
  sessions: 'the list of sessions',
  session: 'the details of a session',
  typing: 'an answer',
  item: 'an item',
  workflow: 'a workflow',
  step: 'a step',
};
