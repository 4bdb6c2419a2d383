import { GENERIC, type ScreenAdapter } from './adapter.js';

/** Gemini CLI: fences swallowed, line numbers; the whole picture is painted for every few characters. */
export const gemini: ScreenAdapter = {
  ...GENERIC,
  name: 'gemini',
  programs: ['gemini'],
  title: /^[◇✦✋] {2}.*\(.*\)$/u,
};
