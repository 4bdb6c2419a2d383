/** The input of an attached terminal: keys after the prefix, the wheel, and replies of the terminal. */
export { createHeldKeys, type HeldKeys } from './attach-held.js';
export { type AttachAction, type AttachKeys, attachKeys, attachKeysText, isAttachKey } from './attach-keys.js';
export { type AttachMouse, createAttachMouse } from './attach-mouse.js';
export { type GridAction, gridKeys, gridKeysText, isGridKey } from './grid-keys.js';
export { createPrefixReader, keyWithoutAction, prefixName } from './prefix-reader.js';
export type { Keys, PrefixTable } from './prefix-table.js';
export { ASK_COLOURS, createReplyFilter, type TerminalColours } from './terminal-replies.js';
