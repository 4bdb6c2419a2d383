import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** Gemini CLI: fences swallowed, line numbers; the whole picture is painted for every few characters. */
export const gemini: Adapter = {
  ...GENERIC,
  name: 'gemini',
  label: 'Gemini CLI',
  programs: ['gemini'],
  screen: { ...GENERIC_SCREEN, title: /^[◇✦✋] {2}.*\(.*\)$/u },
};
