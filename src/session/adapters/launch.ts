/** Parts that the launches of all agents are made of. */
import type { Launch, LaunchRequest, ToolsServer } from './adapter.js';

/** Where hooks and plugins of ours append what they say, a JSON object a line. */
export const FEED_FILE = 'feed.jsonl';
export const feedOf = (dir: string): string => `${dir}/${FEED_FILE}`;
/** Tells OpenCode's plugin where that is; the others have it in their text. */
export const FEED_VARIABLE = 'ORCHD_FEED';

/** What the tools' MCP server is called in an agent's configuration. */
export const TOOLS_NAME = 'orchd';
export const TOOLS_FILE = 'mcp.json';

/** A configuration file with this server alone; it holds the session's token, and only the session's folder holds it. */
export function toolsConfig({ command, args, env }: ToolsServer, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ mcpServers: { [TOOLS_NAME]: { command, args, env, ...more } } });
}

/** A person takes as long as they like: a week, for programs that want a number of seconds. */
export const TOOLS_PATIENCE_S = 7 * 24 * 60 * 60;

/** Exactly what was given. */
export const asGiven = ({ argv, teach }: LaunchRequest): Launch => ({
  argv,
  env: {},
  files: {},
  agentSessionId: null,
  isTaught: teach === null,
});
