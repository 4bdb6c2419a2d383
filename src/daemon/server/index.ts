/** The server: HTTP, WebSocket and MCP. */

export { type WantedTcp, wantedTcp } from './listening.js';
export { type DaemonServer, serve } from './server.js';
