import type { Voices } from '../../ears/index.js';
import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';
import { type ComposerTraits, readComposer } from './composers.js';

/** What the person said and what tools gave stands on a background of its own. */
const VOICES: Voices = { own: null, other: null, isShaded: true };
const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^/,
  next: /^/,
  placeholder: null,
  footRows: 0,
  rowsBelow: 12,
};

/** pi: prints fences, also those of its own messages, and indents what is in them; an outer fence of four backticks shows three. */
export const pi: Adapter = {
  ...GENERIC,
  name: 'pi',
  label: 'pi',
  programs: ['pi'],
  screen: { ...GENERIC_SCREEN, title: /^π - /u, fences: 'printed', voices: VOICES },
  signals: {
    ready: /%\/\d+(?:\.\d+)?[kM]/,
    readyQuietMs: 500,
    readyLimitMs: 30_000,
    busy: { title: null, row: /^ [\u2800-\u28ff] \S/u },
    composer: (view) => readComposer(view, COMPOSER),
    // It asks for nothing but by extensions.
    dialog: () => null,
  },
};
