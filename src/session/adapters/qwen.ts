import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** Qwen Code: fences swallowed, line numbers of changing width. */
export const qwen: Adapter = {
  ...GENERIC,
  name: 'qwen',
  label: 'Qwen Code',
  programs: ['qwen'],
  screen: { ...GENERIC_SCREEN, title: /^(?:\S+ )?Qwen - /u },
};
