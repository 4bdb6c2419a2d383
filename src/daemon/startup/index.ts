/** Parts that are used once, while the daemon starts. */

export { makeDirectories } from './directories.js';
export { linkHost } from './host-link.js';
export { readConfig, readConfigToStop } from './read-config.js';
export { soundState } from './sound-rows.js';
export { createStarter, tellFailure } from './starter.js';
export { readToken } from './token.js';
export { beginWarmUp, inlineLess } from './warm-up.js';
