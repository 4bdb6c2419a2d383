/** The tool that starts another agent. */
import { INPUTS } from './generated/inputs.js';
import type { Tool } from './tool.js';

export const spawnAgent: Tool = {
  name: 'spawn_agent',
  summary:
    'Let another agent do a task of its own. Waits for it, and returns what it returns: a JSON object with ' +
    'the outputs that you name, or text. With wait: false it returns at once, and the end is told to you ' +
    'when you are idle.',
  message: null,
  input: INPUTS.spawn_agent,
  waits: true,
};
