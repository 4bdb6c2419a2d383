/** Terminal streams: clients that watch a session and type into it. */
export { Terminals } from './terminals.js';
