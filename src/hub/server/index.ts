/** The server of a hub: its configuration, its streams and buckets, and the checks before a daemon joins. */
export { checkJoin } from './check-join.js';
export { type HubLimits, initHub } from './init.js';
export { type HubRole, type HubUser, serverConfig } from './server-config.js';
