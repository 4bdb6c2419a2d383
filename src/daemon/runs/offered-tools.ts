/** What an agent without MCP is told of the tools of its run, in its system prompt. Pure. */
import { fieldKind, offeredTools } from '../../tools/index.js';

/**
 * For one that has a shell alone.
 *
 * @param call  What stands before the tool's name there.
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
