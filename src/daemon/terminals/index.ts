/** Terminal streams: clients that watch a session and type into it. */
export { joinReplies } from './join-replies.js';
export { DRAINED_BYTES } from './raw.js';
export type { TerminalSocket } from './socket.js';
export { type TerminalRequest, Terminals } from './terminals.js';
