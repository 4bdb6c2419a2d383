import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** OpenCode and its fork Kilo: fences swallowed, blank padding, a side panel on wide screens. */
export const opencode: Adapter = {
  ...GENERIC,
  name: 'opencode',
  label: 'OpenCode',
  programs: ['opencode', 'kilo'],
  screen: { ...GENERIC_SCREEN, title: /^(?:OC|KC) \| / },
};
