/** The client: one typed connection to the daemon. */

export { callAcrossRestarts } from './across-restarts.js';
export type { CallOptions } from './call.js';
export { callerEnvironment, callerOf } from './caller.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export { callMachine } from './machine-call.js';
export type { ClientControl, DaemonControl, Terminal, TerminalEnd, TerminalOptions } from './terminal.js';
export { callTool } from './tool-call.js';
