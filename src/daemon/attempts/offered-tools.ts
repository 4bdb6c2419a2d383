/** Describes the tools of a run for an agent without MCP, in its system prompt. Pure. */
import { fieldKind, offeredTools } from '../../tools/index.js';

/**
 * Returns the description for an agent that has only a shell.
 *
 * @param call The command before the tool's name.
 */
export function shellInstructions(names: readonly string[], call: string): string {
  const tools = offeredTools(names).map(({ name, summary, input }) => {
    const fields = Object.entries(input.properties).map(([field, schema]) => {
      return `${field} (${fieldKind(schema)}${input.required?.includes(field) ? ', required' : ''})`;
    });
    return `- ${name}: ${summary} Input: ${fields.join(', ')}.`;
  });
  return `## Tools

Besides your own tools you have these. Call one in your shell, with its input as one JSON object; what it prints is its result:

    ${call} NAME --input '{"field": "value"}'

${tools.join('\n')}`;
}
