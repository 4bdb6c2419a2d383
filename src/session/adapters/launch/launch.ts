/** The common parts of the launches of all agents, in a terminal and in batch mode. */
import { shellWord } from '../../../protocol/index.js';
import type { Launch, LaunchRequest, ToolsServer } from '../adapter.js';
import { asObject, type Json } from '../record.js';

/** The file to which our hooks and plugins append, one JSON object per line. */
const FEED_FILE = 'feed.jsonl';

/** Returns the path of the feed file in a session's folder. */
export const feedOf = (dir: string): string => `${dir}/${FEED_FILE}`;
/** The variable with the path of the feed, for OpenCode's plugin. The plugins of other agents contain the path. */
export const FEED_VARIABLE = 'ORCHD_FEED';

/** Formats a string, a number or a list of them as TOML. It is as JSON, except that DEL is escaped. */
export const asToml = (value: unknown): string => JSON.stringify(value).replaceAll('\x7f', '\\u007f');

/**
 * The commands of hooks, for a shell. The agent does not notice their failures.
 *
 *     tell   appends its input to the feed. A program gets the input as its first argument, not on standard input
 *     ask    asks the person, and prints the decision
 */
export const tellCommand = (dir: string): string =>
  `umask 077; { cat; echo; } 2>/dev/null >> ${shellWord(feedOf(dir))} || :`;
export const tellLine = (dir: string): string =>
  `( umask 077; printf '%s\\n' "$1" >> ${shellWord(feedOf(dir))} ) 2>/dev/null || :`;
export const askCommand = (hook: readonly string[]): string => `${hook.map(shellWord).join(' ')} 2>/dev/null || :`;

/** Name of the tools' MCP server in an agent's configuration. */
export const TOOLS_NAME = 'orchd';
export const TOOLS_FILE = 'mcp.json';

/** A configuration file with only this server. It contains the session's token, so it is in the session's folder. */
function toolsConfig({ command, args, env }: ToolsServer, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ mcpServers: { [TOOLS_NAME]: { command, args, env, ...more } } });
}

/** Timeout of a question in seconds, for programs that require one: a person may take up to a week. */
export const PATIENCE_S = 7 * 24 * 60 * 60;

/** The configuration for Claude Code. `alwaysLoad`: the model need not search for the tools first. */
export const claudeTools = (tools: ToolsServer): string => toolsConfig(tools, { alwaysLoad: true });

/**
 * The command that calls a tool from a shell, to which the tool's name and input are appended. Its paths are absolute,
 * because `orchd` may not be on the PATH.
 */
export const shellCall = ({ command, args: [orchd = ''] }: Pick<ToolsServer, 'command' | 'args'>): string =>
  [command, orchd, 'tool'].map(shellWord).join(' ');

export const qwenTools = (tools: ToolsServer): string =>
  toolsConfig(tools, { trust: true, alwaysLoadTools: true, timeout: PATIENCE_S * 1000 });

export const copilotTools = (tools: ToolsServer): string =>
  toolsConfig(tools, { type: 'local', tools: ['*'], timeout: PATIENCE_S * 1000 });

/**
 * The arguments for Codex. Values are passed by variable names, because other users can read a command line, and so the
 * token in it.
 */
export function codexTools({ command, args, env }: ToolsServer): string[] {
  const options = {
    command,
    args,
    env_vars: Object.keys(env),
    tool_timeout_sec: PATIENCE_S,
    default_tools_approval_mode: 'approve',
  };
  return Object.entries(options).flatMap(([name, value]) => [
    '--config',
    `mcp_servers.${TOOLS_NAME}.${name}=${asToml(value)}`,
  ]);
}

/**
 * Additions to OpenCode's configuration. Values are passed by variable names, which OpenCode resolves: its tools can
 * see the configuration in their environment.
 */
export function opencodeTools(given: Json, { command, args, env }: ToolsServer): Json {
  const environment = Object.fromEntries(Object.keys(env).map((name) => [name, `{env:${name}}`]));
  const server = { type: 'local', command: [command, ...args], environment, enabled: true };
  const { permission } = given;
  const rules = typeof permission === 'string' ? { '*': permission } : asObject(permission);
  return {
    mcp: { ...asObject(given['mcp']), [TOOLS_NAME]: { ...server, timeout: PATIENCE_S * 1000 } },
    // Allows the use of orchd's tools. Otherwise the agent would need the person's permission each time it wants to ask
    // a question.
    permission: { ...rules, [`${TOOLS_NAME}_*`]: 'allow' },
  };
}

/** Returns the command without any addition. */
export const asGiven = ({ argv, teach }: LaunchRequest): Launch => ({
  argv,
  env: {},
  files: {},
  agentSessionId: null,
  isTaught: teach === null,
});
