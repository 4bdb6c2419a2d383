/**
 * The settings that orchd adds to Gemini CLI for one session: the MCP server of its tools, and hooks that report.
 *
 * The program takes no settings by flag. It reads a file of defaults that a variable names, which has the lowest
 * priority. Since version 0.60 it reads that file only if no user except root could have written it. If the machine has
 * such a file of its own, or the environment names one, orchd leaves that file in effect and adds nothing.
 */
import { basename, dirname } from 'node:path';
import type { LaunchRequest, ToolsServer } from '../adapter.js';
import { asObject, type Json, parseRecord } from '../record.js';
import { hasOption } from './command-line.js';
import { PATIENCE_S, TOOLS_NAME, tellCommand } from './launch.js';

export const DEFAULTS_VARIABLE = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';
const SETTINGS_VARIABLE = 'GEMINI_CLI_SYSTEM_SETTINGS_PATH';
const SETTINGS = 'settings.json';
const DEFAULTS_FILE = 'orchd-defaults.json';
const MACHINES_DEFAULTS = 'system-defaults.json';
const MACHINES_FOLDERS = ['/etc/gemini-cli', '/Library/Application Support/GeminiCli'];
/** This variable is set in the agent's shell. A program that is started there must not report for this session. */
const INNER_VARIABLE = 'GEMINI_CLI';
/** Matches text in which the program would replace a variable. */
const FILLED_IN = /\$/;

type DefaultsRequest = Pick<LaunchRequest, 'argv' | 'env' | 'tools' | 'dir' | 'machine'>;

interface Defaults {
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly hasTools: boolean;
}

const NO_DEFAULTS: Defaults = { env: {}, files: {}, hasTools: false };

/** @param isHooked  True to add the hooks that report the conversation. */
export function geminiDefaults(request: DefaultsRequest, isHooked: boolean): Defaults {
  const { tools, dir } = request;
  const offered = isShutOut(request) ? undefined : tools;
  if ((!offered && !isHooked) || !canAdd(request)) {
    // The file belongs to the session that has started this one. The program would report for that session.
    return isOrchds(request) ? { ...NO_DEFAULTS, env: { [DEFAULTS_VARIABLE]: '' } } : NO_DEFAULTS;
  }
  const added = {
    ...(offered && { mcpServers: { [TOOLS_NAME]: server(offered) } }),
    ...(isHooked && { hooks: hooks(dir) }),
  };
  return {
    env: { [DEFAULTS_VARIABLE]: `${dir}/${DEFAULTS_FILE}`, [INNER_VARIABLE]: '' },
    files: { [DEFAULTS_FILE]: JSON.stringify(added) },
    hasTools: offered !== undefined,
  };
}

const COMMENT = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * True if the person has added the server of the tools to their own settings, with the session from the environment.
 */
export function hasOwnServer(request: Omit<DefaultsRequest, 'dir'>): boolean {
  // The person's server offers all tools. A session that may use only some of them gets a separate server.
  if (!request.tools || request.tools.args.includes('--tools') || isShutOut(request)) return false;
  const settings = settingsIn(personsSettings(request.env), request);
  return asObject(asObject(settings?.['mcpServers'])?.[TOOLS_NAME]) !== null;
}

/** True if the command line, the person's settings or the machine's settings exclude a server with orchd's name. */
function isShutOut(request: Pick<DefaultsRequest, 'argv' | 'env' | 'machine'>): boolean {
  const { argv, env } = request;
  if (hasOption(argv, /^--allowed-mcp-server-names$/)) return true;
  const machines = env[SETTINGS_VARIABLE]
    ? [env[SETTINGS_VARIABLE]]
    : MACHINES_FOLDERS.map((one) => `${one}/${SETTINGS}`);
  return [personsSettings(env), ...machines].some((path) => {
    const { allowed, excluded } = asObject(settingsIn(path, request)?.['mcp']) ?? {};
    return (Array.isArray(allowed) && !names(allowed)) || (Array.isArray(excluded) && names(excluded));
  });
}

const names = (list: readonly unknown[]): boolean =>
  list.some((one) => typeof one === 'string' && one.trim().toLowerCase() === TOOLS_NAME);

const settingsIn = (path: string, { machine }: Pick<DefaultsRequest, 'machine'>): Json | null =>
  parseRecord((machine.text(path) ?? '').replace(COMMENT, '$1'));

const personsSettings = (env: LaunchRequest['env']): string => `${geminiHome(env)}/${SETTINGS}`;

/** Returns the folder with all of a person's data. */
export const geminiHome = (env: LaunchRequest['env']): string => `${env['GEMINI_CLI_HOME'] || env['HOME']}/.gemini`;

/** True if its hooks append to the feed of that folder. */
export const isHookedBy = (env: Readonly<Record<string, string | undefined>>, dir: string): boolean =>
  env[DEFAULTS_VARIABLE] === `${dir}/${DEFAULTS_FILE}`;

const isOrchds = ({ env }: Pick<LaunchRequest, 'env'>): boolean =>
  basename(env[DEFAULTS_VARIABLE] ?? '') === DEFAULTS_FILE;

function canAdd(request: DefaultsRequest): boolean {
  const { env, dir, tools, machine } = request;
  if (env[DEFAULTS_VARIABLE] && !isOrchds(request)) return false;
  if (FILLED_IN.test(JSON.stringify([dir, tools ?? null]))) return false;
  const settings = env[SETTINGS_VARIABLE] ?? '';
  const folders = settings === '' ? MACHINES_FOLDERS : [dirname(settings)];
  return machine.isRootsAlone(dir) && folders.every((one) => machine.text(`${one}/${MACHINES_DEFAULTS}`) === null);
}

/** The MCP server of orchd's tools. `trust`: the agent does not ask the person for permission to call them. */
const server = ({ command, args, env }: ToolsServer): Json => ({
  command,
  args,
  env,
  trust: true,
  timeout: PATIENCE_S * 1000,
});

/** The hooks, which are added to those of the person. */
function hooks(dir: string): Json {
  const command = `[ -n "$${INNER_VARIABLE}" ] || { ${tellCommand(dir)}; }`;
  const tell = [{ hooks: [{ type: 'command', name: TOOLS_NAME, command }] }];
  return { SessionStart: tell, BeforeAgent: tell, Notification: tell, AfterAgent: tell };
}
