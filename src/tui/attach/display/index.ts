/** The parts of the screen that an attached terminal adds to the session: the status row, notices, and overlays. */
export { type AttachClipboard, copyLines, createClipboard } from './attach-clipboard.js';
export { guestWords, NO_OTHERS, type Others, statusRow } from './attach-status.js';
export { AttachView } from './attach-view.js';
