/**
 * The instructions that tell an agent how to send messages to orchd. They are generated from the descriptors of the
 * message types. Pure.
 */
import { MESSAGE_KINDS, type MessageKind } from './messages/index.js';

/** Messages that wait for a person come first, the one that ends the work last. */
const placeOf = ({ item, state }: MessageKind): number => (item ? 0 : state({}) === 'done' ? 2 : 1);

const TYPE_LINES = MESSAGE_KINDS.filter(([, { prompt }]) => prompt !== undefined)
  .toSorted(([, a], [, b]) => placeOf(a) - placeOf(b))
  .map(([type, { prompt }]) => `- ${type} ${prompt}`)
  .join('\n');

const TOOL_NAMES = MESSAGE_KINDS.flatMap(([, { tool }]) => (tool ? [tool] : []))
  .toSorted((a, b) => a.place - b.place)
  .map(({ name }) => name)
  .join(', ');

/**
 * Returns the protocol as instructions for an agent. The example block is indented and has a type that the protocol
 * does not contain. The prompt is therefore never read as a message, not even as an invalid one, when it is shown or
 * echoed.
 *
 * @param hasTools True if the agent also has the tools.
 */
export function promptText(key: string | undefined, hasTools = false): string {
  const keyField = key === undefined ? '' : `"key": ${JSON.stringify(key)}, `;
  const keyLine =
    key === undefined ? '' : `Every object must have the field "key": ${JSON.stringify(key)} at its top, exactly so.\n`;
  const toolsLine = hasTools
    ? `\nIf you have tools of orchd (${TOOL_NAMES}), call them instead of printing a block, never both; ` +
      `\`ask\` returns the answer.\n`
    : '';
  return `A person supervises you through orchd, which reads your output. When one of the cases below applies, print a fenced code block whose
language is orchestrator-message, with exactly one JSON object in it and nothing else, such as this one, but without the indentation:

    \`\`\`orchestrator-message
    {${keyField}"type": "<TYPE>", "data": {...}}
    \`\`\`

${keyLine}The types and their data (* must be there):
${TYPE_LINES}

One message a block. Keep strings short and on one line. Do not indent the block, quote it or put it in a list.
${toolsLine}`;
}
