/** One handler for each operation; a missing one is a compile error. Each gets the parts of the daemon that it uses. */
import type { EventFilterPorts } from '../access/index.js';
import type { ExplainPorts } from '../explain/index.js';
import { WorktreeSizes } from '../git/index.js';
import { apiHandlers } from './api.js';
import { type BlueprintPorts, blueprintHandlers } from './blueprint.js';
import { type DaemonPorts, daemonHandlers } from './daemon.js';
import { eventHandlers } from './event.js';
import { explainHandlers } from './explain.js';
import type { Handlers } from './handler.js';
import { type HubPorts, hubHandlers } from './hub.js';
import { type InboxPorts, inboxHandlers } from './inbox.js';
import { type JournalPorts, journalHandlers } from './journal.js';
import { type NotifyPorts, notifyHandlers } from './notify.js';
import { type ProjectPorts, projectHandlers } from './project.js';
import { type RunPorts, runHandlers } from './run.js';
import { type SessionPorts, sessionHandlers } from './session.js';
import { type SessionChangesPorts, sessionChangesHandlers } from './session-changes.js';
import { type SessionTypingPorts, sessionTypingHandlers } from './session-typing.js';
import { type TaskPorts, taskHandlers } from './task.js';
import { type ToolPorts, toolHandlers } from './tool.js';
import { type TrashPorts, trashHandlers } from './trash.js';
import { type WebPorts, webHandlers } from './web.js';
import { type WorkflowPorts, workflowHandlers } from './workflow.js';

type HandlerPorts = EventFilterPorts &
  ExplainPorts &
  BlueprintPorts &
  Omit<DaemonPorts, 'worktrees'> &
  HubPorts &
  InboxPorts &
  JournalPorts &
  NotifyPorts &
  ProjectPorts &
  RunPorts &
  SessionPorts &
  Omit<SessionChangesPorts, 'worktrees'> &
  SessionTypingPorts &
  TaskPorts &
  ToolPorts &
  TrashPorts &
  WebPorts &
  WorkflowPorts;

export function createHandlers(ports: HandlerPorts): Handlers {
  const worktrees = new WorktreeSizes({ now: () => performance.now() });
  return {
    ...apiHandlers,
    ...blueprintHandlers(ports),
    ...daemonHandlers({ ...ports, worktrees }),
    ...eventHandlers(ports),
    ...explainHandlers(ports),
    ...hubHandlers(ports),
    ...inboxHandlers(ports),
    ...journalHandlers(ports),
    ...notifyHandlers(ports),
    ...projectHandlers(ports),
    ...runHandlers(ports),
    ...sessionHandlers(ports),
    ...sessionChangesHandlers({ ...ports, worktrees }),
    ...sessionTypingHandlers(ports),
    ...taskHandlers(ports),
    ...toolHandlers(ports),
    ...trashHandlers(ports),
    ...webHandlers(ports),
    ...workflowHandlers(ports),
  };
}

export type { Handlers } from './handler.js';
