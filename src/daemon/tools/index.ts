/** Tools that agents call. */
export { type CallRequest, type ToolCaller, type ToolResult, Tools } from './tools.js';
