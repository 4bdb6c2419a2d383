/** The styles of the states of workflow runs and their steps. */
import type { Style, WorkflowRunState, WorkflowStepState } from '../../protocol/index.js';

export const WORKFLOW_LOOKS: Readonly<Record<WorkflowRunState, Style>> = {
  running: 'cyan',
  awaiting_input: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

export const STEP_LOOKS: Readonly<Record<WorkflowStepState, Style>> = {
  waiting: 'dim',
  running: 'cyan',
  asking: 'yellow',
  completed: 'green',
  skipped: 'dim',
  failed: 'red',
  cancelled: 'dim',
};
