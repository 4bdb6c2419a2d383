import { type Adapter, GENERIC, GENERIC_SCREEN } from './adapter.js';

/** Claude Code: fences swallowed, the info string stays as a bare row; bullets `●`, a tool's output behind `⎿`. */
export const claude: Adapter = {
  ...GENERIC,
  name: 'claude',
  label: 'Claude Code',
  programs: ['claude'],
  screen: { ...GENERIC_SCREEN, title: /^(?:[✳◐◑◒◓⠂⠐] )Claude Code$/u },
};
