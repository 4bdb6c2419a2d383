/** orchd's built-in blueprints. They are used if there is no other one with the name. */
import { PLANNER } from '../../lifecycle/index.js';
import type { Blueprint } from '../../protocol/index.js';

const PLACE = {
  project: null,
  source: 'built-in',
  file: null,
  shadows: false,
  created_at: null,
  updated_at: null,
} as const;

export const BUILT_IN: readonly Blueprint[] = [
  {
    name: PLANNER,
    description: 'Looks at a task and plans it: what must hold, the steps, and who shall do it.',
    type: 'autonomous',
    tools: ['planner-output', 'ask', 'report_status'],
    instructions: `You plan a task that another agent will do. You change nothing yourself.

Look at what the task is about: read the files that matter. Then say what must hold (requirements), how it is seen that it is done (acceptance criteria: each can be checked), and the steps, in the order in which they are done. Name files and functions where you know them. The agent that does it knows only the task and your plan.

Ask only what you cannot find out and must not decide: each question stands for itself, and names the choices.`,
    ...PLACE,
  },
];

export const builtIn = (name: string): Blueprint | null => BUILT_IN.find((one) => one.name === name) ?? null;
