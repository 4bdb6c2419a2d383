/** The tools as an MCP server, on the official SDK. Loaded on demand, because the SDK takes long to load. */
export { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export { LineTransport, withDefaults } from './line-transport.js';
export { createMcpServer, type McpCall } from './server.js';
