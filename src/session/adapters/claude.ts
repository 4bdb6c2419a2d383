import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';
import { type DialogTraits, readDialog } from './dialogs.js';

const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^❯ ?/,
  next: /^ {0,2}/,
  placeholder: null,
  footRows: 0,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  top: /^─{10}/,
  noise: /^Tip: |^below$/,
  open: /^Type something\b|^Chat about this/,
  escape: null,
  bare: null,
};

/** Claude Code: fences swallowed, the info string stays as a bare row; bullets `●`, a tool's output behind `⎿`. */
export const claude: Adapter = {
  ...GENERIC,
  name: 'claude',
  label: 'Claude Code',
  programs: ['claude'],
  screen: { ...GENERIC_SCREEN, title: /^(?:[✳◐◑◒◓⠂⠐] )Claude Code$/u },
  signals: {
    ready: /^\s*(?:[⏵⏸]|\? for shortcuts)/u,
    readyQuietMs: 300,
    readyLimitMs: 30_000,
    busy: { title: /^[◐◑◒◓⠂⠐] /u, row: /^\s*[⏵⏸].* · esc to interrupt/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
};
