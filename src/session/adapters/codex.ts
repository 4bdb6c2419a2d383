import { type Adapter, GENERIC } from './adapter.js';

/** Codex: fence and info string swallowed; the prompt is pinned at the top. */
export const codex: Adapter = {
  ...GENERIC,
  name: 'codex',
  label: 'Codex',
  programs: ['codex'],
};
