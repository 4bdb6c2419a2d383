/**
 * The tools that send a message, from the descriptors of the message types. Their input is the data of the message,
 * with the same schema (generated/inputs.ts). A new tool has no `input` while `npm run generate` runs for the first
 * time, because that generates it.
 */
import { MESSAGE_KINDS } from '../protocol/index.js';
import { INPUTS } from './generated/inputs.js';
import type { MessageTool } from './tool.js';

export const MESSAGE_TOOLS: readonly MessageTool[] = MESSAGE_KINDS.flatMap(([message, { tool }]) =>
  tool ? [{ ...tool, message, input: INPUTS[message as keyof typeof INPUTS] }] : [],
).toSorted((a, b) => a.place - b.place);
