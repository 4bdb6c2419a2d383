import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';
import { type DialogTraits, readDialog } from './dialogs.js';

const COMPOSER: ComposerTraits = {
  above: /^╻▄{10}/,
  below: /^╹▀{10}/,
  first: /^┃ {0,2}/,
  next: /^┃ {0,2}/,
  placeholder: null,
  footRows: 0,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  top: /^╭/,
  noise: null,
  open: /^Other\b|^Type /,
  escape: /\(Esc(?: to stop)?\)$/,
  bare: null,
};

/** Copilot CLI: fences swallowed, a scrollbar at the right edge. */
export const copilot: Adapter = {
  ...GENERIC,
  name: 'copilot',
  label: 'Copilot CLI',
  programs: ['copilot'],
  screen: { ...GENERIC_SCREEN, title: /GitHub Copilot$/ },
  signals: {
    ready: /^╹▀{10}/,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: null, row: /^ ?[○◎◉●◌∙] \w+\b.* esc\b/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
};
