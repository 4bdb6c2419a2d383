/** Terminal streams: clients that watch a session and type into it. */
export { joinReplies } from './join-replies.js';
export { Terminals } from './terminals.js';
