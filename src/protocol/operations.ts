/**
 * The operations of the daemon. Each is declared here once. Routes, the typed client, CLI help and OpenAPI are derived
 * from this table, and the compiler requires a handler for each.
 *
 * Input fields that occur in the path as `{field}` come from the path, those of a GET or DELETE from the query, all
 * others from the JSON body. An entry names the shapes of both, which protocol/operations.schema.json defines.
 *
 * The file is long because it is one table, in which each operation is declared once.
 */

import type { RemoteNeed } from './config/index.js';
import type * as shapes from './generated/types.js';
import { SEND_WAIT_MS } from './limits/index.js';

/**
 * The callers that may use an operation with a session's own token (a program inside orchd). `any`: every session.
 * `own`: for the session itself and those it started. `started`: only for those it started, because text typed into a
 * session counts as a person's. `self`: only for the session itself, in whose name it speaks. `person`: no session.
 */
export type Scope = 'any' | 'own' | 'started' | 'self' | 'person';

/**
 * The part of the output that a session gets, for an operation that every session may call. `entries`: the entries that
 * it may read. `named`: an error, unless it may read the object that the input names. `by_handler`: the handler
 * decides. `everything`: the output belongs to no session.
 */
export type Reads = 'entries' | 'named' | 'by_handler' | 'everything';

/**
 * The output that must be read before an operation, while a new daemon still reads what was printed before its start:
 * of the named session, also if it has ended (`end`); of the session that the item belongs to; or of all sessions of
 * runs (`work`).
 */
type OutputToRead = 'session' | 'end' | 'item' | 'work';

export interface OperationEntry<Input = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  /** Another path with the same effect. */
  readonly alias?: `/${string}`;
  readonly scope: Scope;
  readonly reads?: Reads;
  /**
   * For `reads: 'entries'`: the kind of id that an entry's `id` is. Absent for items, which name their session
   * themselves.
   */
  readonly entryId?: 'session_id' | 'run_id' | 'task_id' | 'workflow_id';
  /** True if the output can also be a stream of events: NDJSON, SSE or WebSocket. */
  readonly streams?: true;
  readonly waitsFor?: readonly OutputToRead[];
  /** The CLI command that calls it. */
  readonly cli: string;
  readonly summary: string;
  /** The success status. Default: 200. */
  readonly status?: number;
  /** Milliseconds that it may take in addition to a client's timeout, or a function that returns them. Default: 0. */
  readonly patienceMs?: number | ((input: Input) => number);
  /** The permission that a browser needs to call it. Default: `read` for GET, otherwise `all`. */
  readonly web?: WebNeed;
  /** True if it needs no token. */
  readonly isOpen?: true;
  /**
   * The word that `hub.accept` of a machine must contain, so that other machines may call the operation there. Absent:
   * no other machine may. The operation has to be idempotent by the request key, unless it only reads.
   */
  readonly remote?: RemoteNeed;
  /** True if another machine gets its outcome when the run that it starts is over. `hub.call` does not call it. */
  readonly outcomeComesLater?: true;
  /** True if its output shows a terminal, which `hub.share` must allow. */
  readonly showsScreen?: true;
}

/** The role of a browser. Each includes the ones before it. */
export type WebRole = shapes.WebDevice['role'];
/** The roles, in this order. */
export const WEB_ROLES: readonly WebRole[] = ['read', 'answer', 'all'];
/**
 * The browsers that may call an operation: those with a role, `own` (the browser itself, or one with the role `all`),
 * or `none`.
 */
type WebNeed = WebRole | 'own' | 'none';

/** Returns which browsers may call an operation. Default: `read` for a GET, and `all` for the others. */
export const webRoleOf = ({ web, method }: Pick<OperationEntry, 'web' | 'method'>): WebNeed =>
  web ?? (method === 'GET' ? 'read' : 'all');

/** An entry, and the types of its input and output, which only the compiler sees. */
interface Operation<Input, Output> extends OperationEntry<Input> {
  readonly shapes?: readonly [Input, Output];
}

/** An entry of the table. A GET that every session may call must declare `reads`. */
type Declared<Input> = Omit<OperationEntry<Input>, 'method' | 'path'> &
  ({ readonly route: `GET /${string}`; readonly scope: 'any'; readonly reads: Reads } | NotRead);
type NotRead = { readonly reads?: never } & (
  | { readonly route: `${Exclude<OperationEntry['method'], 'GET'>} /${string}` }
  | { readonly route: Route; readonly scope: Exclude<Scope, 'any'> }
);
type Route = `${OperationEntry['method']} /${string}`;

function operation<Input, Output>({ route, ...entry }: Declared<Input>): Operation<Input, Output> {
  const [method, path] = route.split(' ') as [OperationEntry['method'], OperationEntry['path']];
  return { method, path, ...entry };
}

/** An operation of runs, tasks, workflows or blueprints. Its alias is its path without `/api`. */
function workOperation<Input, Output>(entry: Declared<Input>): Operation<Input, Output> {
  const one = operation<Input, Output>(entry);
  return { waitsFor: ['work'], alias: one.path.replace('/api', '') as OperationEntry['path'], ...one };
}

/** The operation ends when an event occurs. The caller sets a timeout, or waits without one. */
const UNLIMITED = Number.POSITIVE_INFINITY;
/** Time for the grace period from the daemon's configuration, which applies if the caller sets none. */
const GRACE_MS = 60_000;
/** Time for `--help` of an agent: its first start waits for the flags that it has (session/agent-flags.ts). */
const FLAGS_MS = 30_000;
/** Time for ending every session with its grace period. */
const STOP_MS = 30_000;
/** Time for asking every agent for its version and its flags. */
const AGENTS_MS = 300_000;
/** Time for a connection to a hub and its checks. */
const HUB_MS = 20_000;

export const OPERATIONS = {
  'daemon.status': operation<shapes.DaemonStatusInput, shapes.DaemonStatusOutput>({
    route: 'GET /api/status',
    scope: 'any',
    reads: 'everything',
    cli: 'status',
    summary: 'Returns the state of the daemon and its host.',
  }),
  'daemon.stop': operation<shapes.DaemonStopInput, shapes.DaemonStopOutput>({
    route: 'POST /api/stop',
    scope: 'person',
    cli: 'stop',
    summary: 'Ends the daemon and, unless keep_sessions, every session.',
    patienceMs: STOP_MS,
  }),
  'daemon.configuration': operation<shapes.DaemonConfigurationInput, shapes.DaemonConfigurationOutput>({
    route: 'GET /api/configuration',
    scope: 'person',
    cli: 'config',
    summary: 'Returns the configuration in force, and where each value comes from.',
  }),
  'daemon.agents': operation<shapes.DaemonAgentsInput, shapes.DaemonAgentsOutput>({
    route: 'GET /api/installed-agents',
    scope: 'person',
    cli: 'doctor',
    summary: 'Checks which agents are installed, and what orchd does for each.',
    patienceMs: AGENTS_MS,
    web: 'all', // names paths, and runs each agent with `--version` and `--help`
  }),
  'daemon.metrics': operation<shapes.DaemonMetricsInput, shapes.DaemonMetricsOutput>({
    route: 'GET /api/metrics',
    scope: 'any',
    reads: 'everything',
    cli: 'metrics',
    summary: 'Returns counts and times; for Prometheus at /metrics.',
  }),
  'daemon.prune': operation<shapes.DaemonPruneInput, shapes.DaemonPruneOutput>({
    route: 'POST /api/prune',
    scope: 'person',
    cli: 'prune',
    summary: 'Removes what is older than a time: ended sessions, closed items, events.',
    patienceMs: UNLIMITED, // may remove thousands of sessions
  }),
  'session.start': operation<shapes.SessionStartInput, shapes.Session>({
    route: 'POST /api/sessions',
    alias: '/sessions',
    scope: 'any',
    cli: 'run',
    summary: 'Starts a program in a pty.',
    patienceMs: FLAGS_MS,
    status: 201,
    remote: 'start',
  }),
  'session.list': operation<shapes.SessionListInput, shapes.Session[]>({
    route: 'GET /api/sessions',
    alias: '/sessions',
    scope: 'any',
    reads: 'entries',
    entryId: 'session_id',
    cli: 'ls',
    summary: 'Returns all sessions.',
    remote: 'read',
  }),
  'session.last': operation<shapes.SessionLastInput, shapes.Session>({
    route: 'GET /api/last-session',
    scope: 'person',
    cli: 'attach',
    summary: 'Returns the living session that was attached to last, else the only living one.',
  }),
  'session.show': operation<shapes.SessionShowInput, shapes.Session>({
    route: 'GET /api/sessions/{session}',
    alias: '/sessions/{session}',
    scope: 'any',
    reads: 'named',
    cli: 'show',
    summary: 'Returns one session.',
    remote: 'read',
  }),
  'session.kill': operation<shapes.SessionKillInput, shapes.Session>({
    route: 'POST /api/sessions/{session}/kill',
    scope: 'own',
    cli: 'kill',
    summary: 'Ends a program and all its processes.',
    patienceMs: ({ grace_ms = GRACE_MS }) => grace_ms,
    remote: 'start',
  }),
  'session.revive': operation<shapes.SessionReviveInput, shapes.SessionReviveOutput>({
    route: 'POST /api/sessions/{session}/revive',
    scope: 'own',
    waitsFor: ['end'],
    cli: 'revive',
    summary: 'Starts the program of an ended session again; an agent continues its conversation.',
    patienceMs: FLAGS_MS,
  }),
  'session.restart': operation<shapes.SessionRestartInput, shapes.SessionReviveOutput>({
    route: 'POST /api/sessions/{session}/restart',
    scope: 'own',
    cli: 'restart',
    summary: 'Ends a program and starts it again.',
    patienceMs: ({ grace_ms = GRACE_MS }) => grace_ms + FLAGS_MS,
  }),
  'session.remove': operation<shapes.SessionRemoveInput, shapes.SessionRemoveOutput>({
    route: 'POST /api/sessions/{session}/remove',
    scope: 'own',
    waitsFor: ['end'],
    cli: 'rm',
    summary: 'Puts an ended session into the trash, for five minutes; then it is deleted.',
    remote: 'start',
  }),
  'session.rename': operation<shapes.SessionRenameInput, shapes.Session>({
    route: 'POST /api/sessions/{session}/rename',
    scope: 'own',
    cli: 'rename',
    summary: 'Renames a session.',
    remote: 'start',
  }),
  'session.tag': operation<shapes.SessionTagInput, shapes.Session>({
    route: 'POST /api/sessions/{session}/tags',
    scope: 'own',
    cli: 'tag',
    summary: 'Adds tags to a session, and removes tags from it.',
    remote: 'start',
  }),
  'session.resize': operation<shapes.SessionResizeInput, shapes.Session>({
    route: 'POST /api/sessions/{session}/resize',
    scope: 'own',
    cli: 'resize',
    summary: "Sets the size of a session's pty.",
  }),
  'session.send': operation<shapes.SessionSendInput, shapes.SessionSendOutput>({
    route: 'POST /api/sessions/{session}/send',
    scope: 'started',
    waitsFor: ['session'],
    cli: 'send',
    summary: 'Types text into a session.',
    patienceMs: ({ wait_ms = SEND_WAIT_MS }) => wait_ms,
    remote: 'type',
  }),
  'session.keys': operation<shapes.SessionKeysInput, shapes.SessionKeysOutput>({
    route: 'POST /api/sessions/{session}/keys',
    scope: 'started',
    cli: 'keys',
    summary: 'Presses keys in a session.',
    remote: 'type',
  }),
  'session.tools': operation<shapes.SessionToolsInput, shapes.SessionToolsOutput>({
    route: 'GET /api/sessions/{session}/tools',
    scope: 'own',
    cli: 'mcp',
    summary: 'Returns the tools that the agent of a session may call now.',
  }),
  'session.tool': operation<shapes.SessionToolInput, shapes.SessionToolOutput>({
    route: 'POST /api/sessions/{session}/tools',
    scope: 'self',
    waitsFor: ['work', 'session'],
    cli: 'tool',
    summary: 'Calls a tool, as the agent of a session.',
    patienceMs: UNLIMITED, // the reply waits for the answer of a person
  }),
  'session.hook': operation<shapes.SessionHookInput, shapes.SessionHookOutput>({
    route: 'POST /api/sessions/{session}/hooks',
    scope: 'self',
    waitsFor: ['session'],
    cli: 'hook',
    summary: 'Asks the question of the hook of an agent, and waits for the output of the hook.',
    patienceMs: UNLIMITED,
  }),
  'session.capture': operation<shapes.SessionCaptureInput, shapes.SessionCaptureOutput>({
    route: 'GET /api/sessions/{session}/screen',
    scope: 'any',
    reads: 'named',
    cli: 'capture',
    summary: 'Returns the screen of a session.',
    remote: 'read',
    showsScreen: true,
  }),
  'session.journal': operation<shapes.SessionJournalInput, shapes.SessionJournalOutput>({
    route: 'GET /api/sessions/{session}/journal',
    scope: 'own',
    cli: 'export --journal',
    summary: "Returns a page of a session's journal.",
  }),
  'session.import': operation<shapes.SessionImportInput, shapes.Session>({
    route: 'POST /api/sessions/import',
    scope: 'person',
    cli: 'import',
    summary: 'Imports a recording as a session that has ended.',
    status: 201,
    patienceMs: UNLIMITED,
  }),
  'session.changes': operation<shapes.SessionChangesInput, shapes.SessionChangesOutput>({
    route: 'GET /api/sessions/{session}/changes',
    scope: 'own',
    cli: 'diff',
    summary: 'Returns what a session has changed in its git repository.',
    patienceMs: 60_000, // git reads a large repository slowly
    remote: 'read',
  }),
  'session.commit': operation<shapes.SessionCommitInput, shapes.SessionCommitOutput>({
    route: 'POST /api/sessions/{session}/commit',
    scope: 'person',
    cli: 'git commit',
    summary: 'Commits what a session has changed.',
    patienceMs: 360_000, // hooks may run tests
  }),
  'session.merge': operation<shapes.SessionMergeInput, shapes.SessionMergeOutput>({
    route: 'POST /api/sessions/{session}/merge',
    scope: 'person',
    cli: 'git merge',
    summary: "Merges the branch of a session's worktree into the main worktree.",
    patienceMs: 360_000, // a checkout of a large repository takes long
  }),
  'session.discard': operation<shapes.SessionDiscardInput, shapes.SessionDiscardOutput>({
    route: 'POST /api/sessions/{session}/discard',
    scope: 'person',
    cli: 'git discard',
    summary: 'Removes the worktree of an ended session, and keeps its content under a ref.',
    patienceMs: 360_000,
  }),
  'session.wait': operation<shapes.SessionWaitInput, shapes.Session>({
    route: 'GET /api/sessions/{session}/wait',
    scope: 'any',
    reads: 'named',
    cli: 'wait',
    summary: 'Waits until a session is in a state.',
    patienceMs: UNLIMITED,
  }),
  'trash.list': operation<shapes.TrashListInput, shapes.TrashListOutput>({
    route: 'GET /api/trash',
    scope: 'person',
    cli: 'rm --trash',
    summary: 'Returns the sessions in the trash, the last removed first.',
  }),
  'trash.restore': operation<shapes.TrashRestoreInput, shapes.Session>({
    route: 'POST /api/trash/{removed}/restore',
    scope: 'person',
    cli: 'rm --undo',
    summary: 'Brings a removed session back from the trash.',
  }),
  'trash.delete': operation<shapes.TrashDeleteInput, shapes.SessionRemoveOutput>({
    route: 'DELETE /api/trash/{removed}',
    scope: 'person',
    cli: 'rm --forever',
    summary: 'Deletes a session of the trash at once.',
  }),
  'event.list': operation<shapes.EventListInput, shapes.Event[]>({
    route: 'GET /api/events',
    alias: '/events',
    scope: 'any',
    reads: 'by_handler',
    streams: true,
    cli: 'events',
    summary: 'Returns the event log: NDJSON, SSE, WebSocket, or a JSON array (the default at /events).',
    remote: 'read',
  }),
  'event.explain': operation<shapes.EventExplainInput, shapes.EventExplainOutput>({
    route: 'GET /api/explain/{what}',
    scope: 'any',
    reads: 'by_handler',
    cli: 'explain',
    summary: 'Returns the source of an event, an item or a state.',
    patienceMs: UNLIMITED, // reads a long journal again
    remote: 'read',
    showsScreen: true,
  }),
  'inbox.list': operation<shapes.InboxListInput, shapes.Item[]>({
    route: 'GET /api/inbox',
    scope: 'any',
    reads: 'entries',
    cli: 'inbox',
    summary: 'Returns the open items.',
    remote: 'read',
  }),
  'inbox.show': operation<shapes.InboxShowInput, shapes.Item>({
    route: 'GET /api/inbox/{item}',
    scope: 'any',
    reads: 'named',
    cli: 'inbox',
    summary: 'Returns one item.',
    remote: 'read',
  }),
  'inbox.answer': operation<shapes.InboxAnswerInput, shapes.Item>({
    route: 'POST /api/inbox/{item}/answer',
    // A session may answer only for sessions that it started, and only if the person allows it: handlers/inbox.ts
    scope: 'any',
    waitsFor: ['item'],
    cli: 'answer',
    summary: 'Answers an item.',
    web: 'answer',
    remote: 'answer',
  }),
  'inbox.take_back': operation<shapes.InboxTakeBackInput, shapes.Item>({
    route: 'POST /api/inbox/{item}/take-back',
    scope: 'person',
    waitsFor: ['item'],
    cli: 'answer --undo',
    summary: 'Takes back an answer, until its typing begins. The item is open again.',
    web: 'answer',
  }),
  'blueprint.list': workOperation<shapes.BlueprintListInput, shapes.Blueprint[]>({
    route: 'GET /api/agents',
    scope: 'any',
    reads: 'everything',
    cli: 'agent list',
    summary: 'Returns the blueprints that are valid in a project.',
  }),
  'blueprint.create': workOperation<shapes.BlueprintCreateInput, shapes.Blueprint>({
    route: 'POST /api/agents',
    scope: 'person',
    cli: 'agent create',
    summary: 'Creates a blueprint.',
    status: 201,
  }),
  'blueprint.validate': workOperation<shapes.BlueprintValidateInput, shapes.BlueprintValidateOutput>({
    route: 'POST /api/agents/validate',
    scope: 'any',
    cli: 'agent validate',
    web: 'read',
    summary: 'Checks a definition without saving it.',
  }),
  'blueprint.show': workOperation<shapes.BlueprintShowInput, shapes.Blueprint>({
    route: 'GET /api/agents/{name}',
    scope: 'any',
    reads: 'everything',
    cli: 'agent show',
    summary: 'Returns one blueprint.',
  }),
  'blueprint.update': workOperation<shapes.BlueprintUpdateInput, shapes.Blueprint>({
    route: 'PUT /api/agents/{name}',
    scope: 'person',
    cli: 'agent edit',
    summary: 'Replaces the definition of a blueprint.',
  }),
  'blueprint.delete': workOperation<shapes.BlueprintDeleteInput, shapes.BlueprintDeleteOutput>({
    route: 'DELETE /api/agents/{name}',
    scope: 'person',
    cli: 'agent delete',
    summary: 'Removes a blueprint.',
  }),
  'project.find': operation<shapes.ProjectFindInput, shapes.ProjectFindOutput>({
    route: 'GET /api/projects/find',
    scope: 'person',
    cli: 'run --machine',
    summary: 'Finds a directory of this machine by its path, or by the name of its project.',
    web: 'all', // it tells which directories there are
    remote: 'start',
  }),
  'run.start': workOperation<shapes.RunStartInput, shapes.Run>({
    route: 'POST /api/runs',
    scope: 'any',
    cli: 'runs start',
    summary: 'Runs a prompt, or a blueprint, to a result.',
    status: 201,
    remote: 'start',
  }),
  'run.list': workOperation<shapes.RunListInput, shapes.RunSummary[]>({
    route: 'GET /api/runs',
    scope: 'any',
    reads: 'entries',
    entryId: 'run_id',
    cli: 'runs list',
    summary: 'Returns runs, the oldest first.',
    remote: 'read',
  }),
  'run.show': workOperation<shapes.RunShowInput, shapes.Run>({
    route: 'GET /api/runs/{run}',
    scope: 'any',
    reads: 'named',
    cli: 'runs show',
    summary: 'Returns one run, with every attempt.',
    remote: 'read',
  }),
  'run.cancel': workOperation<shapes.RunCancelInput, shapes.Run>({
    route: 'POST /api/runs/{run}/cancel',
    scope: 'own',
    cli: 'runs cancel',
    summary: 'Cancels a run and ends its processes.',
    patienceMs: UNLIMITED, // The program may need time to end.
    remote: 'start',
  }),
  'run.place': operation<shapes.RunPlaceInput, shapes.PlacedRun>({
    route: 'PUT /api/placed-runs/{id}',
    scope: 'person',
    waitsFor: ['work'],
    cli: 'workflow run',
    summary: 'Starts a run for a workflow of another machine, once.',
    remote: 'start',
    outcomeComesLater: true,
  }),
  'run.withdraw': operation<shapes.RunWithdrawInput, shapes.RunWithdrawOutput>({
    route: 'POST /api/placed-runs/{id}/withdraw',
    scope: 'person',
    waitsFor: ['work'],
    cli: 'workflow cancel',
    summary: 'Cancels a run for a workflow of another machine, or keeps it from starting.',
    remote: 'start',
  }),
  'run.retry': workOperation<shapes.RunRetryInput, shapes.Run>({
    route: 'POST /api/runs/{run}/retry',
    scope: 'own',
    cli: 'runs retry',
    summary: 'Runs the same again, as a new run.',
    status: 201,
    remote: 'start',
  }),
  'run.wait': workOperation<shapes.RunWaitInput, shapes.Run>({
    route: 'GET /api/runs/{run}/wait',
    scope: 'any',
    reads: 'named',
    cli: 'runs wait',
    summary: 'Waits until a run has ended.',
    patienceMs: UNLIMITED,
  }),
  'task.create': workOperation<shapes.TaskCreateInput, shapes.Task>({
    route: 'POST /api/tasks',
    scope: 'any',
    cli: 'task create',
    summary: 'Creates a task, and plans it at once if requested.',
    status: 201,
  }),
  'task.list': workOperation<shapes.TaskListInput, shapes.TaskSummary[]>({
    route: 'GET /api/tasks',
    scope: 'any',
    reads: 'entries',
    entryId: 'task_id',
    cli: 'task list',
    summary: 'Returns tasks, the oldest first.',
  }),
  'task.show': workOperation<shapes.TaskShowInput, shapes.Task>({
    route: 'GET /api/tasks/{task}',
    scope: 'any',
    reads: 'named',
    cli: 'task show',
    summary: 'Returns one task in full.',
  }),
  'task.plan': workOperation<shapes.TaskPlanInput, shapes.Task>({
    route: 'POST /api/tasks/{task}/plan',
    scope: 'own',
    cli: 'task plan',
    summary: 'Starts the planner of a task.',
  }),
  'task.answer': workOperation<shapes.TaskAnswerInput, shapes.Task>({
    route: 'POST /api/tasks/{task}/answer',
    scope: 'person',
    cli: 'task answer',
    web: 'answer',
    summary: 'Answers a question of the planner.',
  }),
  'task.start': workOperation<shapes.TaskStartInput, shapes.Task>({
    route: 'POST /api/tasks/{task}/start',
    scope: 'own',
    cli: 'task start',
    summary: 'Starts the agent that does a planned task.',
  }),
  'task.cancel': workOperation<shapes.TaskCancelInput, shapes.Task>({
    route: 'POST /api/tasks/{task}/cancel',
    scope: 'own',
    cli: 'task cancel',
    summary: 'Cancels a task and ends its processes.',
    patienceMs: UNLIMITED,
  }),
  'task.history': workOperation<shapes.TaskHistoryInput, shapes.TaskHistoryEntry[]>({
    route: 'GET /api/tasks/{task}/history',
    scope: 'any',
    reads: 'named',
    cli: 'task history',
    summary: 'Returns the history of a task.',
  }),
  'task.wait': workOperation<shapes.TaskWaitInput, shapes.Task>({
    route: 'GET /api/tasks/{task}/wait',
    scope: 'any',
    reads: 'named',
    cli: 'task wait',
    summary: 'Waits until no part of a task is running.',
    patienceMs: UNLIMITED,
  }),
  'task.tool': workOperation<shapes.TaskToolInput, shapes.SessionToolOutput>({
    route: 'POST /api/tasks/{task}/tools',
    scope: 'any',
    cli: 'tool',
    summary: 'Calls a tool as the agent that works on a task.',
    patienceMs: UNLIMITED,
  }),
  'workflow.run': workOperation<shapes.WorkflowRunInput, shapes.WorkflowRun>({
    route: 'POST /api/workflows',
    scope: 'any',
    cli: 'workflow run',
    summary: 'Runs an Agentfile.',
    status: 201,
    remote: 'start',
  }),
  'workflow.files': operation<shapes.WorkflowFilesInput, shapes.WorkflowFilesOutput>({
    route: 'GET /api/agentfiles',
    scope: 'person',
    waitsFor: ['work'],
    cli: 'workflow files',
    summary: 'Returns the Agentfiles of a project.',
    web: 'all', // it reads folders that no session has
  }),
  'workflow.list': workOperation<shapes.WorkflowListInput, shapes.WorkflowRunSummary[]>({
    route: 'GET /api/workflows',
    scope: 'any',
    reads: 'entries',
    entryId: 'workflow_id',
    cli: 'workflow list',
    summary: 'Returns workflow runs, the oldest first.',
    remote: 'read',
  }),
  'workflow.show': workOperation<shapes.WorkflowShowInput, shapes.WorkflowRun>({
    route: 'GET /api/workflows/{workflow}',
    scope: 'any',
    reads: 'named',
    cli: 'workflow show',
    summary: 'Returns one workflow run in full.',
    remote: 'read',
  }),
  'workflow.source': workOperation<shapes.WorkflowSourceInput, shapes.WorkflowSourceOutput>({
    route: 'GET /api/workflows/{workflow}/source',
    scope: 'any',
    reads: 'named',
    cli: 'workflow show',
    summary: 'Returns the Agentfile of a workflow run.',
    remote: 'read',
  }),
  'workflow.resume': workOperation<shapes.WorkflowResumeInput, shapes.WorkflowRun>({
    route: 'POST /api/workflows/{workflow}/resume',
    scope: 'own',
    cli: 'workflow resume',
    summary: 'Resumes a workflow run that has failed or was cancelled.',
    remote: 'start',
  }),
  'workflow.cancel': workOperation<shapes.WorkflowCancelInput, shapes.WorkflowRun>({
    route: 'POST /api/workflows/{workflow}/cancel',
    scope: 'own',
    cli: 'workflow cancel',
    summary: 'Cancels a workflow run and ends its processes.',
    patienceMs: UNLIMITED,
    remote: 'start',
  }),
  'workflow.wait': workOperation<shapes.WorkflowWaitInput, shapes.WorkflowRun>({
    route: 'GET /api/workflows/{workflow}/wait',
    scope: 'any',
    reads: 'named',
    cli: 'workflow wait',
    summary: 'Waits until a workflow run has ended.',
    patienceMs: UNLIMITED,
  }),

  'presence.tell': operation<shapes.PresenceTellInput, shapes.PresenceTellOutput>({
    route: 'POST /api/presence',
    scope: 'person',
    cli: 'attach',
    summary: 'Reports that a person is present at a client, or has left.',
    web: 'read',
  }),
  'notify.test': operation<shapes.NotifyTestInput, shapes.NotifyTestOutput>({
    route: 'POST /api/notify/test',
    scope: 'person',
    cli: 'notify test',
    summary: 'Runs the notify command once.',
  }),
  'web.link': operation<shapes.WebLinkInput, shapes.WebLinkOutput>({
    route: 'POST /api/web/links',
    scope: 'person',
    cli: 'web',
    summary: 'Makes a link to the dashboard, which works once and for a minute.',
    status: 201,
    web: 'none',
  }),
  'web.listen': operation<shapes.WebListenInput, shapes.WebListener>({
    route: 'PUT /api/web/listener',
    scope: 'person',
    cli: 'web --listen',
    summary: 'Chooses where browsers on other devices reach the dashboard, until the daemon ends.',
    web: 'none',
  }),
  'web.enter': operation<shapes.WebEnterInput, shapes.WebEnterOutput>({
    route: 'POST /api/web/session',
    scope: 'any',
    cli: 'web',
    summary: "Exchanges a link's code for the token of a browser.",
    status: 201,
    web: 'read',
    isOpen: true,
  }),
  'web.list': operation<shapes.WebListInput, shapes.WebDevice[]>({
    route: 'GET /api/web/devices',
    scope: 'person',
    cli: 'web --list',
    summary: 'Returns the browsers that may use the dashboard.',
    web: 'all',
  }),
  'web.revoke': operation<shapes.WebRevokeInput, shapes.WebDevice>({
    route: 'DELETE /api/web/devices/{device}',
    scope: 'person',
    cli: 'web --revoke',
    summary: 'Signs out a browser, at once.',
    web: 'own',
  }),
  'hub.join': operation<shapes.HubJoinInput, shapes.HubStatusOutput>({
    route: 'POST /api/hub/join',
    scope: 'person',
    cli: 'hub join',
    summary: 'Connects the daemon to a hub of several machines.',
    web: 'none',
    patienceMs: HUB_MS,
  }),
  'hub.leave': operation<shapes.HubLeaveInput, shapes.HubStatusOutput>({
    route: 'POST /api/hub/leave',
    scope: 'person',
    cli: 'hub leave',
    summary: 'Disconnects the daemon from its hub.',
    web: 'none',
    patienceMs: HUB_MS,
  }),
  'hub.status': operation<shapes.HubStatusInput, shapes.HubStatusOutput>({
    route: 'GET /api/hub',
    scope: 'person',
    cli: 'hub status',
    summary: 'Returns the state of the hub, and its machines.',
  }),
  'hub.sessions': operation<shapes.HubSessionsInput, shapes.HubSessionsOutput>({
    route: 'GET /api/hub/sessions',
    scope: 'person',
    cli: 'ls --machine',
    summary: 'Returns the sessions of the machines of the hub.',
    patienceMs: HUB_MS, // a large hub is read for some seconds
  }),
  'hub.items': operation<shapes.HubItemsInput, shapes.HubItemsOutput>({
    route: 'GET /api/hub/items',
    scope: 'person',
    cli: 'inbox --machine',
    summary: 'Returns the open items of the machines of the hub.',
    patienceMs: HUB_MS, // a large hub is read for some seconds
  }),
  'hub.events': operation<shapes.HubEventsInput, shapes.HubEventsOutput>({
    route: 'GET /api/hub/events',
    scope: 'person',
    cli: 'events --machine',
    summary: 'Returns the next events that the machines of the hub have published.',
    patienceMs: ({ wait_ms = 0 }) => wait_ms + HUB_MS,
  }),
  'hub.call': operation<shapes.HubCallInput, shapes.HubCallOutput>({
    route: 'POST /api/hub/call',
    scope: 'person',
    cli: 'answer --machine',
    summary: 'Calls an operation on another machine of the hub.',
    web: 'answer', // and what the operation itself needs: handlers/hub.ts
    patienceMs: UNLIMITED,
  }),
  'hub.commands': operation<shapes.HubCommandsInput, shapes.HubCommandsOutput>({
    route: 'GET /api/hub/commands',
    scope: 'person',
    cli: 'hub commands',
    summary: 'Returns the commands that this machine has sent to others.',
  }),
  'hub.keys': operation<shapes.HubKeysInput, shapes.HubKeysOutput>({
    route: 'GET /api/hub/keys',
    scope: 'person',
    cli: 'hub keys',
    summary: 'Returns the machines whose commands are checked.',
  }),
  'hub.enroll': operation<shapes.HubEnrollInput, shapes.HubKeysOutput>({
    route: 'PUT /api/hub/keys/{name}',
    scope: 'person',
    cli: 'hub enroll',
    summary: 'Lets a machine send commands to this one.',
    web: 'none',
  }),
  'hub.unenroll': operation<shapes.HubUnenrollInput, shapes.HubKeysOutput>({
    route: 'DELETE /api/hub/keys/{name}',
    scope: 'person',
    cli: 'hub unenroll',
    summary: 'Takes no more commands of a machine.',
    web: 'none',
  }),
  'api.openapi': operation<shapes.ApiOpenapiInput, Record<string, unknown>>({
    route: 'GET /api/openapi.json',
    scope: 'any',
    reads: 'everything',
    cli: 'api --openapi',
    summary: 'Returns this API as OpenAPI 3.1.',
  }),
};

export type OperationName = keyof typeof OPERATIONS;
/** Input and output of each operation. */
type Shapes = { readonly [N in OperationName]: NonNullable<(typeof OPERATIONS)[N]['shapes']> };
export type InputOf<N extends OperationName> = Shapes[N][0];
export type OutputOf<N extends OperationName> = Shapes[N][1];

/** The dashboard. Every path below it is a page. */
export const WEB_PATH = '/ui/';

/** The path of the metrics in Prometheus format. */
export const METRICS_PATH = '/metrics';

/** The path of the terminal stream, a WebSocket; protocol/terminal-stream.md defines its messages. */
export const TERMINAL_PATH = '/api/sessions/{session}/terminal';

/** True if the fields that are not in the path are in a JSON body, otherwise in the query. */
export const hasBody = ({ method }: Pick<OperationEntry, 'method'>): boolean => method === 'POST' || method === 'PUT';

/** Returns the name of an operation's shapes: `inbox.take_back` → `InboxTakeBack`. */
export function shapeName(operation: OperationName): string {
  return operation
    .split('.')
    .flatMap((word) => word.split('_'))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
