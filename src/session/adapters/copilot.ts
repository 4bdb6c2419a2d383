import { GENERIC, type ScreenAdapter } from './adapter.js';

/** Copilot CLI: fences swallowed, a scrollbar at the right edge. */
export const copilot: ScreenAdapter = {
  ...GENERIC,
  name: 'copilot',
  programs: ['copilot'],
  title: /GitHub Copilot$/,
};
