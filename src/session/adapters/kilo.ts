import { type Adapter, GENERIC } from './adapter.js';
import { opencode } from './opencode.js';

/**
 * Kilo, a fork of OpenCode: it paints as OpenCode does and has the same batch mode. It takes none of what orchd adds to
 * OpenCode's start, so it is heard by its screen.
 */
export const kilo: Adapter = {
  ...GENERIC,
  name: 'kilo',
  label: 'Kilo',
  programs: ['kilo'],
  screen: { ...opencode.screen, title: /^KC \| / },
  signals: opencode.signals,
  input: opencode.input,
  batch: opencode.batch,
};
