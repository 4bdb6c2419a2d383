import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';
import { type DialogTraits, readDialog } from './dialogs.js';

/** What the person said stands in the same frame, higher up. */
const COMPOSER: ComposerTraits = {
  above: /^▄{10}/,
  below: /^▀{10}/,
  first: /^ [>!*] {1,3}/,
  next: /^ {1,3}/,
  placeholder: /^Type your message or @path/,
  footRows: 0,
  rowsBelow: 6,
};
const DIALOG: DialogTraits = {
  top: /^\s?╭/,
  noise: null,
  open: /^Enter a custom value|^Modify with external editor/,
  escape: null,
  bare: null,
};

/** Gemini CLI: fences swallowed, line numbers; the whole picture is painted for every few characters. */
export const gemini: Adapter = {
  ...GENERIC,
  name: 'gemini',
  label: 'Gemini CLI',
  programs: ['gemini'],
  screen: { ...GENERIC_SCREEN, title: /^[◇✦✋] {2}.*\(.*\)$/u },
  signals: {
    ready: /^ [>!*] /,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: /^✦ /u, row: /^\s?[\u2800-\u28ff] .*esc to cancel/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
};
