/** Copy mode of an attached session. */
export { type Chosen, createCopy, MAX_SCROLLBACK } from './copy-mode.js';
export type { CopyChoice } from './copy-rows.js';
