import { GENERIC, type ScreenAdapter } from './adapter.js';

/** Qwen Code: fences swallowed, line numbers of changing width. */
export const qwen: ScreenAdapter = {
  ...GENERIC,
  name: 'qwen',
  programs: ['qwen'],
  title: /^(?:\S+ )?Qwen - /u,
};
