import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** pi: prints fences, also those of its own messages, and indents what is in them; an outer fence of four backticks shows three. */
export const pi: Adapter = {
  ...GENERIC,
  name: 'pi',
  label: 'pi',
  programs: ['pi'],
  screen: { ...GENERIC_SCREEN, title: /^π - /u, fences: 'printed' },
};
