import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** Copilot CLI: fences swallowed, a scrollbar at the right edge. */
export const copilot: Adapter = {
  ...GENERIC,
  name: 'copilot',
  label: 'Copilot CLI',
  programs: ['copilot'],
  screen: { ...GENERIC_SCREEN, title: /GitHub Copilot$/ },
};
