import { GENERIC, type ScreenAdapter } from './adapter.js';

/** Codex: fence and info string swallowed; the prompt is pinned at the top. */
export const codex: ScreenAdapter = {
  ...GENERIC,
  name: 'codex',
  programs: ['codex'],
  title: null,
};
