/**
 * The tools that are not messages, and the definition of their input in protocol/operations.schema.json. `npm run
 * generate` adds them to the tools that a blueprint may name.
 */
export const TOOL_SHAPES = {
  spawn_agent: 'SpawnAgentInput',
  'completion-report': 'CompletionReportInput',
  'planner-output': 'PlannerOutputInput',
} as const;
export type OwnTool = keyof typeof TOOL_SHAPES;
