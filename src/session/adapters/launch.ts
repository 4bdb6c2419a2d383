/** Parts that the launches of all agents are made of, in a terminal and in batch mode. */
import { shellWord } from '../../protocol/index.js';
import type { Launch, LaunchRequest, ToolsServer } from './adapter.js';
import { asObject, type Json } from './record.js';

/** The file to which our hooks and plugins append, one JSON object per line. */
const FEED_FILE = 'feed.jsonl';
export const feedOf = (dir: string): string => `${dir}/${FEED_FILE}`;
/** Tells OpenCode's plugin where that is; the others have it in their text. */
export const FEED_VARIABLE = 'ORCHD_FEED';

/** A string, a number or an array of them in TOML: as in JSON, but DEL must not stand in it. */
export const asToml = (value: unknown): string => JSON.stringify(value).replaceAll('\x7f', '\\u007f');

/**
 * Hooks as command lines of a shell. The agent does not notice their failures.
 *
 *     tell   appends its input to the feed, in the time of a shell; a program gets it as its first word, not on standard input
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

/** A configuration file with only this server. It has the session's token, so it is in the session's folder. */
function toolsConfig({ command, args, env }: ToolsServer, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ mcpServers: { [TOOLS_NAME]: { command, args, env, ...more } } });
}

/** A person takes as long as they like: a week, for programs that want a number of seconds. */
export const PATIENCE_S = 7 * 24 * 60 * 60;

/** `alwaysLoad`: not only once the model has searched for them. */
export const claudeTools = (tools: ToolsServer): string => toolsConfig(tools, { alwaysLoad: true });

/**
 * The command with which a shell calls a tool; its name and input follow. It uses whole paths, because `orchd` may not
 * be on the PATH.
 */
export const shellCall = ({ command, args: [orchd = ''] }: Pick<ToolsServer, 'command' | 'args'>): string =>
  [command, orchd, 'tool'].map(shellWord).join(' ');

export const qwenTools = (tools: ToolsServer): string =>
  toolsConfig(tools, { trust: true, alwaysLoadTools: true, timeout: PATIENCE_S * 1000 });

export const copilotTools = (tools: ToolsServer): string =>
  toolsConfig(tools, { type: 'local', tools: ['*'], timeout: PATIENCE_S * 1000 });

/** Codex's: the variables by their names, which it hands on; a command line shows the token to everybody. */
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
 * Additions to OpenCode's configuration. Variables are given by name, and OpenCode fills them in, because its tools can
 * see its configuration in the environment.
 */
export function opencodeTools(given: Json, { command, args, env }: ToolsServer): Json {
  const environment = Object.fromEntries(Object.keys(env).map((name) => [name, `{env:${name}}`]));
  const server = { type: 'local', command: [command, ...args], environment, enabled: true };
  const { permission } = given;
  const rules = typeof permission === 'string' ? { '*': permission } : asObject(permission);
  return {
    mcp: { ...asObject(given['mcp']), [TOOLS_NAME]: { ...server, timeout: PATIENCE_S * 1000 } },
    // A question to the person about a question to the person would be useless.
    permission: { ...rules, [`${TOOLS_NAME}_*`]: 'allow' },
  };
}

/** Exactly what was given. */
export const asGiven = ({ argv, teach }: LaunchRequest): Launch => ({
  argv,
  env: {},
  files: {},
  agentSessionId: null,
  isTaught: teach === null,
});
