import type { Voices } from '../../ears/index.js';
import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';
import { type DialogTraits, readDialog } from './dialogs.js';

const VOICES: Voices = { own: /^ {0,3}[◆✦●•] /u, other: /^ {1,3}(?:[✓✗✕x?⊷o-] \S|> )/u, isShaded: false };
const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^[>*!] {0,3}/,
  next: /^ {0,3}/,
  placeholder: /^Type your message or @path/,
  footRows: 0,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  top: /^\s*(?:╭|> )/,
  noise: null,
  open: /^Type something|^Modify with external editor/,
  escape: null,
  bare: null,
};

/** Qwen Code: fences swallowed, line numbers of changing width. */
export const qwen: Adapter = {
  ...GENERIC,
  name: 'qwen',
  label: 'Qwen Code',
  programs: ['qwen'],
  screen: { ...GENERIC_SCREEN, title: /^(?:\S+ )?Qwen - /u, voices: VOICES },
  signals: {
    ready: /^[>*!](?: |$)/,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: /^[◐◑◒◓]/u, row: /^\s*[\u2800-\u28ff] .*esc to cancel/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
};
