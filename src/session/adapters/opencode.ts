import type { Voices } from '../../ears/index.js';
import type { Dialog, ScreenView } from './adapter.js';
import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';
import { type DialogTraits, dialogOf, inside, readDialog } from './dialogs.js';

/** What the person said, and what tools gave, stands behind a bar. */
const VOICES: Voices = { own: /^ {3,}[^\s┃]/u, other: /^ {2}┃/u, isShaded: false };
const COMPOSER: ComposerTraits = {
  above: null,
  below: /^\s*╹▀{10}/,
  first: /^\s*┃ {0,2}/,
  next: /^\s*┃ {0,2}/,
  placeholder: /^Ask anything…/,
  footRows: 2,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  top: /^(?!\s*┃)/,
  noise: /^↑↓ |^△ Permission required$/,
  open: /^Type your own answer/,
  escape: null,
  bare: /^\s*┃/,
};
const RIGHT = '\x1b[C';
const LEFT = '\x1b[D';

/**
 *     ┃   Allow once   Allow always   Reject   ctrl+f fullscreen  ⇆ select  enter confirm
 *         the chosen one has a background of its own
 */
function readButtons({ rows }: ScreenView): Dialog | null {
  const at = rows.findLastIndex(({ text }) => /^\s*┃.* {2}(?:⇆|←→) select/u.test(text));
  const row = rows[at];
  if (!row) return null;
  const words = inside(row.text).replace(/ {2}(?:ctrl\+\w|⇆|←→) .*$/u, '');
  const buttons = [...words.matchAll(/\S+(?: \S+)*/g)];
  const panel = row.ground(row.text.indexOf('┃') + 1);
  const lit = buttons.flatMap(({ index }, at) => (row.ground(index) === panel ? [] : [at]));
  const [chosen = 0] = lit;
  const choices = buttons.map(([label], index) => {
    const moves = index < chosen ? LEFT.repeat(chosen - index) : RIGHT.repeat(index - chosen);
    return { label, keys: lit.length === 1 ? `${moves}\r` : null };
  });
  return choices.length < 2
    ? null
    : dialogOf(
        rows.map(({ text }) => text),
        at,
        choices,
        DIALOG,
      );
}

/** OpenCode and its fork Kilo: fences swallowed, blank padding, a side panel on wide screens. */
export const opencode: Adapter = {
  ...GENERIC,
  name: 'opencode',
  label: 'OpenCode',
  programs: ['opencode', 'kilo'],
  screen: { ...GENERIC_SCREEN, title: /^(?:OC|KC) \| /, voices: VOICES },
  signals: {
    ready: /^\s*┃ {2}\S.* · \S/,
    readyQuietMs: 1500,
    readyLimitMs: 60_000,
    busy: { title: null, row: /^ *[■⬝]{3,} +esc (?:again to )?interrupt/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readButtons(view) ?? readDialog(view, DIALOG),
  },
};
