/** One handler for each operation; a missing one is a compile error. */
import { apiHandlers } from './api.js';
import { blueprintHandlers } from './blueprint.js';
import type { Handlers } from './context.js';
import { daemonHandlers } from './daemon.js';
import { eventHandlers } from './event.js';
import { explainHandlers } from './explain.js';
import { inboxHandlers } from './inbox.js';
import { journalHandlers } from './journal.js';
import { notifyHandlers } from './notify.js';
import { runHandlers } from './run.js';
import { sessionHandlers } from './session.js';
import { taskHandlers } from './task.js';
import { toolHandlers } from './tool.js';
import { workflowHandlers } from './workflow.js';

export const HANDLERS: Handlers = {
  ...apiHandlers,
  ...blueprintHandlers,
  ...daemonHandlers,
  ...eventHandlers,
  ...explainHandlers,
  ...inboxHandlers,
  ...journalHandlers,
  ...notifyHandlers,
  ...runHandlers,
  ...sessionHandlers,
  ...taskHandlers,
  ...toolHandlers,
  ...workflowHandlers,
};
export type { Caller, House } from './context.js';
