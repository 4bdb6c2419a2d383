import { GENERIC, type ScreenAdapter } from './adapter.js';

/** pi: prints fences, also those of its own messages, and indents what is in them; an outer fence of four backticks shows three. */
export const pi: ScreenAdapter = {
  ...GENERIC,
  name: 'pi',
  programs: ['pi'],
  title: /^π - /u,
  fences: 'printed',
};
