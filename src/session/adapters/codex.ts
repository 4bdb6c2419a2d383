import { type Adapter, GENERIC, type ScreenView } from './adapter.js';
import { type DialogTraits, readDialog } from './dialogs.js';

const DIALOG: DialogTraits = {
  top: /^(?:[•›✔✗]|\s*>_ )/u,
  noise: null,
  open: null,
  escape: null,
  bare: null,
};

const PROMPT = /^›(?: |$)/;

/**
 *     › what is typed        bright; what was said before is dim
 *       on several rows
 *                            the last empty row
 *       gpt-5 · ~/proj
 */
function composer({ rows }: ScreenView): string | null {
  const begin = rows.findLastIndex((row) => PROMPT.test(row.text) && PROMPT.test(row.bright));
  const end = rows.findLastIndex(({ text }) => text === '');
  if (begin === -1 || end < begin) return null;
  const isList = [begin - 1, begin, begin + 1].filter((at) => /^[› ] \d\. /.test(rows[at]?.text ?? '')).length > 1;
  if (isList) return null; // a dialog points with the same glyph
  const words = rows.slice(begin, end).map(({ bright }) => bright.replace(/^(?:›| ) ?/, '').trimEnd());
  return words.join('\n').trim();
}

/** Codex: fence and info string swallowed; the prompt is pinned at the top. */
export const codex: Adapter = {
  ...GENERIC,
  name: 'codex',
  label: 'Codex',
  programs: ['codex'],
  signals: {
    ready: PROMPT,
    readyQuietMs: 800,
    readyLimitMs: 30_000,
    busy: { title: /^[\u2800-\u28ff] /u, row: /^[•◦] .*\([^()]*esc to interrupt\)/u },
    composer,
    dialog: (view) => readDialog(view, DIALOG),
  },
};
