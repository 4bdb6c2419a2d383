/**
 * Builds a call of a program's tool: every agent has other names for its shell and its file reader, and other
 * parameters.
 *
 * In:   the offered tools, and the intended action.
 * Out:  the call with every required parameter, or null if there is no such tool.
 */
import type { Parameter, Tool, ToolCall } from './conversation.js';

const SHELLS = ['Bash', 'bash', 'shell', 'exec_command', 'shell_command', 'local_shell', 'run_shell_command'];
const READERS = ['Read', 'read', 'read_file', 'view'];

export const shellCall = (tools: readonly Tool[], command: string): ToolCall | null =>
  call(tools, SHELLS, ['command', 'cmd'], command);

/** Like `shellCall`. If the program runs commands in a sandbox, the model asks to leave it. */
export function askingShellCall(tools: readonly Tool[], command: string): ToolCall | null {
  const asked = shellCall(tools, command);
  const parameters = tools.find(({ name }) => name === asked?.name)?.parameters;
  if (!asked || parameters?.['sandbox_permissions'] === undefined) return asked;
  const leave = { sandbox_permissions: 'require_escalated', justification: 'May I make it?' };
  return { ...asked, input: { ...asked.input, ...leave } };
}

/** @param path  An absolute path. */
export const readCall = (tools: readonly Tool[], path: string): ToolCall | null =>
  call(tools, READERS, ['file_path', 'filePath', 'absolute_path', 'path'], path);

function call(tools: readonly Tool[], names: string[], places: string[], what: string): ToolCall | null {
  const tool = names.flatMap((name) => tools.filter((other) => other.name === name))[0];
  const place = places.find((name) => tool?.parameters[name] !== undefined);
  if (!tool || place === undefined) return null;
  const isList = typesOf(tool.parameters[place]).includes('array');
  const others = tool.required.filter((name) => name !== place);
  return {
    name: tool.name,
    input: {
      ...Object.fromEntries(others.map((name) => [name, filled(tool.parameters[name])])),
      [place]: isList ? ['sh', '-c', what] : what,
    },
  };
}

/** JSON Schema has `string`, Gemini's own format `STRING`. */
const typesOf = (parameter: Parameter | undefined): string[] =>
  [parameter?.type ?? 'string'].flat().map((type) => type.toLowerCase());

function filled(parameter: Parameter | undefined): unknown {
  const types = typesOf(parameter);
  if (types.includes('boolean')) return false;
  if (types.includes('integer') || types.includes('number')) return 1;
  return types.includes('array') ? [] : 'as asked';
}
