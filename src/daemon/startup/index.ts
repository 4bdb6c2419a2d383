/** Parts that are used once, while the daemon starts. */

export { makeDirectories } from './directories.js';
export { HostConnection } from './host-connection.js';
export { Lifetime } from './lifetime.js';
export { flagSource, readConfigToStop, readSources } from './read-config.js';
export { createStarter, tellFailure } from './starter.js';
export { readToken } from './token.js';
export { validState } from './valid-rows.js';
