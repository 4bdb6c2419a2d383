/** The adapter of Kilo: the generic adapter with the screen, the input and the batch mode of OpenCode. */
import { type Adapter, GENERIC } from './adapter.js';
import { opencode } from './opencode.js';

/**
 * Kilo, a fork of OpenCode: it paints as OpenCode does and has the same batch mode. It does not support orchd's
 * additions to OpenCode's start, so its messages are read from its screen.
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
