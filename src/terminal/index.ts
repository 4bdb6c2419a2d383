/** Screens: what a session's terminal shows, fed from its journal. Has no idea what a message is. */
export { guard } from './guard.js';
export * from './keys.js';
export * from './queries.js';
export * from './screen.js';
export { createRestWatch } from './sequences.js';
