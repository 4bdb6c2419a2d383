/**
 * The tools of a run's agent: how its own MCP client reaches them, and what an agent that has none is told.
 *
 * In:   who the session is, and which tools it has. Out: the server as its adapter takes it; words for its system prompt.
 */
import type { ToolsServer } from '../../session/index.js';
import { offeredTools } from '../../tools/index.js';
import type { ProgramIdentity } from '../program.js';
import { toolsServer } from '../program-start.js';

export function runToolsServer(identity: Omit<ProgramIdentity, 'key'>, names: readonly string[]): ToolsServer {
  const server = toolsServer(identity);
  return { ...server, args: [...server.args, '--tools', names.join(',')] };
}

/**
 * For one that has a shell alone.
 *
 * @param call  What stands before the tool's name there.
 */
export function shellInstructions(names: readonly string[], call: string): string {
  const tools = offeredTools(names).map(({ name, summary, input }) => {
    const fields = Object.entries(input.properties).map(([field, { type = 'one of a list' }]) => {
      return `${field} (${type}${input.required?.includes(field) ? ', required' : ''})`;
    });
    return `- ${name}: ${summary} Input: ${fields.join(', ')}.`;
  });
  return `## Tools

Besides your own tools you have these. Call one in your shell, with its input as one JSON object; what it prints is its result:

    ${call} NAME --input '{"field": "value"}'

${tools.join('\n')}`;
}
