/**
 * The input and output types of each operation. protocol/operations.schema.json defines them as `<Noun><Verb>Input` and
 * `…Output`.
 */
import type * as shapes from './generated/types.js';

/** Input and output of each operation. */
export interface OperationShapes {
  'daemon.status': [shapes.DaemonStatusInput, shapes.DaemonStatusOutput];
  'daemon.stop': [shapes.DaemonStopInput, shapes.DaemonStopOutput];
  'daemon.metrics': [shapes.DaemonMetricsInput, shapes.DaemonMetricsOutput];
  'daemon.prune': [shapes.DaemonPruneInput, shapes.DaemonPruneOutput];
  'session.start': [shapes.SessionStartInput, shapes.Session];
  'session.list': [shapes.SessionListInput, shapes.Session[]];
  'session.show': [shapes.SessionShowInput, shapes.Session];
  'session.last': [shapes.SessionLastInput, shapes.Session];
  'session.kill': [shapes.SessionKillInput, shapes.Session];
  'session.revive': [shapes.SessionReviveInput, shapes.SessionReviveOutput];
  'session.restart': [shapes.SessionRestartInput, shapes.SessionReviveOutput];
  'session.remove': [shapes.SessionRemoveInput, shapes.SessionRemoveOutput];
  'session.rename': [shapes.SessionRenameInput, shapes.Session];
  'session.resize': [shapes.SessionResizeInput, shapes.Session];
  'session.send': [shapes.SessionSendInput, shapes.SessionSendOutput];
  'session.keys': [shapes.SessionKeysInput, shapes.SessionKeysOutput];
  'session.tools': [shapes.SessionToolsInput, shapes.SessionToolsOutput];
  'session.tool': [shapes.SessionToolInput, shapes.SessionToolOutput];
  'session.hook': [shapes.SessionHookInput, shapes.SessionHookOutput];
  'session.capture': [shapes.SessionCaptureInput, shapes.SessionCaptureOutput];
  'session.journal': [shapes.SessionJournalInput, shapes.SessionJournalOutput];
  'session.import': [shapes.SessionImportInput, shapes.Session];
  'session.wait': [shapes.SessionWaitInput, shapes.Session];
  'event.list': [shapes.EventListInput, shapes.Event[]];
  'event.explain': [shapes.EventExplainInput, shapes.EventExplainOutput];
  'inbox.list': [shapes.InboxListInput, shapes.Item[]];
  'inbox.show': [shapes.InboxShowInput, shapes.Item];
  'inbox.answer': [shapes.InboxAnswerInput, shapes.Item];
  'blueprint.list': [shapes.BlueprintListInput, shapes.Blueprint[]];
  'blueprint.show': [shapes.BlueprintShowInput, shapes.Blueprint];
  'blueprint.create': [shapes.BlueprintCreateInput, shapes.Blueprint];
  'blueprint.update': [shapes.BlueprintUpdateInput, shapes.Blueprint];
  'blueprint.delete': [shapes.BlueprintDeleteInput, shapes.BlueprintDeleteOutput];
  'blueprint.validate': [shapes.BlueprintValidateInput, shapes.BlueprintValidateOutput];
  'run.start': [shapes.RunStartInput, shapes.Run];
  'run.list': [shapes.RunListInput, shapes.RunSummary[]];
  'run.show': [shapes.RunShowInput, shapes.Run];
  'run.cancel': [shapes.RunCancelInput, shapes.Run];
  'run.retry': [shapes.RunRetryInput, shapes.Run];
  'run.wait': [shapes.RunWaitInput, shapes.Run];
  'task.create': [shapes.TaskCreateInput, shapes.Task];
  'task.list': [shapes.TaskListInput, shapes.TaskSummary[]];
  'task.show': [shapes.TaskShowInput, shapes.Task];
  'task.plan': [shapes.TaskPlanInput, shapes.Task];
  'task.answer': [shapes.TaskAnswerInput, shapes.Task];
  'task.start': [shapes.TaskStartInput, shapes.Task];
  'task.cancel': [shapes.TaskCancelInput, shapes.Task];
  'task.history': [shapes.TaskHistoryInput, shapes.TaskHistoryEntry[]];
  'task.wait': [shapes.TaskWaitInput, shapes.Task];
  'task.tool': [shapes.TaskToolInput, shapes.SessionToolOutput];
  'workflow.run': [shapes.WorkflowRunInput, shapes.WorkflowRun];
  'workflow.list': [shapes.WorkflowListInput, shapes.WorkflowRunSummary[]];
  'workflow.show': [shapes.WorkflowShowInput, shapes.WorkflowRun];
  'workflow.resume': [shapes.WorkflowResumeInput, shapes.WorkflowRun];
  'workflow.cancel': [shapes.WorkflowCancelInput, shapes.WorkflowRun];
  'workflow.wait': [shapes.WorkflowWaitInput, shapes.WorkflowRun];
  'presence.tell': [shapes.PresenceTellInput, shapes.PresenceTellOutput];
  'notify.test': [shapes.NotifyTestInput, shapes.NotifyTestOutput];
  'api.openapi': [shapes.ApiOpenapiInput, Record<string, unknown>];
}

export type OperationName = keyof OperationShapes;
export type InputOf<N extends OperationName> = OperationShapes[N][0];
export type OutputOf<N extends OperationName> = OperationShapes[N][1];
