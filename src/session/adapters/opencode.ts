import { GENERIC, type ScreenAdapter } from './adapter.js';

/** OpenCode and its fork Kilo: fences swallowed, blank padding, a side panel on wide screens. */
export const opencode: ScreenAdapter = {
  ...GENERIC,
  name: 'opencode',
  programs: ['opencode', 'kilo'],
  title: /^(?:OC|KC) \| /,
};
