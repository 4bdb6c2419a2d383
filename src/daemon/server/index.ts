/** The server: HTTP, WebSocket and MCP. */

export { wantedTcp } from './listening.js';
export { type DaemonServer, serve } from './server.js';
