/** Tools that agents call. */
export { type CallRequest, type ToolCaller, ToolMessages, type ToolResult } from './tool-messages.js';
export { Tools } from './tools.js';
