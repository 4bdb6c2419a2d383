import { GENERIC, type ScreenAdapter } from './adapter.js';

/** Claude Code: fences swallowed, the info string stays as a bare row; bullets `●`, a tool's output behind `⎿`. */
export const claude: ScreenAdapter = {
  ...GENERIC,
  name: 'claude',
  programs: ['claude'],
  title: /^(?:[✳◐◑◒◓⠂⠐] )Claude Code$/u,
};
