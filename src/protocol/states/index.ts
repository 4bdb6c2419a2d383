/**
 * The states of sessions, items, runs, tasks and workflow runs: how views show them, and the actions that they allow.
 * Pure.
 */
export {
  type Badge,
  RUN_BADGES,
  RUN_STATES,
  SESSION_STATES,
  type ShownState,
  STATE_BADGES,
  STEP_BADGES,
  type Style,
  shownError,
  shownRun,
  shownTask,
  shownWorkflow,
  styled,
  TASK_BADGES,
  TASK_STATES,
  WORKFLOW_BADGES,
  WORKFLOW_STATES,
} from './badges.js';
export { type DefaultAnswer, defaultAnswerOf, optionsOf, takesText } from './item-options.js';
export { isAlive, revivable, SESSION_ACTS, type SessionAct } from './session-acts.js';
export { byWords, shownState } from './shown-state.js';
export { isRunOver, isTaskBusy, isTaskOver, isWorkflowOver, mayPlan, mayStart } from './work-states.js';
