/** Generated from protocol/ by `npm run generate`; do not edit. */

/** The state of the session, by the newest evidence. */
export type State = 'starting' | 'working' | 'waiting' | 'blocked' | 'done' | 'failed' | 'exited' | 'lost' | 'unknown';
/**
 * `pty`: in a terminal; `batch`: on pipes, with its whole input given at its start, so that nothing can be typed into it.
 */
export type SessionMode = 'pty' | 'batch';
/** The evidence for the state. */
export type StateSource = 'message' | 'process' | 'title' | 'screen' | 'transcript' | 'hook' | 'host';
/**
 * The state of the agent's own transcript. `none`: it has none. `waiting`: nothing was read in it yet. `healthy`: it is read and agrees with the screen. `lost`: it lacks text that the screen shows, so orchd reads only the screen.
 */
export type TranscriptHealth = 'none' | 'waiting' | 'healthy' | 'lost';
/**
 * The way to start a program again: an agent continues its conversation; any other program starts from its beginning; an agent starts a new conversation, because the caller requested that.
 */
export type RevivalHow = 'conversation' | 'program' | 'fresh';
/** An open question, block, review or dialog. */
export type ItemType = 'QUESTION' | 'BLOCKED' | 'REQUEST_REVIEW' | 'attention';
/**
 * The progress of the answer: stored on disk; written to the pty; visibly taken by the program; not delivered (yet), see `stalled_reason`.
 */
export type Delivery = 'accepted' | 'written' | 'acknowledged' | 'stalled';
/** The form in which it was said. */
export type Source = 'fence' | 'marker' | 'envelope' | 'tool';
/**
 * Why a line that looks like a message is none, or opens no item: it is in bold, italics or inline code; a list item; a heading; in a cell of a table; in other letters; without a blank behind its second colon; without a dash before its text; in the middle of a line; without known words; its fence has another name; it has no fence; an unknown program shows its fence; it stood on the screen of an unknown program before anything was typed; the screen of an unknown program does not show if it is new; the screen does not show it as JSON; or too many items of its session are open.
 */
export type HintKind =
  | 'marker_decorated'
  | 'marker_list'
  | 'marker_heading'
  | 'marker_table'
  | 'marker_case'
  | 'marker_blank'
  | 'marker_dash'
  | 'marker_inline'
  | 'marker_words'
  | 'fence_name'
  | 'fence_missing'
  | 'fence_shown'
  | 'old_screen'
  | 'screen_unsure'
  | 'json_damaged'
  | 'too_many_open';
/** The ear that has heard it. */
export type Ear = 'lines' | 'screen' | 'transcript' | 'hook' | 'tool';
/** Why the output was not accepted as a message. */
export type RejectReason =
  'json' | 'unknown_type' | 'schema' | 'unclosed' | 'unauthenticated' | 'oversized' | 'id_reused';
/** A word by which a person sorts sessions: letters and digits of any script, and . _ / - after the first. */
export type Tag = string;
/** A tool of orchd. */
export type BlueprintTool =
  | 'ask'
  | 'report_status'
  | 'report_blocked'
  | 'report_error'
  | 'request_review'
  | 'task_complete'
  | 'spawn_agent'
  | 'completion-report'
  | 'planner-output';
/** Arguments that are added to the command line of the program. */
export type Args = string[];
/** Names of variables that it gets from who starts it; never values. */
export type Env = string[];
/** The tools that the agent is offered. */
export type Tools = BlueprintTool[];
/** The state of a run. `rate_limited`: it continues when the account may be used again. */
export type RunState = 'queued' | 'running' | 'rate_limited' | 'completed' | 'failed' | 'cancelled';
/** The result of a completed run with a schema, with an envelope, or with a tool to call. */
export type ResultData =
  | {
      [k: string]: unknown | undefined;
    }
  | unknown[]
  | string
  | number
  | boolean
  | null;
/** The state of a task. */
export type TaskState =
  'pending' | 'planning' | 'planned' | 'awaiting_input' | 'running' | 'completed' | 'failed' | 'cancelled';
/** A tool by which work on a task ends. */
export type TaskTool = 'planner-output' | 'completion-report';
/** An entry in the history of a task. */
export type TaskHistoryEvent =
  | 'created'
  | 'planning_started'
  | 'planner_output_submitted'
  | 'planned'
  | 'questions_asked'
  | 'answered'
  | 'started'
  | 'completion_report_submitted'
  | 'reminded'
  | 'completed'
  | 'failed'
  | 'cancelled';
/** The state of a workflow run; `awaiting_input`: no step runs until a person answers. */
export type WorkflowRunState = 'running' | 'awaiting_input' | 'completed' | 'failed' | 'cancelled';
/** The state of a step; `skipped`: its condition did not hold. */
export type WorkflowStepState = 'waiting' | 'running' | 'asking' | 'completed' | 'skipped' | 'failed' | 'cancelled';
export type SessionListOutput = Session[];
export type TrashListOutput = {
  session: Session;
  /** Size of its journal in bytes. */
  bytes: number;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  removed_at: string;
  /** RFC 3339: when it is deleted. */
  until: string;
}[];
export type EventListOutput = {
  [k: string]: unknown | undefined;
}[];
export type InboxListOutput = Item[];
export type WebListOutput = WebDevice[];
export type BlueprintListOutput = Blueprint[];
export type RunListOutput = RunSummary[];
export type TaskListOutput = TaskSummary[];
export type TaskHistoryOutput = TaskHistoryEntry[];
/** The input of planner-output: a plan, questions, or an error. */
export type PlannerOutputInput = {
  [k: string]: unknown | undefined;
};
export type WorkflowListOutput = WorkflowRunSummary[];
export type HubSessionsOutput = {
  /** The name of the machine that has the session. */
  machine: string;
  /** True if the machine has missed three heartbeats; this is then what it published last. */
  away: boolean;
  /** Milliseconds since its last heartbeat; 0 for this machine. */
  age_ms: number;
  session: Session;
}[];
export type HubCommandsOutput = SentCommand[];
export type HubItemsOutput = {
  /** The name of the machine that has the item. */
  machine: string;
  /** True if the machine has missed three heartbeats; this is then what it published last. */
  away: boolean;
  /** Milliseconds since its last heartbeat; 0 for this machine. */
  age_ms: number;
  item: Item;
  /** An answer from this machine that has not reached the other one yet. */
  on_its_way?: {
    /** The answer in words. */
    text: string;
    /** The person who gave it. */
    by: string;
    /** When it was given (RFC 3339). */
    at: string;
  };
}[];
/** One record of the durable log. */
export type Event =
  | DaemonStartedEvent
  | SessionStartedEvent
  | SessionRenamedEvent
  | SessionTaggedEvent
  | SessionStateChangedEvent
  | SessionPausedEvent
  | SessionResumedEvent
  | SessionTranscriptChangedEvent
  | SessionIdleChangedEvent
  | MessageHintEvent
  | SessionExitedEvent
  | SessionLostEvent
  | SessionRevivedEvent
  | SessionRemovedEvent
  | SessionRestoredEvent
  | MessageEvent
  | MessageRejectedEvent
  | MessageCorrectedEvent
  | SessionUsageChangedEvent
  | ItemOpenedEvent
  | ItemChangedEvent
  | ItemNotifiedEvent
  | ItemAnsweredEvent
  | ItemWithdrawnEvent
  | ItemReopenedEvent
  | AnswerAcceptedEvent
  | AnswerWrittenEvent
  | AnswerAcknowledgedEvent
  | AnswerStalledEvent
  | BlueprintSavedEvent
  | BlueprintDeletedEvent
  | RunCreatedEvent
  | RunAttemptStartedEvent
  | RunAttemptEndedEvent
  | RunAskingEvent
  | RunRateLimitedEvent
  | ResultEvent
  | JournalDamagedEvent
  | TaskCreatedEvent
  | TaskStateChangedEvent
  | PlannerOutputSubmittedEvent
  | CompletionReportSubmittedEvent
  | WorkflowCreatedEvent
  | WorkflowStateChangedEvent
  | WorkflowStepChangedEvent;

/** A browser that may use the dashboard. */
export interface WebDevice {
  /** The id of the browser: `dev_…`. */
  id: string;
  /** The name that the link gave the browser. Empty if it gave none. */
  name: string;
  /** `read`: may look; `answer`: may answer, too; `all`: may do what you may, except make links. */
  role: 'read' | 'answer' | 'all';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** Last use, to the minute (RFC 3339). */
  last_seen_at: string;
  /** The browser is signed out then (RFC 3339). */
  expires_at: string;
}
/** The address at which browsers on other devices reach the dashboard. */
export interface WebListener {
  /** The address and port; empty: none beside 127.0.0.1. */
  listen: string;
  /** The file of the certificate chain; empty: no TLS. */
  tls_cert: string;
  /** The file of its private key. */
  tls_key: string;
  /** The https:// address of a reverse proxy; empty: none. */
  behind_proxy: string;
  /** The source of this setting: the configuration, or a command. One of a command ends with the daemon. */
  by: 'command' | 'configuration';
  /** The address that other devices open; null: none can. */
  url: string | null;
  /** Why other devices cannot reach the dashboard although it was wanted. */
  problem?: string;
}
export interface Size {
  /** Width in columns, 1 to 1000. */
  cols: number;
  /** Height in rows, 1 to 1000. */
  rows: number;
}
export interface Answer {
  /** The person's words, or the text of the option. */
  text: string;
  /**
   * The typed text, if it differs from `text`: orchd may type the question before the answer, or a blank before or after it, so that the agent takes the answer as words.
   */
  typed?: string;
  /** The number of the option, from 1. */
  option?: number;
  declined?: true;
  /** `cli`, `tui`, `api`, `terminal` (typed into the session), `deadline` (the question's own default). */
  by: string;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  at: string;
  /** The Idempotency-Key of the request. A repetition of the request returns this answer. */
  request_key?: string;
  delivery?: Delivery;
  /** Why the answer is not delivered. Absent while the delivery is not stalled. */
  stalled_reason?: string;
  /**
   * The text in the input line while the answer is stalled there. With `text_changed`: the text in the agent's transcript.
   */
  seen?: string;
  /** The evidence that the agent took it. */
  evidence?: string;
  [k: string]: unknown | undefined;
}
/** The place in the session's journal. */
export interface Origin {
  ear: Ear;
  /** Journal position of the first byte. */
  from: number;
  /** Journal position after the last byte. */
  to: number;
  [k: string]: unknown | undefined;
}
export interface SchemaError {
  /** JSONPath, e.g. `$.data.question`. */
  path: string;
  /** A sentence that says what is wrong at the path. */
  message: string;
  [k: string]: unknown | undefined;
}
/** A message of an agent; see messages/ for the `data` of each type. */
export interface Message {
  type: 'TASK_COMPLETE' | 'QUESTION' | 'BLOCKED' | 'STATUS_UPDATE' | 'ERROR' | 'REQUEST_REVIEW' | 'OUTPUT';
  data: {
    [k: string]: unknown | undefined;
  };
  id?: string;
  /** The part of an OUTPUT for people, in markdown. */
  human?: string;
  [k: string]: unknown | undefined;
}
export interface Session {
  /** The id of the session: `ses_…`. */
  id: string;
  /** The name. No other living session has it. */
  name: string;
  state: State;
  state_source: StateSource;
  /** The adapter: how orchd treats the program. */
  adapter: string;
  mode: SessionMode;
  /** The agent program's own id of the conversation, once it is known. */
  agent_session_id: string | null;
  transcript: TranscriptHealth;
  command: string[];
  /** The absolute path of the working directory. */
  cwd: string;
  /** The process id of the program. */
  pid: number;
  size: Size;
  /** Progress in percent, from the last STATUS_UPDATE. Null if there was none. */
  progress: number | null;
  /** The step in the last STATUS_UPDATE. */
  current_step: string | null;
  /** Number of steps in the last STATUS_UPDATE that has one; absent before. */
  total_steps?: number | null;
  /** The completed steps in the last STATUS_UPDATE that lists them; absent before. */
  completed_steps?: string[];
  /** The data of the last ERROR. */
  last_error: {
    message: string;
    severity: string;
    /** The file or place, if the message names one. */
    file?: string;
    /** True if the agent continues, if the message says so. */
    recoverable?: boolean;
    [k: string]: unknown | undefined;
  } | null;
  /** The data of the last TASK_COMPLETE; absent before. */
  last_completion?: {
    summary: string;
    filesChanged?: string[];
    commitHash?: string;
    [k: string]: unknown | undefined;
  };
  /** Number of open inbox items of the session. */
  open_items: number;
  /** Output that looks like a message but is not one, one of each kind; absent if there is none. */
  hints?: {
    hint: HintKind;
    /** The line of output that looks like a message. */
    seen: string;
    /** Why it is not a message, and what would be one. */
    message: string;
    [k: string]: unknown | undefined;
  }[];
  /**
   * The client that ended the program: `cli`, `tui`, `api`, or the id of a session. Absent if the program ended by itself.
   */
  ended_by?: string;
  /** Name that the session in `ended_by` had then. */
  ended_by_name?: string;
  /** True while it waits at its prompt or for its terminal: a shell, an interpreter, or a program that reads a line. */
  idle?: true;
  /** The exit code of the program. Null while it runs, and if a signal ended it. */
  exit_code: number | null;
  /** The signal that ended the program. */
  signal: string | null;
  /** Number of the current turn, from 0. */
  turn: number;
  key_required: boolean;
  /** The session that started this one. Null if no session did. */
  parent_session_id: string | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** The position up to which its journal was read. */
  journal_position: number;
  /**
   * Number of printed bytes that the daemon has still to read after its start, or after a kill of the session; absent once all is read.
   */
  catching_up?: number;
  /** True if it was imported from a recording (`orchd import`). Its times are those of the recording. */
  imported?: true;
  /** When it was imported (RFC 3339). Its retention counts from this time. */
  imported_at?: string;
  /** The workflow run whose questions it asks; it has no program. */
  workflow_id?: string;
  /** The run that it works for; absent if there is none. */
  run_id?: string;
  /**
   * The root of the git repository that contains the working directory, for a linked worktree that of the main worktree; absent outside git.
   */
  project?: string;
  /** Its tags, in alphabetical order; absent if it has none. */
  tags?: Tag[];
  /**
   * The requests to its model that its agent has reported, all together; `turns`: their number. Absent before the first report.
   */
  usage?: RunUsage;
  [k: string]: unknown | undefined;
}
/** Usage, as far as the program reports it; null if it does not. */
export interface RunUsage {
  /** Number of input tokens. Null if the agent does not report it. */
  input_tokens: number | null;
  /** Number of output tokens. Null if the agent does not report it. */
  output_tokens: number | null;
  /** Number of input tokens that were cached. */
  cached_input_tokens: number | null;
  /** Cost in US dollars. Null if the agent does not report it. */
  cost_usd: number | null;
  /** Number of the agent's own turns. */
  turns: number | null;
}
export interface Item {
  /** The id of the item: `itm_…`. */
  id: string;
  /** The id of the session that asks. */
  session_id: string;
  /** The name of the session that asks. */
  session_name: string;
  type: ItemType;
  /**
   * The message's data; of an attention `text`, `options`, and `source` (dialog, question, notification, bell, hook, budget).
   */
  data: {
    [k: string]: unknown | undefined;
  };
  state: 'open' | 'answered' | 'withdrawn';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  opened_at: string;
  /**
   * When the default answer of a question is sent (RFC 3339), if another answer was taken back; absent: `deadlineSeconds` after `opened_at`.
   */
  default_at?: string;
  answer: Answer | null;
  /** The message that it comes from; null for an attention, which is none. */
  message_id: string | null;
  /** False if a part of the words is a guess, until the agent's own transcript has them. Absent if they are exact. */
  exact?: boolean;
  origin: Origin;
  /** Fields of the message beside `type`, `data` and `id`; absent if there are none. */
  extra?: {
    [k: string]: unknown | undefined;
  };
  /** When the person was notified of it (RFC 3339); absent before. */
  notified_at?: string;
  /** The tool call, or the hook of the agent, that asks; absent if the question was only printed. */
  call_id?: string;
  /** The answer is returned to the call and is not typed. A hook gets only the answers that it can decide. */
  awaited?: true;
  /** The task that asks; its answer goes into the task’s next planning, and is not typed. */
  task_id?: string;
  /** The workflow run that asks; its answer becomes a variable, and is not typed. */
  workflow_id?: string;
  /** The run whose agent asks, without a terminal; its answer goes into the run’s next attempt, and is not typed. */
  run_id?: string;
  [k: string]: unknown | undefined;
}
export interface Process {
  /** The process id. */
  pid: number;
  /** The version of orchd, such as `0.1.0`. */
  version: string;
  /** The commit it was built from, with `+` if files differed from it; null if it does not know. */
  commit?: string | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  started_at: string;
  [k: string]: unknown | undefined;
}
export interface Problem {
  /** What went wrong, in one sentence. */
  error: string;
  /** The error code, such as `ORCHD_INVALID`. The error reference lists all codes. */
  code: string;
  /** The next step for the person. */
  message?: string;
  details?: {
    [k: string]: unknown | undefined;
  };
  /** Each place that is wrong, of input that does not fit. */
  errors?: SchemaError[];
}
/** Limits of each run of the blueprint. An absent limit does not apply. */
export interface BlueprintLimits {
  /** Maximum time of a run in seconds. */
  timeout?: number;
  /** Maximum number of the agent's own turns. */
  max_turns?: number;
  /** Maximum cost of a run in US dollars. */
  max_cost?: number;
}
/** An agent's definition, as agent.json has it. */
export interface BlueprintDefinition {
  /** Its name, unique in its project. */
  name: string;
  /** The purpose of the blueprint, for lists. Default: empty. */
  description?: string;
  /** The kind of the blueprint: it runs to a result. */
  type?: 'autonomous';
  /** Its system prompt. For a blueprint in files, the content of agent.md. */
  instructions?: string;
  /** Prompt for runs without a prompt. */
  prompt?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  args?: Args;
  env?: Env;
  tools?: Tools;
  /**
   * True to run the agent in a terminal: a person can attach to its session, and it asks in the inbox. Default: only if the program has no other mode.
   */
  interactive?: boolean;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of what a run is given. */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  /** `envelope`: its result is an output envelope; not together with output_schema. */
  output_format?: 'json' | 'envelope';
  limits?: BlueprintLimits;
}
/** A blueprint, and where it is. */
export interface Blueprint {
  /** Its name. For a damaged blueprint, the name of its folder. */
  name: string;
  /** The purpose of the blueprint, for lists. Default: empty. */
  description: string;
  /** The kind of the blueprint: it runs to a result. */
  type: 'autonomous';
  /** Its system prompt. For a blueprint in files, the content of agent.md. */
  instructions?: string;
  /** Prompt for runs without a prompt. */
  prompt?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  args?: Args;
  env?: Env;
  tools?: Tools;
  /**
   * True to run the agent in a terminal: a person can attach to its session, and it asks in the inbox. Default: only if the program has no other mode.
   */
  interactive?: boolean;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of what a run is given. */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  /** `envelope`: its result is an output envelope; not together with output_schema. */
  output_format?: 'json' | 'envelope';
  limits?: BlueprintLimits;
  /** Its project: an absolute directory, or null for the user's own. */
  project: string | null;
  /** The place where it is stored: the daemon's store, files of the project, or orchd itself. */
  source: 'stored' | 'file' | 'built-in';
  /** The path of its agent.json. Null if it is not stored in files. */
  file: string | null;
  /** Another of its name, a stored one of the project or the user's, does not count because of it. */
  shadows: boolean;
  /** RFC 3339; null for files. */
  created_at: string | null;
  /** RFC 3339; of files, when agent.json was written. */
  updated_at: string | null;
  problem?: BlueprintProblem;
}
/** The reason why it cannot be used; absent if it can. */
export interface BlueprintProblem {
  /** A description in one sentence. */
  message: string;
  errors: SchemaError[];
}
/** Why a run has no result. */
export interface RunError {
  /**
   * The kind of error: OutputSchemaValidationError, AgentError, AgentFailed, AgentStartError, ConversationLostError, CostLimitError, EmptyResultError, MissingToolCallError, PlannerError, RateLimitError, ResultTooLargeError, RunCancelled, RunTimeoutError, SessionLostError or TaskFailed.
   */
  error: string;
  /** A description in one sentence. */
  message: string;
  /** The errors of an OutputSchemaValidationError, each with its place in the result. */
  errors?: SchemaError[];
  /** The value in the envelope of an AgentFailed. */
  type?: string;
  /** The value in the envelope of an AgentFailed. */
  resolution?: string;
  /** The code of an AgentStartError, from the error catalogue. */
  code?: string;
}
/** The verdict on a result: true if it satisfies the schema. */
export interface RunVerdict {
  ok: boolean;
  errors: SchemaError[];
}
/** One turn of the agent in a run. */
export interface RunAttempt {
  /** The number in order, from 1. */
  number: number;
  /**
   * `retry`: its result before did not fit; `reminder`: it ended without the tool call that it owes; `answer`: it ended with a question, which is answered; `limit_over`: the account may be used again.
   */
  reason: 'start' | 'retry' | 'reminder' | 'answer' | 'limit_over';
  /** The batch session that it was. */
  session_id: string;
  /** The complete prompt of the agent. */
  prompt: string;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  started_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** The exit code of the program. */
  exit_code: number | null;
  /** The agent's final text, unchanged. Null if there is none. */
  text: string | null;
  /** Null where nothing was to be judged. */
  verdict: RunVerdict | null;
  /** The error in the words of the program. */
  error: string | null;
  /** The output envelope in which the agent says that it failed. Of a completed run it is the result. */
  envelope?: {
    /** The JSON part of the envelope. */
    data: {
      [k: string]: unknown | undefined;
    };
    /** The markdown part of the envelope. */
    human: string;
    [k: string]: unknown | undefined;
  };
  usage: RunUsage | null;
}
/** A run in a list. */
export interface RunSummary {
  /** The id of the run: `run_…`. */
  id: string;
  state: RunState;
  /** The name of its blueprint; null if it has none. */
  blueprint: string | null;
  /** The name of the adapter, such as `claude`. */
  adapter: string;
  /** The beginning of the prompt. */
  prompt: string;
  /** The session of its last attempt. */
  session_id: string | null;
  /** The session that started the run. Null if no session did. */
  parent_session_id: string | null;
  /** Number of attempts so far; 0 before the first. */
  attempts: number;
  error: RunError | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the start. */
  started_at: string | null;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** Items that it waits for, with no program: their answers let it go on. Not there for none. */
  asking?: string[];
}
/** One execution of a prompt, or of a blueprint, to a result. */
export interface Run {
  /** The id of the run: `run_…`. */
  id: string;
  state: RunState;
  /** The name of its blueprint; null if it has none. The definition at the start of the run counts until its end. */
  blueprint: string | null;
  /** The project of the blueprint: an absolute directory. Null without a project. */
  project: string | null;
  /** The name of the adapter, such as `claude`. */
  adapter: string;
  /** The model, by the name that the program uses; null for its default. */
  model: string | null;
  /** The complete prompt of the run. */
  prompt: string;
  /** Its input; null if there was none. */
  input:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** The addition to its system prompt. */
  system: string | null;
  /** JSON Schema of its result; null where it has none. */
  output_schema:
    | {
        [k: string]: unknown | undefined;
      }
    | boolean
    | null;
  /** `text` without a schema, `json` with one; `call`: its result is what it calls `tool` with. */
  output_format: 'text' | 'json' | 'envelope' | 'call';
  limits: BlueprintLimits;
  /** The absolute path of the working directory. */
  cwd: string;
  /** The session that started the run. Null if no session did. */
  parent_session_id: string | null;
  /** The id of the run that this run repeats. Null if it repeats none. */
  retry_of: string | null;
  /** The session of its last attempt. */
  session_id: string | null;
  /** The agent program's own id of the conversation, once it is known. */
  agent_session_id: string | null;
  attempts: RunAttempt[];
  /** The result of a completed run without a schema. */
  result_text: string | null;
  result_data: ResultData;
  /** The markdown of the envelope of a completed run. */
  result_human: string | null;
  /** The error of a failed or cancelled run. */
  error: RunError | null;
  /** The usage of all attempts together. Null if it is not known. */
  usage: RunUsage | null;
  /** When a rate-limited run continues (RFC 3339). */
  resumes_at: string | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the start. */
  started_at: string | null;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** The tool that it has to call, once; its input is the result. */
  tool?: 'planner-output' | 'completion-report';
  /** The task that it works on. */
  task_id?: string;
  /** The workflow run that it belongs to. */
  workflow_id?: string;
  /** The step of that workflow run. */
  step_id?: string;
  /** The AGENT of that step; absent for the goal itself. */
  step_agent?: string;
  /** Items that it waits for, with no program: their answers let it go on. Not there for none. */
  asking?: string[];
}
/** The work to do. */
export interface TaskPlan {
  /** A summary in one or two sentences. */
  summary: string;
  /** The conditions that the result must meet. */
  requirements: string[];
  /** The conditions that show that the task is done. */
  acceptanceCriteria: string[];
  /** The steps of the plan, in order. */
  plan: string[];
  /** The blueprint that executes the task. */
  assignedAgent?: string;
  [k: string]: unknown | undefined;
}
/** The work that was done. */
export interface CompletionReport {
  /** A summary in one or two sentences. */
  summary: string;
  /** Paths. */
  filesChanged?: string[];
  /** The commit that holds the change. */
  commitHash?: string;
  /** Default: completed. */
  outcome?: 'completed' | 'failed';
  [k: string]: unknown | undefined;
}
/** A question of the planner. */
export interface TaskQuestion {
  /** The id of the inbox item with the question. */
  item_id: string;
  /** The question in the words of the planner. */
  question: string;
  /** The answer; null while there is none. */
  answer: string | null;
  /** The person will not answer: the planner decides. */
  declined?: true;
}
/** One planning or execution of a task. */
export interface TaskAttempt {
  /** The number in order, from 1. */
  number: number;
  kind: 'planning' | 'execution';
  /** The blueprint; null for the default agent program. */
  agent: string | null;
  /** Its run, with every turn of the agent. */
  run_id: string;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  started_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
}
/** One thing that happened to a task. */
export interface TaskHistoryEntry {
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  event: TaskHistoryEvent;
  /** The run to which the entry belongs. */
  run_id?: string;
  /** A description in one sentence. */
  text: string;
}
/** A task in a list. */
export interface TaskSummary {
  /** The id of the task: `tsk_…`. */
  id: string;
  state: TaskState;
  /** The beginning of the task's text. */
  prompt: string;
  /** The agent that works on it now. */
  current_agent: string | null;
  /** The blueprint that executes the task; null for the default agent program. */
  assigned_agent: string | null;
  /** Number of questions that wait for an answer. */
  open_questions: number;
  /** Why the task has failed. Null if it has not. */
  error: RunError | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** Open items of the agent that works on it: their answers let it go on. Not there for none. */
  asking?: string[];
}
/** Work to be planned, assigned and finished. */
export interface Task {
  /** The id of the task: `tsk_…`. */
  id: string;
  state: TaskState;
  /** The task in the words of its creator. */
  prompt: string;
  /** The agent that works on it now. */
  current_agent: string | null;
  /** The blueprint that executes the task; null for the default agent program. */
  assigned_agent: string | null;
  /** True if it is started as soon as it is planned. */
  starts_itself: boolean;
  /** The project in which its blueprints are searched. */
  project: string | null;
  /** The agent program of blueprints that name none; null for the configured one. */
  adapter: string | null;
  /** The model, by the name that the program uses. */
  model: string | null;
  limits: BlueprintLimits;
  /** The absolute path of the working directory. */
  cwd: string;
  /** The plan, once there is one. */
  plan: TaskPlan | null;
  /** All that were asked so far. */
  questions: TaskQuestion[];
  /** The completion report of the agent. Null before the agent has sent it. */
  report: CompletionReport | null;
  /** Why it has failed, or was cancelled. */
  error: RunError | null;
  attempts: TaskAttempt[];
  /** The session that created the task. Null if no session did. */
  parent_session_id: string | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
  /** Open items of the agent that works on it: their answers let it go on. Not there for none. */
  asking?: string[];
}
/** Why a workflow run, or a step of it, has no result. */
export interface WorkflowError {
  /**
   * The kind of error: that of the run (RunError), or ConditionError, ListError, MissingOutputError, AskDeclined, AskError, AskTimeoutError, WorkflowCancelled, WorkflowLost.
   */
  error: string;
  /** A sentence that names the goal, the agent and the field. */
  message: string;
  /** The id of the step. */
  step?: string;
  /** The name of the agent. */
  agent?: string;
  /** The name of the declared output that has the error. */
  field?: string;
  /** The run, which keeps every text. */
  run_id?: string;
}
/** One run of a step: of an agent of a goal, or of the goal itself. */
export interface WorkflowStepRun {
  /** The id of the run: `run_…`. */
  run_id: string;
  /** The AGENT; null for the goal itself, which with USING puts the results together. */
  agent: string | null;
  /** Number of the entry in the list of FOREACH, from 1. */
  entry: number | null;
  /** The session of its last attempt; null before the first one. */
  session_id: string | null;
  /** ON: the machine that runs it, or `label:…` while it waits for one. Absent: this machine. */
  machine?: string;
  state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why the run has no result. Null if it has one, or is not over. */
  error: WorkflowError | null;
}
/** A goal at its place in the order, or a question. */
export interface WorkflowStep {
  /** The goal's name; with `#2` and so on where several RUNs name it. */
  id: string;
  /** The name of the goal, without a number. */
  goal: string;
  kind: 'goal' | 'ask';
  /** The names of the AGENTs that the step uses. */
  agents: string[];
  /** The RUN that names it; null where the file has none. */
  run: string | null;
  /** Steps that must be over before it begins. */
  needs: string[];
  /** From 1. Steps of one stage may run at the same time. */
  stage: number;
  state: WorkflowStepState;
  /** All that were started for it, since it began for the last time. */
  runs: WorkflowStepRun[];
  /** The inbox item of a question, once it was asked. */
  item_id: string | null;
  /** The text of a question, as it was asked, or as the Agentfile has it. */
  question: string | null;
  /** The variables that it has made; null where it has made none. */
  values: {
    [k: string]: unknown | undefined;
  } | null;
  /** The text of a goal without outputs; of FOREACH the list of them. */
  result: string | string[] | null;
  /** Why the step has failed. Null if it has not. */
  error: WorkflowError | null;
  /** RFC 3339; null until the start. */
  started_at: string | null;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
}
/** A variable, and where it is from. */
export interface WorkflowVariable {
  name: string;
  value:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** The step that has made it; null for an INPUT. */
  step: string | null;
  /** The runs whose results it is made of. */
  run_ids: string[];
  /** The inbox item whose answer it is. */
  item_id: string | null;
}
/** A workflow run in a list. */
export interface WorkflowRunSummary {
  /** The id of the workflow run: `wfl_…`. */
  id: string;
  /** The name of the workflow. */
  name: string;
  state: WorkflowRunState;
  /** Number of steps of the workflow. */
  steps: number;
  /** Number of steps that are completed or skipped. */
  done: number;
  /** The steps that are under way. */
  current: string[];
  /** Why it has failed, or was cancelled. */
  error: WorkflowError | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
}
/** An option of the configuration as it is in force. */
export interface Setting {
  /** Its section and its name, such as `daemon.port`. */
  name: string;
  /** Its value; null if it may contain a password or a token. */
  value: string | number | boolean | null;
  /** Its value if nothing sets it. */
  default: string | number | boolean | null;
  /** What the option does. */
  doc: string;
  /** The file that sets it, `environment`, `command line`, or `default`. */
  origin: string;
  /** The line of the file that sets the option, from 1. Null if it is not known. */
  line: number | null;
  /** True if it is set and its value is not shown; absent otherwise. */
  secret?: true;
}
/** One execution of an Agentfile. */
export interface WorkflowRun {
  /** Warnings of `workflow check` about its Agentfile; only in the reply to workflow.run, and only if there are any. */
  warnings?: {
    /** The kind of warning, such as `long_prompt`. */
    code: string;
    /** The warning in words. */
    message: string;
    /** The prompt file, as FROM names it; null: the Agentfile. */
    file: string | null;
    /** The line of the Agentfile, from 1. */
    line: number;
    /** The column in that line, from 1, in code points. */
    column: number;
  }[];
  /** The id of the workflow run: `wfl_…`. */
  id: string;
  /** The name of the workflow. */
  name: string;
  state: WorkflowRunState;
  /** All that are known, in the order in which they were made. */
  variables: WorkflowVariable[];
  /** The steps, in the order in which they run. */
  steps: WorkflowStep[];
  /** Maximum number of goals that run at the same time. */
  jobs: number;
  /** The agent program of goals that name none; null for the configured one. */
  adapter: string | null;
  /** The model, by the name that the program uses. */
  model: string | null;
  /** The project in which its blueprints are searched. */
  project: string | null;
  /** Working directory of its agents. */
  cwd: string;
  /** The session that started the workflow run. Null if no session did. */
  parent_session_id: string | null;
  /** Why it has failed, or was cancelled. */
  error: WorkflowError | null;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  created_at: string;
  /** RFC 3339; null until the end. */
  ended_at: string | null;
}
/** An agent program for goals that ask for it: REQUIRES "name". */
export interface WorkflowProfile {
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
}
/** A daemon took the log over. */
export interface DaemonStartedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'daemon_started';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** Process id of the daemon. */
  pid: number;
  /** Its version. */
  version: string;
  /** The host it is connected to. */
  host_pid: number;
  [k: string]: unknown | undefined;
}
/** A program was started, or a recording imported. */
export interface SessionStartedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_started';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The name. No other living session has it. */
  name: string;
  /** The adapter: how orchd treats the program. */
  adapter: string;
  command: string[];
  /** The absolute path of the working directory. */
  cwd: string;
  /** The process id of the program. */
  pid: number;
  size: Size;
  /** True if messages must carry the session's key. */
  key_required: boolean;
  /** The session that started this one. Null if no session did. */
  parent_session_id: string | null;
  mode?: SessionMode;
  /** True for an imported recording. Its times are those of the recording. */
  imported?: true;
  /** The workflow run whose questions it asks. */
  workflow_id?: string;
  /**
   * The root of the git repository that contains the working directory, for a linked worktree that of the main worktree; absent outside git.
   */
  project?: string;
  /** Its tags; absent if it has none. */
  tags?: Tag[];
  [k: string]: unknown | undefined;
}
/** A session got another name. */
export interface SessionRenamedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_renamed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The name after the change. */
  name: string;
  /** The name before the change. */
  previous: string;
  [k: string]: unknown | undefined;
}
/** The tags of a session changed. */
export interface SessionTaggedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_tagged';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** All tags of the session after the change. */
  tags: Tag[];
  [k: string]: unknown | undefined;
}
/** The agent's transcript has named more requests to its model. */
export interface SessionUsageChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_usage_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The usage of the whole session so far. */
  usage: RunUsage;
  [k: string]: unknown | undefined;
}
/** The state of a session has changed. */
export interface SessionStateChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_state_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  state: State;
  state_source: StateSource;
  previous: State;
  [k: string]: unknown | undefined;
}
/** The program is not read from for now; it waits, and nothing is lost. */
export interface SessionPausedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_paused';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /**
   * The reason why the host does not read. `disk_low`: less than `retention.min_free` is free, and this session prints most.
   */
  reason: 'journal_full' | 'disk_full' | 'disk_low';
  [k: string]: unknown | undefined;
}
/** The program is read from again. */
export interface SessionResumedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_resumed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  [k: string]: unknown | undefined;
}
/** The health of the agent's transcript changed. */
export interface SessionTranscriptChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_transcript_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  transcript: TranscriptHealth;
  /** The agent program's own id of the conversation. */
  agent_session_id: string | null;
  [k: string]: unknown | undefined;
}
/** A program waits at its prompt or for its terminal, or works again. */
export interface SessionIdleChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_idle_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** True if it waits. */
  idle: boolean;
  [k: string]: unknown | undefined;
}
/**
 * The agent printed something that looks like a message and is none. Told once a session for each kind of mistake; it opens nothing.
 */
export interface MessageHintEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'message_hint';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  hint: HintKind;
  /** The line of output, at most 200 characters. */
  seen: string;
  /** Why it is not a message, and what would be one. */
  message: string;
  ear: Ear;
  origin: Origin;
  /** The turn in which it was printed. */
  turn: number;
  [k: string]: unknown | undefined;
}
/** The program has ended and its journal is read to the end. */
export interface SessionExitedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_exited';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /**
   * The client that ended the program: `cli`, `tui`, `api`, or the id of a session. Absent if the program ended by itself.
   */
  ended_by?: string;
  /** Name that the session in `ended_by` had then. */
  ended_by_name?: string;
  /** The exit code of the program. Null if a signal ended it. */
  exit_code: number | null;
  /** The signal that ended it, e.g. `SIGTERM`. */
  signal: string | null;
  state: State;
  /** True if a process that outlived the program still holds the terminal. */
  left_open: boolean;
  /** Processes of the session that outlived a kill. */
  escaped: {
    /** The process id. */
    pid: number;
    /** The command line of the process. */
    command: string;
    [k: string]: unknown | undefined;
  }[];
  [k: string]: unknown | undefined;
}
/** The host died, and the program's terminal with it. */
export interface SessionLostEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_lost';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** Why the session was lost, in words. */
  reason: string;
  state: State;
  [k: string]: unknown | undefined;
}
/** The program of a session that had ended was started again, in the same session. */
export interface SessionRevivedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_revived';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  how: RevivalHow;
  /** The command that was started; `command` of the session is that of the person. */
  command: string[];
  /** The process id of the program. */
  pid: number;
  size: Size;
  /** The conversation that is continued; null if it is not known (yet). */
  agent_session_id: string | null;
  transcript: TranscriptHealth;
  /** Journal position at which the program starts again. */
  from: number;
  [k: string]: unknown | undefined;
}
/** An ended session is gone, with its journal and its items; or it is in the trash (`until`). */
export interface SessionRemovedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_removed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The name that the session had. */
  name: string;
  /** A person removed it; retention did. */
  reason: 'removed' | 'pruned';
  /** RFC 3339: until then it can be restored. Absent if it cannot. */
  until?: string;
  [k: string]: unknown | undefined;
}
/** A removed session came back from the trash. */
export interface SessionRestoredEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'session_restored';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  session: Session;
  [k: string]: unknown | undefined;
}
/** An agent has sent a message. */
export interface MessageEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'message';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the message in the log. */
  message_id: string;
  message: Message;
  source: Source;
  ear: Ear;
  origin: Origin;
  /** The turn, from 0 (before any input). */
  turn: number;
  /** Its place within the turn, from 1. */
  ordinal: number;
  /**
   * False if a part of the words is a guess: they were read off a painted screen, which does not show whether a blank stood where a row ends, and a renderer may have taken marks away. Absent if they are exact. A later message_corrected is exact.
   */
  exact?: boolean;
  [k: string]: unknown | undefined;
}
/** An invalid message: text that was meant as a message. */
export interface MessageRejectedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'message_rejected';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  reason: RejectReason;
  errors: SchemaError[];
  /** The text, cut at 8,192 characters. */
  raw: string;
  truncated?: true;
  source: Source;
  ear: Ear;
  origin: Origin;
  /** The number of the turn in which the text was printed, from 0. */
  turn: number;
  [k: string]: unknown | undefined;
}
/** The exact text of a message came later than the message; an open item takes it over. */
export interface MessageCorrectedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'message_corrected';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the message that is corrected. */
  message_id: string;
  message: Message;
  ear: Ear;
  origin: Origin;
  [k: string]: unknown | undefined;
}
/** An item was opened: something waits for a person. */
export interface ItemOpenedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_opened';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  type: ItemType;
  /** The message's data; of an attention its text and options. */
  data: {
    [k: string]: unknown | undefined;
  };
  /** False if a part of the words is a guess, as in its message. */
  exact?: boolean;
  /** The message it comes from; null for an attention. */
  message_id: string | null;
  /** Fields of the message beside `type`, `data` and `id`; absent if there are none. */
  extra?: {
    [k: string]: unknown | undefined;
  };
  /** The id of the task that asks. Absent if no task asks. */
  task_id?: string;
  /** The id of the workflow run that asks. Absent if none asks. */
  workflow_id?: string;
  /** The run whose agent asks, without a terminal. */
  run_id?: string;
  [k: string]: unknown | undefined;
}
/**
 * An open item says, or offers, something else: a dialog of the agent and its hook ask the same, or the hook is gone.
 */
export interface ItemChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The new data of the item, complete. */
  data: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** The person is notified of an item, once. Terminals show it, and the notify command runs. */
export interface ItemNotifiedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_notified';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The name of the session and its question, in a few words. */
  title: string;
  /** The item's subject on one line. */
  text: string;
  [k: string]: unknown | undefined;
}
/** An item got its one answer. */
export interface ItemAnsweredEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_answered';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  answer: Answer;
  [k: string]: unknown | undefined;
}
/** An item needs no answer any more. */
export interface ItemWithdrawnEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_withdrawn';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /**
   * The reason. `session_lost`: it was a dialog of a program whose host died. `session_restarted`: the program was restarted, and asks again if it needs to. `gone`: the dialog or call that asked has ended. `run_went_on`: the run of the agent continues, or has ended, without the answer.
   */
  reason:
    | 'session_ended'
    | 'session_lost'
    | 'session_restarted'
    | 'session_removed'
    | 'gone'
    | 'task_cancelled'
    | 'workflow_ended'
    | 'run_went_on';
  [k: string]: unknown | undefined;
}
/** A closed item is open again. */
export interface ItemReopenedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'item_reopened';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /**
   * `taken_back`: its answer was taken back before it was typed; `session_restored`: its session came back from the trash.
   */
  reason: 'taken_back' | 'session_restored';
  item: Item;
  /** The client that took the answer back. */
  by?: string;
  [k: string]: unknown | undefined;
}
/** The answer is on disk and will be typed, or is given to the tool call that waits for it. */
export interface AnswerAcceptedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'answer_accepted';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The host's write; never done twice. */
  write_id: string;
  [k: string]: unknown | undefined;
}
/** The answer's last byte is in the pty. */
export interface AnswerWrittenEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'answer_written';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The id of the write with which the host types the text. */
  write_id: string;
  origin: Origin;
  [k: string]: unknown | undefined;
}
/** The agent visibly took the answer. */
export interface AnswerAcknowledgedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'answer_acknowledged';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The id of the write with which the host types the text. */
  write_id: string;
  /** The evidence. */
  evidence: string;
  [k: string]: unknown | undefined;
}
/** The answer could not be delivered, or not yet. */
export interface AnswerStalledEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'answer_stalled';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the inbox item. */
  item_id: string;
  /** The id of the write with which the host types the text. */
  write_id: string;
  /**
   * The reason. `not_reading`: the program does not read its input. `one_line`: it takes one line at a time, and the answer has several. `not_ready`: its composer is not drawn yet. `agent_busy`: the agent still works. `composer_busy`: its composer has another text, or a dialog covers it. `part_left`: a part of the answer before stands in the input line. `answer_unread`: the program may not have read the answer before. `queued`: another text is typed first. `dialog_gone`, `dialog_stays`: the answered dialog had closed before, or is still open. `session_lost`: the host died before anything was typed; the answer is typed once the session is revived. `session_ended`: the program has ended. `write_failed`: the write failed. `nobody_waits`: the tool call that asked does not wait for the answer. `not_submitted`: the answer was typed with Enter and is still in the input line. `left_line`: its text has left the input line since, and the program has not shown that it took it. `text_changed`: the agent's own transcript has another text than orchd has typed (`seen`). `disk_full`: the disk is full. `delayed`: the answer was not typed within `sessions.stall_ms`, and orchd tries again. The first eight, `session_lost`, `nobody_waits`, `disk_full` and `delayed` may pass; after `not_submitted`, `left_line` and `text_changed` the answer may still be acknowledged.
   */
  reason:
    | 'not_reading'
    | 'one_line'
    | 'not_ready'
    | 'agent_busy'
    | 'composer_busy'
    | 'part_left'
    | 'answer_unread'
    | 'queued'
    | 'dialog_gone'
    | 'dialog_stays'
    | 'session_lost'
    | 'session_ended'
    | 'write_failed'
    | 'nobody_waits'
    | 'not_submitted'
    | 'left_line'
    | 'text_changed'
    | 'disk_full'
    | 'delayed';
  /** The text in the input line, or with `text_changed` the text in the agent's transcript, at most 200 characters. */
  seen?: string;
  [k: string]: unknown | undefined;
}
/** A blueprint was made or changed. */
export interface BlueprintSavedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'blueprint_saved';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The name of the blueprint. */
  name: string;
  /** Its project: an absolute directory, or null for the user's own. */
  project: string | null;
  /** The place where it is stored: the daemon's store, or files of the project. */
  source: 'stored' | 'file';
  [k: string]: unknown | undefined;
}
/** A blueprint was removed. */
export interface BlueprintDeletedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'blueprint_deleted';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The name of the blueprint. */
  name: string;
  /** Its project: an absolute directory, or null for the user's own. */
  project: string | null;
  /** The place where it is stored: the daemon's store, or files of the project. */
  source: 'stored' | 'file';
  [k: string]: unknown | undefined;
}
/** A part of a session's journal could not be read. */
export interface JournalDamagedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'journal_damaged';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The journal position of the first byte. */
  from: number;
  /** The journal position after the last byte. */
  to: number;
  /** What is wrong with the records, in words. */
  detail: string;
  [k: string]: unknown | undefined;
}
/** Not stored: the reader asked for events that are gone, or for one that cannot be read. */
export interface GapEvent {
  event_type: 'gap';
  /** `seq` of the first missing event. */
  from: number;
  /** `seq` of the last missing event. */
  to: number;
  /** The event is in the log, but was damaged on disk. Absent: the events were pruned. */
  reason?: 'damaged';
  [k: string]: unknown | undefined;
}
/** A run waits for its turn. */
export interface RunCreatedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'run_created';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the run. */
  run_id: string;
  /** The name of its blueprint; null if it has none. */
  blueprint: string | null;
  /** The name of the adapter, such as `claude`. */
  adapter: string;
  /** The beginning of the prompt. */
  prompt: string;
  /** The session that started the run. Null if no session did. */
  parent_session_id: string | null;
  /** The id of the run that this run repeats. Null if it repeats none. */
  retry_of: string | null;
  /** The task that it works on. */
  task_id?: string;
  /** The workflow run that it belongs to. */
  workflow_id?: string;
  [k: string]: unknown | undefined;
}
/** An attempt of a run begins: its batch session is being started. */
export interface RunAttemptStartedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'run_attempt_started';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the run. */
  run_id: string;
  /** The number of the attempt, from 1. */
  number: number;
  /**
   * `retry`: its result before did not fit; `reminder`: it ended without the tool call that it owes; `answer`: it ended with a question, which is answered; `limit_over`: the account may be used again.
   */
  reason: 'start' | 'retry' | 'reminder' | 'answer' | 'limit_over';
  [k: string]: unknown | undefined;
}
/** The agent has ended its turn. */
export interface RunAttemptEndedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'run_attempt_ended';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the run. */
  run_id: string;
  /** The number of the attempt, from 1. */
  number: number;
  /** The exit code of the program. */
  exit_code: number | null;
  /** Null where nothing was to be judged. */
  verdict: RunVerdict | null;
  /** The error in the words of the program. */
  error: string | null;
  usage: RunUsage | null;
  [k: string]: unknown | undefined;
}
/** The agent of a run has ended with a question in place of a result. The run continues when it is answered. */
export interface RunAskingEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'run_asking';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the session that the event is about. */
  session_id: string;
  /** The id of the run. */
  run_id: string;
  /** The items that wait for an answer. */
  item_ids: string[];
  /** The task that it works on. */
  task_id?: string;
  [k: string]: unknown | undefined;
}
/** The account of a run may not be used for a while; nothing is started until then. */
export interface RunRateLimitedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'run_rate_limited';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the run. */
  run_id: string;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  resumes_at: string;
  /** The message of the program about its limit. */
  message: string;
  [k: string]: unknown | undefined;
}
/** A run has ended. */
export interface ResultEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'result';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The session of its last attempt; absent if none was started. */
  session_id?: string;
  /** The id of the run. */
  run_id: string;
  status: 'completed' | 'failed' | 'cancelled';
  /** Free-form text; null with a schema, and where there is no result. */
  result_text: string | null;
  /** The validated JSON; null without a schema, and where there is no result. */
  result_data:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** The markdown part of the envelope. Null if the result is no envelope. */
  result_human?: string | null;
  /** Why the run has no result. Null if it has one. */
  error: RunError | null;
  /** The task that it worked on. */
  task_id?: string;
  /** The workflow run that it belongs to. */
  workflow_id?: string;
  [k: string]: unknown | undefined;
}
/** There is work to be planned. */
export interface TaskCreatedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'task_created';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the task. */
  task_id: string;
  /** The beginning of the task's text. */
  prompt: string;
  /** The session that created the task. Null if no session did. */
  parent_session_id: string | null;
  [k: string]: unknown | undefined;
}
/** The state of a task has changed. */
export interface TaskStateChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'task_state_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the task. */
  task_id: string;
  state: TaskState;
  previous: TaskState;
  /** The run that it is about. */
  run_id: string | null;
  /** Why it has failed, or was cancelled. */
  error: RunError | null;
  [k: string]: unknown | undefined;
}
/** The planner has called planner-output: once in an attempt. */
export interface PlannerOutputSubmittedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'planner_output_submitted';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the task. */
  task_id: string;
  /** The id of the run. */
  run_id: string;
  /** The session of the agent that made the call. */
  session_id: string;
  /** The input of the planner-output call. */
  output: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** The agent has called completion-report: once in an attempt. */
export interface CompletionReportSubmittedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'completion_report_submitted';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the task. */
  task_id: string;
  /** The id of the run. */
  run_id: string;
  /** The session of the agent that made the call. */
  session_id: string;
  report: CompletionReport;
  [k: string]: unknown | undefined;
}
/** A workflow run was created. */
export interface WorkflowCreatedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'workflow_created';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the workflow run. */
  workflow_id: string;
  /** The name of the workflow. */
  name: string;
  /** Number of steps of the workflow. */
  steps: number;
  /** The session that started the workflow run. Null if no session did. */
  parent_session_id: string | null;
  [k: string]: unknown | undefined;
}
/** The state of a workflow run has changed. */
export interface WorkflowStateChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'workflow_state_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the workflow run. */
  workflow_id: string;
  state: WorkflowRunState;
  previous: WorkflowRunState;
  /** Why it has failed, or was cancelled. */
  error: WorkflowError | null;
  [k: string]: unknown | undefined;
}
/** The state of a step of a workflow run has changed. */
export interface WorkflowStepChangedEvent {
  /** Place in the log, from 1, without gaps. */
  seq: number;
  event_type: 'workflow_step_changed';
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  timestamp: string;
  /** The id of the workflow run. */
  workflow_id: string;
  /** The id of the step. */
  step: string;
  state: WorkflowStepState;
  previous: WorkflowStepState;
  /** The runs of it that have begun, or stand elsewhere, with this. */
  run_ids: string[];
  /** The inbox item of a question. */
  item_id: string | null;
  /** The names of those that it has made. */
  variables: string[];
  /** Why the step has failed. Null if it has not. */
  error: WorkflowError | null;
  [k: string]: unknown | undefined;
}
/** The state of the daemon and its host. */
export interface DaemonStatusInput {}
export interface DaemonStatusOutput {
  daemon: Process;
  host: {
    /** The process id. */
    pid: number;
    /** The version of the host, such as `0.1.0`. */
    version: string;
    /** The commit it was built from; null if it does not know. */
    commit?: string | null;
    /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
    started_at: string;
    /** Version of the contract between host and daemon. */
    contract: number;
    outdated: boolean;
  };
  /** The path of the Unix socket. */
  socket: string;
  /** The TCP address, if there is one. */
  url: string | null;
  /** The requested TCP port, and the reason if it is not open. */
  tcp?: {
    /** The port that was asked for; 0: any; null: no TCP. */
    port: number | null;
    /** The source of the value; `orchd restart` keeps the value of a flag. */
    by: 'flag' | 'configuration';
    /** Why there is no TCP address although one was wanted. */
    problem?: string;
  };
  web?: WebListener;
  /** The path of the folder with the state of orchd. */
  home: string;
  /**
   * Journals of living sessions, and of the 200 sessions that ended last. Daemons of earlier versions do not tell it, or only those of living sessions.
   */
  journals?: {
    /** The id of the session. */
    session_id: string;
    /** Size of the present content in bytes. */
    bytes: number;
    /** Growth per second, over the last seconds. */
    bytes_per_second: number;
  }[];
  /** The changes of sessions in linked git worktrees, as of some seconds ago; absent in daemons of earlier versions. */
  changes?: {
    /** The id of the session. */
    session_id: string;
    /** The branch; null for a detached HEAD. */
    branch: string | null;
    /** Number of changed and new files. */
    file_count: number;
    /** Number of added lines. */
    added: number;
    /** Number of removed lines. */
    removed: number;
  }[];
  /** The disk of the journals. Daemons of earlier versions do not tell it. */
  disk?: {
    /**
     * `low`: less than the floor is free, and the sessions that print most may be paused; `full`: nothing can be written, so new events, answers and output wait.
     */
    state: 'ok' | 'low' | 'full';
    /** The path of the folder with the journals. */
    path: string;
    /** Free space on the disk of that folder, in bytes. */
    free_bytes: number;
    /** `retention.min_free`, or a twentieth of the disk if that is less. */
    floor_bytes: number;
    /** Sessions that wait until there is space. */
    paused: number;
    /** The disk's inodes. Absent if its file system has no limit. */
    files?: {
      /** `full`: no session can be started, because it needs files. */
      state: 'ok' | 'low' | 'full';
      /** Number of files that can still be created. */
      free: number;
    };
  };
  /** Number of living sessions. */
  sessions: number;
  /** Number of open inbox items. */
  open_items: number;
  /** `seq` of the newest event. */
  last_seq: number;
  /** Running agents whose messages may not be heard; absent if there are none. */
  agent_gaps?: {
    /** The id of the session. */
    session_id: string;
    /** The name of the session. */
    name: string;
    /**
     * `not_taught`: it was started without instructions and has sent no message yet. `no_transcript`: it is heard by its screen alone, although agents of its kind write a transcript.
     */
    gap: 'not_taught' | 'no_transcript';
  }[];
  /**
   * The clock differs by more than a week from the last time that the daemon knows. Until it is right again, is confirmed (`trust_clock` of `daemon.prune`), or the daemon has run for a week, nothing is removed by its age. Absent otherwise.
   */
  clock?: {
    /** RFC 3339: the last time that the daemon knows. */
    jumped_from: string;
    /** RFC 3339: the time by the clock. */
    jumped_to: string;
  };
  /**
   * The output that the daemon has still to read after its start, or after the kill of a session; absent once all is read.
   */
  catching_up?: {
    /** Number of sessions with unread output. */
    sessions: number;
    /** Number of bytes of their journals that are still to be read. */
    bytes: number;
  };
  /** The hub of several machines, if the daemon is joined to one. */
  hub?: {
    /** The name of this machine. */
    name: string;
    state: 'connecting' | 'connected' | 'problem';
    /** Number of events that the hub lacks; null while it is not known. */
    lag: number | null;
    /** Why the hub does not get everything now. */
    problem?: string;
  };
}
/** Ends the daemon, and, unless `keep_sessions`, the host with every session. */
export interface DaemonStopInput {
  keep_sessions?: boolean;
}
export interface DaemonStopOutput {
  stopped: true;
  /** Number of sessions that were ended. */
  killed: number;
}
/**
 * Removes what is older than a time: ended sessions with their journals and items, closed items of living ones, and events. Never an open item, nor a session that lives or has one. Without arguments: by the configured retention.
 */
export interface DaemonPruneInput {
  /** Removes what is older than this many milliseconds. Default: `retention.days`. */
  older_than_ms?: number;
  /**
   * Also removes the sessions that ended first, until all journals together have at most this size. Default: retention.max_bytes.
   */
  max_bytes?: number;
  /** True to return what would be removed, without removing it. */
  dry_run?: boolean;
  /** The caller knows that the clock is right, although it has jumped by more than a week. */
  trust_clock?: boolean;
}
export interface DaemonPruneOutput {
  sessions: {
    id: string;
    name: string;
    ended_at: string;
    /** Size of its journal in bytes. */
    bytes: number;
  }[];
  /** Closed items, those of the sessions included. */
  items: number;
  /** Number of ended runs. */
  runs: number;
  /** Events at the beginning of the log. */
  events: number;
  /** Total size of the removed journals. */
  bytes: number;
  dry_run: boolean;
  /** Number of ended tasks that were removed. */
  tasks: number;
  /** Number of ended workflow runs. */
  workflows: number;
}
/** The configuration in force. */
export interface DaemonConfigurationInput {}
export interface DaemonConfigurationOutput {
  /** The path of your configuration file, which may not exist. */
  file: string;
  /** Every option with its value and the origin of the value. */
  settings: Setting[];
}
/** The installed agents, in the environment of a login: as programs that the dashboard starts find them. */
export interface DaemonAgentsInput {}
export interface DaemonAgentsOutput {
  /** The `PATH` in which the agents were looked for. */
  path: string;
  /** Every agent that orchd knows, whether it is installed or not. */
  agents: InstalledAgent[];
}
/** An agent program, and what orchd does for it. */
export interface InstalledAgent {
  /** The name of the adapter, such as `claude`. */
  name: string;
  /** The name of the agent for people, such as `Claude Code`. */
  label: string;
  /** The path of the program; null if it is not installed. */
  path: string | null;
  /** Why the program does not run or does not list its flags; null if it works. */
  problem: string | null;
  /** True for a shell script. It is not run, and nothing is added to it without an adapter. */
  is_script: boolean;
  /** The version that it prints; null if it prints none in time. */
  version: string | null;
  /** The version that orchd was tried with. */
  tried_version: string | null;
  /** Arguments that orchd adds, with placeholders for values that differ per session. */
  added_arguments: string[];
  /** Names of the environment variables that orchd sets. */
  added_variables: string[];
  /** Flags that orchd would use but this version does not have. */
  missing_flags: string[];
  /** Sources of its messages: `screen`, `transcript`. */
  hears: string[];
  /** True if `--teach` works. */
  teachable: boolean;
  /** True if it can be offered orchd's tools by MCP. */
  tools: boolean;
  /** Further remarks. */
  notes: string[];
}
/** Counts and times since the start of the daemon, and present values. */
export interface DaemonMetricsInput {}
export interface DaemonMetricsOutput {
  /** When the daemon started (RFC 3339). */
  since: string;
  families: MetricFamily[];
  [k: string]: unknown | undefined;
}
export interface MetricFamily {
  /** The name of the metric in Prometheus. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** A sentence that describes the metric. */
  help: string;
  samples: MetricSample[];
  [k: string]: unknown | undefined;
}
/** A `value`, or of a histogram `histogram`. */
export interface MetricSample {
  labels: {
    [k: string]: string | undefined;
  };
  value?: number;
  histogram?: {
    /** The cumulative buckets. */
    buckets: {
      /** Upper bound in seconds; null for all. */
      le: number | null;
      count: number;
      [k: string]: unknown | undefined;
    }[];
    sum: number;
    count: number;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** Starts a program in a pty, or (`mode` `batch`) on pipes. */
export interface SessionStartInput {
  /**
   * The program and its arguments, one entry each.
   *
   * @minItems 1
   */
  command: string[];
  /** Default: the program's name, made unique. */
  name?: string;
  /** The absolute path of the working directory. Default: the home directory. */
  cwd?: string;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
  /** The name of the adapter. Default: the one that fits the program's name. */
  adapter?: string;
  /**
   * `pty`: in a terminal; `batch`: on pipes, with its whole input given at its start, so that nothing can be typed into it.
   */
  mode?: 'pty' | 'batch';
  /** The complete standard input for `mode` `batch`, at most 4 MiB. Default: none. */
  stdin?: string;
  size?: Size;
  /**
   * Number of lines that are kept above the screen, 0 to 100,000. A terminal of more than 250 columns keeps fewer. A session that a session starts keeps at most `sessions.scrollback`.
   */
  scrollback?: number;
  /** Messages must carry it as `key`. */
  key?: string;
  /**
   * Passes instructions to the agent without typing them. `true`: those of `orchd prompt`, with a new key unless `key` is given. A text: this text.
   */
  teach?: boolean | string;
  /**
   * Offers the tools to the agent by MCP. `true`: the start fails if that is impossible. Default: agents with `teach` get them if possible, unless sessions.tools is false.
   */
  tools?: boolean;
  /**
   * The tags of the session, at most 16. Default: none.
   *
   * @maxItems 16
   */
  tags?: Tag[];
}
/** All sessions, newest last. */
export interface SessionListInput {
  /** True to include ended sessions. */
  all?: boolean;
  /** A word by which a person sorts sessions: letters and digits of any script, and . _ / - after the first. */
  tag?: string;
}
/** One session. */
export interface SessionShowInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
}
/** Ends a program and all that belongs to it: HUP, CONT, TERM, grace, KILL. */
export interface SessionKillInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** Time between TERM and KILL, in milliseconds. */
  grace_ms?: number;
}
/**
 * Starts the program of an ended session again, in the same session. An agent continues its conversation, or is not started.
 */
export interface SessionReviveInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** An agent begins a new conversation. */
  fresh?: boolean;
  /**
   * The complete environment of the program, to which orchd adds its own variables. orchd does not store that of the first start. Default: the minimal environment of a login.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
  size?: Size;
  /** True to return what would be started, without starting it. */
  dry_run?: boolean;
}
export interface SessionReviveOutput {
  session: Session;
  how: RevivalHow;
  /** The sessions that were started, or would be. */
  command: string[];
  dry_run: boolean;
}
/** Ends a session's program, as session.kill does, and starts it again, as session.revive does. */
export interface SessionRestartInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** An agent begins a new conversation. */
  fresh?: boolean;
  /**
   * The complete environment of the program, to which orchd adds its own variables. orchd does not store that of the first start. Default: the minimal environment of a login.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
  size?: Size;
  /** Time between TERM and KILL, in milliseconds. */
  grace_ms?: number;
}
/** Puts an ended session into the trash, with its journal and its items; after five minutes it is deleted. */
export interface SessionRemoveInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** Deletes it at once: it cannot be restored. */
  forever?: boolean;
}
export interface SessionRemoveOutput {
  id: string;
  name: string;
  /** Size of its journal in bytes. */
  bytes: number;
  /** RFC 3339: until then `trash.restore` brings it back. Absent if it is deleted. */
  until?: string;
}
/** Brings a removed session back from the trash. */
export interface TrashRestoreInput {
  /** The id or name of a session in the trash, or the beginning of one while it is unique. */
  removed: string;
}
/** Deletes a session of the trash at once, with its journal and its items. */
export interface TrashDeleteInput {
  /** The id or name of a session in the trash, or the beginning of one while it is unique. */
  removed: string;
}
/** The sessions in the trash, the last removed first. */
export interface TrashListInput {}
/** Gives a session another name. */
export interface SessionRenameInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  name: string;
}
/** Adds tags to a session, and removes tags from it. */
export interface SessionTagInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /**
   * The tags to add, at most 16. Default: none.
   *
   * @maxItems 16
   */
  add?: Tag[];
  /**
   * Tags to remove. One that the session does not have is ignored.
   *
   * @maxItems 16
   */
  remove?: Tag[];
}
/** Sets the size of a session's pty. */
export interface SessionResizeInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  size: Size;
}
/** Types a text into a session. */
export interface SessionSendInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** The text to type; control characters except newline and tab are removed. */
  text: string;
  /** True to press Enter after the text. */
  enter?: boolean;
  /**
   * Maximum time to wait for the composer of an agent, for a text with Enter; 0 types at once, whatever is on the screen.
   */
  wait_ms?: number;
}
export interface SessionSendOutput {
  /** The id of the write with which the host types the text. */
  write_id: string;
  /** Number of bytes that were written. */
  bytes: number;
  /** Number of control characters that were left out. */
  removed: number;
  /**
   * The text in the program's input line: it was typed, and Enter did not submit it. Absent if orchd does not see it.
   */
  unsent?: string;
}
/** Presses keys in a session. */
export interface SessionKeysInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /**
   * `C-c`, `Enter`, `Up`, `F1`, `M-x` or single characters.
   *
   * @minItems 1
   */
  keys: string[];
}
export interface SessionKeysOutput {
  /** The id of the write with which the host types the text. */
  write_id: string;
  /** Number of bytes that were written. */
  bytes: number;
}
/** Asks what an agent asks by a hook of its own; `orchd hook` calls it. */
export interface SessionHookInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** Chosen by the caller: the same id again is the same call. */
  call_id: string;
  /** The unchanged input of the agent's hook. */
  payload: {
    [k: string]: unknown | undefined;
  };
}
export interface SessionHookOutput {
  /** The output of the hook; null if it prints nothing, and the agent's own dialog decides. */
  output: string | null;
}
/** The tools that the agent of a session may call now. */
export interface SessionToolsInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
}
export interface SessionToolsOutput {
  /** Their names, in the order in which they are listed. The tool that a task's agent owes is among them. */
  tools: string[];
}
/** Calls a tool of orchd, as the agent of a session. The fields beside these are the tool's own input. */
export interface SessionToolInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** The name of the tool. */
  tool: string;
  /** True to wait for the answer. The default depends on the tool. */
  wait?: boolean;
  /** Chosen by the caller: the same id again is the same call. Default: the Idempotency-Key header, or a new one. */
  call_id?: string;
  /** Maximum time to wait. The question stays open after it. Default: no limit. */
  timeout_ms?: number;
  [k: string]: unknown | undefined;
}
export interface SessionToolOutput {
  ok: true;
  /** The id with which the call may be repeated. */
  call_id?: string;
  /** The result of the call; absent for a repeated call of long ago. */
  message_id?: string;
  /** The inbox item, if there is one. */
  item_id?: string;
  /** The text of the answer. Absent if there is none. */
  answer?: string;
  /** The number of the option, from 1. */
  option?: number;
  /** True if the person has declined to answer. Otherwise absent. */
  declined?: true;
  /** The client that answered. */
  by?: string;
  /** The run of the other agent (spawn_agent). */
  run_id?: string;
  /** The session of that run; null while the run is queued (spawn_agent). */
  session_id?: string | null;
  /** The state of the run, if the call did not wait for its end (spawn_agent). */
  status?: string;
  /** The result of the run, if the call waited for it: a JSON object, or a text (spawn_agent). */
  result?:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** Reminds the agent of the other tool that it must call (task_complete). */
  reminder?: string;
}
/** The living session that was attached to last, else the only living one. */
export interface SessionLastInput {}
/** The screen of a session. */
export interface SessionCaptureInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** True to include colours, as SGR sequences. */
  ansi?: boolean;
  /** Number of lines above the screen. */
  scrollback?: number;
}
export interface SessionCaptureOutput {
  /** Rows, each ended by a newline. */
  text: string;
  size: Size;
  cursor: {
    /** Column, from 0. */
    x: number;
    /** Row, from 0. */
    y: number;
    visible: boolean;
  };
  /** The title that the program has set. */
  title: string;
  /** True if the alternate screen is shown. */
  alternate: boolean;
  /** Parts of the journal that were dropped or passed over. Absent: none. */
  missing?: {
    /** The journal position of the first byte. */
    from: number;
    /** The journal position after the last byte. */
    to: number;
    /** Why the bytes are missing, in words. */
    detail: string;
  }[];
}
/** A page of a session's journal: whole records from a position on. */
export interface SessionJournalInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** Begins with the record that holds this position. */
  from?: number;
}
export interface SessionJournalOutput {
  /** The records in order. protocol/journal.md defines the fields of each kind. */
  records: {
    /** The position of its first byte. */
    position: number;
    /** The next record's position. */
    end: number;
    /** Milliseconds since 1970-01-01 UTC. */
    time: number;
    kind: 'start' | 'out' | 'resize' | 'input' | 'reply' | 'note' | 'tick' | 'exit' | 'pause' | 'snapshot';
    /** The output of an `out` record, in base64. */
    bytes?: string;
    [k: string]: unknown | undefined;
  }[];
  /** Position of the next page; null at the end. */
  next: number | null;
  /** A part that cannot be read, or is gone. */
  damaged: {
    /** The journal position of the first byte. */
    from: number;
    /** The journal position after the last byte. */
    to: number;
    /** What is wrong with the records, in words. */
    detail: string;
  }[];
}
/** Hears a recording: it becomes a session that has ended. All of it, or, where the recording is damaged, nothing. */
export interface SessionImportInput {
  /** Path of an asciicast (version 1, 2 or 3; gzipped or not), which the daemon reads. */
  file: string;
  /** Default: of the file, made unique. */
  name?: string;
  /** The name of the adapter. Default: the one that fits the recording's command. */
  adapter?: string;
  /** Messages must carry it as `key`. */
  key?: string;
}
/** Commits what a session has changed, with new files. Runs the hooks of the repository. */
export interface SessionCommitInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** The message of the commit. */
  message: string;
  /** Runs no hooks. Filters and signing still run. */
  no_hooks?: boolean;
  /** The environment of git and its hooks. Default: a login's minimum. */
  env?: {
    [k: string]: string | undefined;
  };
}
export interface SessionCommitOutput {
  /** The path of the root of the worktree. */
  root: string;
  /** The branch; null if none is checked out. */
  branch: string | null;
  /** The id (hash) of the commit. */
  commit: string;
  /** Number of files that were changed. */
  file_count: number;
}
/** Merges the branch of a session's worktree into the branch that the main worktree has checked out. Runs no hooks. */
export interface SessionMergeInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
}
export interface SessionMergeOutput {
  /** The branch that was merged. */
  branch: string;
  /** The branch of the main worktree. */
  into: string;
  /** The path of the main worktree, into which the branch was merged. */
  repository: string;
  /** The commit that the main worktree has now. */
  commit: string;
  /** Number of new commits; 0 if the branch was merged already. */
  commits: number;
}
/** Removes the worktree of an ended session, and its branch. What was in it stays under a ref, except ignored files. */
export interface SessionDiscardInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
}
export interface SessionDiscardOutput {
  /** The ref that keeps the content: `refs/orchd/discarded/…`. */
  ref: string;
  /** The commit of the ref. */
  commit: string;
  /** The branch that was removed. */
  branch: string;
  /** The root of the worktree that was removed. */
  root: string;
  /** The path of the main worktree. */
  repository: string;
}
/** The changes of a session in its git repository. */
export interface SessionChangesInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  /** True to include the patch. */
  patch?: boolean;
}
export interface SessionChangesOutput {
  /** The path of the root of the worktree. */
  root: string;
  /** The main worktree of the repository. */
  repository: string;
  /** True in a linked worktree (`git worktree add`). */
  is_worktree: boolean;
  /** The branch; null if none is checked out. */
  branch: string | null;
  /**
   * The commit that is compared with: in a linked worktree the last one in common with the main worktree, else the last commit. Null before the first commit.
   */
  base: string | null;
  /** Number of its commits since the base. */
  commits: number;
  /** The changed files, at most 2,000, new ones included. */
  files: {
    path: string;
    /** Lines; null for a binary file. */
    added: number | null;
    /** Lines; null for a binary file. */
    removed: number | null;
  }[];
  /** Number of changed files. */
  file_count: number;
  /** Number of added lines in all files. */
  added: number;
  /** Number of removed lines in all files. */
  removed: number;
  /** The unified diff, if it was asked for, as the files are: it may hold control characters. */
  patch?: string;
  /** The patch is longer, and was cut. */
  truncated?: true;
}
/** Returns when a session is in a state, or its process gone (`exited`). */
export interface SessionWaitInput {
  /** A session's id or name, or the beginning of one while it is unique. */
  session: string;
  until: 'starting' | 'working' | 'waiting' | 'blocked' | 'done' | 'failed' | 'exited' | 'lost' | 'unknown';
  /** Maximum time to wait, in milliseconds. Default: no limit. */
  timeout_ms?: number;
}
/** The event log, as NDJSON, SSE or a WebSocket's messages, by what the client asks for. */
export interface EventListInput {
  /** Returns only events with a greater `seq`. */
  since?: number;
  /** True to continue with new events as they happen. */
  follow?: boolean;
  /** Returns only events of these types. */
  type?: string[];
  /** A session's id or name, or the beginning of one while it is unique. */
  session?: string;
  /** Maximum number of events. */
  limit?: number;
}
/** The source of an event, an item or a state, computed only from the log and the journal. */
export interface EventExplainInput {
  /**
   * An event's seq; an item's or a message's id, or the beginning of an item's; a session's id or name: why it is in its state.
   */
  what: string;
}
export interface EventExplainOutput {
  /** The kind of the explained object. */
  what: 'event' | 'item' | 'state';
  /** A summary in one sentence. */
  summary: string;
  session: Session | null;
  /** The event that is explained: of an item the one that opened it or said it, of a state the one that began it. */
  event: {
    [k: string]: unknown | undefined;
  };
  item: Item | null;
  /** The origin of the event, in sentences: the ear and the rule. */
  rule: string[];
  /** True if reading the journal again gives the same event; null if there is nothing to compare. */
  heard_again: boolean | null;
  /** Its source. */
  bytes: {
    /** The reader that found it; null for other records, such as an exit. */
    ear: Ear | null;
    /** The journal position of the first byte. */
    from: number;
    /** The journal position after the last byte. */
    to: number;
    /** When its first byte was printed (RFC 3339). */
    time: string | null;
    /** Number of bytes that were printed there. */
    printed: number;
    /** The first 8,192 bytes in base 64. */
    base64: string;
    /** The same as text; everything that is no plain character is escaped. */
    escaped: string;
    /** The same as text without control sequences. */
    text: string;
    /** Records without output, as in `session.journal`. */
    records: {
      [k: string]: unknown | undefined;
    }[];
  } | null;
  /** The content at the time of the event. */
  screen: {
    size: Size;
    cursor: {
      /** Column, from 0. */
      x: number;
      /** Row, from 0. */
      y: number;
      visible: boolean;
    };
    /** The terminal's title. */
    title: string;
    /** True if the alternate screen was shown. */
    alternate: boolean;
    /** The rows of the screen as text, from top to bottom. */
    rows: string[];
    /** The rows that show it, from 0. */
    marked: number[];
    /** Journal position up to which it is drawn. */
    position: number;
    /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
    time: string;
  } | null;
  /** The errors of the validator; null if there is no message. */
  verdict: {
    accepted: boolean;
    reason: RejectReason | null;
    /** The schema that it was checked against. */
    schema: string | null;
    /** True if it had to carry the key of the session. */
    key: 'required' | 'not required';
    errors: SchemaError[];
  } | null;
  /** Earlier findings of the same message. */
  copies: {
    ear: Ear;
    /**
     * The result of the finding. `told`: it was reported as this message. `merged`: it was merged with the message of another ear. `echo`: it repeats typed text, and does not count. `copy`: the other ear of the terminal has reported it.
     */
    standing: 'told' | 'merged' | 'echo' | 'copy';
    /** The journal position of the first byte. */
    from: number;
    /** The journal position after the last byte. */
    to: number;
    /** The text as it was heard; cut if it is long. */
    text: string;
  }[];
  /** The events that belong together, in order: message, item, answer; of a state the last changes. */
  route: {
    [k: string]: unknown | undefined;
  }[];
  /** The delivery of the answer, from the journal. */
  delivery: {
    /** The id of the write with which the host types the text. */
    write_id: string;
    state: Delivery | null;
    /** The typed text, escaped. */
    text: string | null;
    /** When the host took it. */
    begun: {
      /** The journal position of its record, in bytes. */
      position: number;
      /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
      time: string;
    } | null;
    /** When its last byte was in the pty. */
    written: {
      /** The journal position of its record, in bytes. */
      position: number;
      /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
      time: string;
    } | null;
    /** When the host gave it up. */
    failed: {
      /** The journal position of its record, in bytes. */
      position: number;
      /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
      time: string;
    } | null;
    /** When Enter was repeated. */
    entered_again: {
      /** The journal position of its record, in bytes. */
      position: number;
      /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
      time: string;
    } | null;
    /** The evidence that it was taken. */
    evidence: string | null;
    /** Why the answer is stalled. Null if it is not. */
    reason: string | null;
  } | null;
  /** A missing part, and the reason. */
  missing: string[];
}
/** Open items; `all`: also answered and withdrawn items; `stalled`: also stalled answers of living sessions. */
export interface InboxListInput {
  all?: boolean;
  stalled?: boolean;
  /** A session's id or name, or the beginning of one while it is unique. */
  session?: string;
}
/** One item. */
export interface InboxShowInput {
  /** An item's id, or the beginning of one while it is unique. */
  item: string;
}
/** Answers an item: exactly one of `text`, `option`, `decline`. */
export interface InboxAnswerInput {
  /** An item's id, or the beginning of one while it is unique. */
  item: string;
  /** The text to send. Lines are separated by newlines. */
  text?: string;
  /** The number of the option, from 1. */
  option?: number;
  decline?: true;
  /** The client that answers. */
  by?: string;
}
/** Takes back the answer to an item, as long as its typing has not begun. The item is open again. */
export interface InboxTakeBackInput {
  /** An item's id, or the beginning of one while it is unique. */
  item: string;
}
/** Makes a link for one browser. */
export interface WebLinkInput {
  /** The rights of the browser: read, read and answer, or everything. Default: all. */
  role?: 'read' | 'answer' | 'all';
  /** A name for the browser, which its answers carry. */
  name?: string;
  /** True: for a browser on another device, at the address of `web.listen` or of the proxy. */
  elsewhere?: boolean;
}
/** Chooses where browsers on other devices reach the dashboard, until the daemon ends. Without fields: nowhere. */
export interface WebListenInput {
  /** Address and port, for example `0.0.0.0:8443`. */
  listen?: string;
  /** The absolute path of the certificate chain (PEM). */
  tls_cert?: string;
  /** The absolute path of its private key (PEM). */
  tls_key?: string;
  /** The address under which browsers reach the reverse proxy, for example `https://orchd.example.org`. */
  behind_proxy?: string;
}
export interface WebLinkOutput {
  /** The link. Its code is in the fragment, which browsers send to no server. */
  url: string;
  role: 'read' | 'answer' | 'all';
  /** When the code expires (RFC 3339). */
  expires_at: string;
}
/** Enters with the code of a link. */
export interface WebEnterInput {
  /** The code in the link that `orchd web` printed. */
  code: string;
}
export interface WebEnterOutput {
  /** The Bearer token of this browser. */
  token: string;
  /** RFC 3339 in UTC with milliseconds, such as `2026-11-23T09:30:00.000Z`. */
  expires_at: string;
  role: 'read' | 'answer' | 'all';
  device: WebDevice;
}
/** The browsers that may use the dashboard. */
export interface WebListInput {}
/** Signs out a browser. */
export interface WebRevokeInput {
  /** The id of the browser: `dev_…`. */
  device: string;
}
/** A client tells that a person sits at it, or has left. */
export interface PresenceTellInput {
  /** An id that the client chooses. */
  client_id: string;
  /** The one session that is in sight; without it the whole inbox is. */
  session?: string;
  /** True if a key was pressed just now, or the terminal has the focus; false once it has lost it. */
  present: boolean;
}
export interface PresenceTellOutput {
  /** When this expires, unless it is reported again (RFC 3339). */
  present_until: string | null;
  [k: string]: unknown | undefined;
}
/** Runs the notify command once, with a notification that is none. */
export interface NotifyTestInput {}
export interface NotifyTestOutput {
  /** The outcome of the command; null if none is configured. */
  command: NotifyCommandRun | null;
  quiet: {
    /** The value of `notify.quiet_hours`. */
    hours: string;
    /** True in quiet hours, by the clock of the daemon. */
    now: boolean;
    [k: string]: unknown | undefined;
  };
  /** Time for which an item must have been open. */
  after_ms: number;
  /** Items without a notification so far. */
  waiting: number;
  /** Clients with a present person. Items in sight there are not notified. */
  present: number;
  [k: string]: unknown | undefined;
}
export interface NotifyCommandRun {
  /** The value of `notify.command`. */
  command: string;
  outcome: 'done' | 'failed' | 'timed_out' | 'not_started';
  exit_code: number | null;
  signal: string | null;
  /** How long the command ran, in milliseconds. */
  ms: number;
  /** The end of what it printed. */
  output: string;
  [k: string]: unknown | undefined;
}
/** The blueprints that count, seen from a project: its files, then what is stored for it, then the user's own. */
export interface BlueprintListInput {
  /** The project's absolute directory. Default: none, only the user's own. */
  project?: string;
  /** True to include those that are stored for other projects. */
  all_projects?: boolean;
}
/** The blueprint of a name that counts, seen from a project. */
export interface BlueprintShowInput {
  /** The name of the blueprint. */
  name: string;
  /** The project's absolute directory. Default: none, only the user's own. */
  project?: string;
}
/** Makes a blueprint: stored in the daemon, or as files of the project. */
export interface BlueprintCreateInput {
  /** The project's absolute directory. Default: none, it is the user's own. */
  project?: string;
  /** True to store it in files of the project: .orchd/agents/NAME/agent.json, and agent.md for its instructions. */
  in_files?: boolean;
  /** Its name, unique in its project. */
  name: string;
  /** The purpose of the blueprint, for lists. Default: empty. */
  description?: string;
  /** The kind of the blueprint: it runs to a result. */
  type?: 'autonomous';
  /** Its system prompt. For a blueprint in files, the content of agent.md. */
  instructions?: string;
  /** Prompt for runs without a prompt. */
  prompt?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  args?: Args;
  env?: Env;
  tools?: Tools;
  /**
   * True to run the agent in a terminal: a person can attach to its session, and it asks in the inbox. Default: only if the program has no other mode.
   */
  interactive?: boolean;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of what a run is given. */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  /** `envelope`: its result is an output envelope; not together with output_schema. */
  output_format?: 'json' | 'envelope';
  limits?: BlueprintLimits;
}
/** Replaces the whole definition of the blueprint that counts, where it is: in the store or in its files. */
export interface BlueprintUpdateInput {
  /** The project's absolute directory. Default: none, only the user's own. */
  project?: string;
  /** The name of the blueprint. */
  name: string;
  /** The purpose of the blueprint, for lists. Default: empty. */
  description?: string;
  /** The kind of the blueprint: it runs to a result. */
  type?: 'autonomous';
  /** Its system prompt. For a blueprint in files, the content of agent.md. */
  instructions?: string;
  /** Prompt for runs without a prompt. */
  prompt?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  args?: Args;
  env?: Env;
  tools?: Tools;
  /**
   * True to run the agent in a terminal: a person can attach to its session, and it asks in the inbox. Default: only if the program has no other mode.
   */
  interactive?: boolean;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of what a run is given. */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  /** `envelope`: its result is an output envelope; not together with output_schema. */
  output_format?: 'json' | 'envelope';
  limits?: BlueprintLimits;
}
/** Removes the blueprint of a name that counts, seen from a project. */
export interface BlueprintDeleteInput {
  /** The name of the blueprint. */
  name: string;
  /** The project's absolute directory. Default: none, only the user's own. */
  project?: string;
}
export interface BlueprintDeleteOutput {
  name: string;
  /** The session that it belonged to. */
  project: string | null;
  /** The place where it is stored: the daemon's store, files of the project, or orchd itself. */
  source: 'stored' | 'file' | 'built-in';
  /** The blueprint that this name means now. */
  now: Blueprint | null;
}
/** Checks a definition and saves nothing. It is the body, whatever it holds. */
export interface BlueprintValidateInput {
  [k: string]: unknown | undefined;
}
export interface BlueprintValidateOutput {
  valid: boolean;
  /** All errors of the definition. Empty if it is valid. */
  errors: SchemaError[];
}
/** This API as OpenAPI 3.1. */
export interface ApiOpenapiInput {}
export interface ApiOpenapiOutput {
  [k: string]: unknown | undefined;
}
/** Finds a directory by its path or its name. */
export interface ProjectFindInput {
  /** An absolute path, a path below the home directory, or the name of a directory in which a session was started. */
  directory: string;
}
/** A directory, and the project around it. */
export interface ProjectFindOutput {
  /** The absolute path of the directory. */
  directory: string;
  /** The nearest directory around it that has a folder .orchd; null if there is none. */
  project: string | null;
}
/** Runs a prompt, or a blueprint, to a result. */
export interface RunStartInput {
  /** The name of the blueprint. Without it, the fields below define what runs. */
  blueprint?: string;
  /** The absolute directory of the project in which the blueprint is searched. */
  project?: string;
  /** The prompt. Default: the blueprint's prompt. */
  prompt?: string;
  /** The input as JSON; checked by the blueprint's input_schema. */
  input?:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  args?: Args;
  tools?: Tools;
  /**
   * True to run the agent in a terminal: a person can attach to its session, and it asks in the inbox. Default: only if the program has no other mode.
   */
  interactive?: boolean;
  /** True to keep the session of an interactive run after the run has ended. */
  keep?: boolean;
  /**
   * True if the caller waits for the end with run.wait. Otherwise, a calling agent gets an `<agent-callback>` at the end.
   */
  wait?: boolean;
  /** Its system prompt. For a blueprint in files, the content of agent.md. */
  instructions?: string;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  /** `envelope`: its result is an output envelope; not together with output_schema. */
  output_format?: 'json' | 'envelope';
  limits?: BlueprintLimits;
  /** The absolute path of the working directory. Default: the home directory. */
  cwd?: string;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/** Runs, the oldest first. */
export interface RunListInput {
  /** Returns only those in this state. */
  state?: 'queued' | 'running' | 'rate_limited' | 'completed' | 'failed' | 'cancelled';
  /** Returns only the runs of this blueprint. */
  blueprint?: string;
  /** Maximum number of entries, 1 to 10,000. The newest entries are returned. Default: 100. */
  limit?: number;
}
/** A run with all details. */
export interface RunShowInput {
  /** A run's id, or the beginning of one while it is unique. */
  run: string;
}
/** Ends a run and every process of it. */
export interface RunCancelInput {
  /** A run's id, or the beginning of one while it is unique. */
  run: string;
}
/** Starts a run for a workflow of another machine, once: a repetition returns the run. */
export interface RunPlaceInput {
  /** The id that the run gets. */
  id: string;
  /** The workflow run on the other machine. */
  for_workflow: string;
  /** The prompt. */
  prompt: string;
  /**
   * An absolute path, a path below the home directory, or the name of a directory in which something was started. Default: the home directory.
   */
  directory?: string;
  /** The blueprint of this machine that WITH names. */
  blueprint?: string;
  /** The profile of this machine that REQUIRES names. */
  profile?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  /** JSON Schema (2020-12, or draft 7 by its `$schema`) of its result. */
  output_schema?: {
    [k: string]: unknown | undefined;
  };
  limits?: BlueprintLimits;
}
/** A run for a workflow of another machine. */
export interface PlacedRun {
  /** The id of the run: `run_…`. */
  id: string;
  state: RunState;
  /** The session of its last attempt. */
  session_id: string | null;
  /** The result of a completed run without a schema. */
  result_text: string | null;
  result_data: ResultData;
  /** The error of a failed or cancelled run. */
  error: RunError | null;
}
/** Cancels a run that was placed here. If it was not started yet, it never is. */
export interface RunWithdrawInput {
  /** The id of the run. */
  id: string;
  /** The machine that has taken the run instead. */
  taken_by?: string;
}
/** The withdrawn run, as far as its state is known. */
export interface RunWithdrawOutput {
  /** The id of the run. */
  id: string;
}
/** Runs the same again, as another run; one that has failed, was cancelled or is complete. */
export interface RunRetryInput {
  /** A run's id, or the beginning of one while it is unique. */
  run: string;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/** Returns when a run has ended. */
export interface RunWaitInput {
  /** A run's id, or the beginning of one while it is unique. */
  run: string;
  /** Maximum time to wait, in milliseconds. Default: no limit. */
  timeout_ms?: number;
}
/** The input of the tool spawn_agent. */
export interface SpawnAgentInput {
  /** A blueprint by its name; any other words say what the agent is, which is of your own kind then. */
  role: string;
  /** The task, with everything that the agent has to know: it knows nothing of you. */
  task: string;
  /**
   * Names of the fields of the JSON object that it must return. Without them, it returns text.
   *
   * @minItems 1
   */
  outputs?: string[];
}
/** Creates a task. */
export interface TaskCreateInput {
  /** The work to do. */
  prompt: string;
  /**
   * The blueprint that executes the task. Default: the one that the planner assigns, else the default agent program.
   */
  agent?: string;
  /** The absolute directory of the project in which the blueprint is searched. */
  project?: string;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  limits?: BlueprintLimits1;
  /** The absolute path of the working directory. Default: the home directory. */
  cwd?: string;
  /** True to plan the task at once. */
  plan?: boolean;
  /** True to start the task as soon as it is planned. */
  start?: boolean;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/** Limits of each run of the blueprint. An absent limit does not apply. */
export interface BlueprintLimits1 {
  /** Maximum time of a run in seconds. */
  timeout?: number;
  /** Maximum number of the agent's own turns. */
  max_turns?: number;
  /** Maximum cost of a run in US dollars. */
  max_cost?: number;
}
/** Tasks, the oldest first. */
export interface TaskListInput {
  /** The state of a task. */
  state?: 'pending' | 'planning' | 'planned' | 'awaiting_input' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Maximum number of entries, 1 to 10,000. The newest entries are returned. Default: 100. */
  limit?: number;
}
/** A task with all details. */
export interface TaskShowInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
}
/** Lets the planner make a plan for a task, or a new plan. */
export interface TaskPlanInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
  /** True to start the task as soon as it is planned. */
  start?: boolean;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/** Lets an agent execute the plan of a task, or execute it again. */
export interface TaskStartInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
  /** Another blueprint than the assigned one. */
  agent?: string;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/** Answers a question of its planner; the oldest open one where none is named. The same as answering the inbox item. */
export interface TaskAnswerInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
  /** The id of the inbox item. */
  item?: string;
  /** The text of the answer. */
  text?: string;
  /** There will be no answer: the planner decides. */
  decline?: true;
}
/** Ends it and every process of it. */
export interface TaskCancelInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
}
/** The history of a task. */
export interface TaskHistoryInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
}
/** Returns when nothing of it is under way: it is planned, waits for an answer, or is over. */
export interface TaskWaitInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
  /** Maximum time to wait, in milliseconds. Default: no limit. */
  timeout_ms?: number;
}
/** Calls a tool as the agent that works on a task. The fields beside these are the tool’s own input. */
export interface TaskToolInput {
  /** A task's id, or the beginning of one while it is unique. */
  task: string;
  /** The name of the tool. */
  tool: string;
  /** True to wait for the answer. The default depends on the tool. */
  wait?: boolean;
  /** Chosen by the caller: the same id again is the same call. Default: the Idempotency-Key header, or a new one. */
  call_id?: string;
  /** Maximum time to wait. The question stays open after it. Default: no limit. */
  timeout_ms?: number;
  [k: string]: unknown | undefined;
}
/** The input of completion-report. */
export interface CompletionReportInput {
  /** A summary in one or two sentences. */
  summary: string;
  /** Paths. */
  filesChanged?: string[];
  /** The commit that holds the change. */
  commitHash?: string;
  /** Default: completed. */
  outcome?: 'completed' | 'failed';
  [k: string]: unknown | undefined;
}
/** An Agentfile and its inputs. */
export interface WorkflowRunInput {
  /** The text of the Agentfile. */
  agentfile: string;
  /** The prompt files that FROM names, by the path in the Agentfile. */
  files?: {
    [k: string]: string | undefined;
  };
  /** The name of the workflow, for an Agentfile without NAME. Default: `workflow`. */
  name?: string;
  /** Values of its INPUTs by name. A value that is not a text counts as its JSON. */
  input?: {
    [k: string]: unknown | undefined;
  };
  /** Maximum number of goals that run at the same time, as far as their variables allow it. */
  jobs?: number;
  /** The agent program. Default: the configured one. */
  adapter?: string;
  /** The model, by the name that the program uses. */
  model?: string;
  /** Profiles for REQUIRES. They come before those of the daemon's configuration. */
  profiles?: {
    [k: string]: WorkflowProfile;
  };
  /** The absolute directory of the project in which blueprints are searched. */
  project?: string;
  /** The absolute path of the working directory. Default: the home directory. */
  cwd?: string;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
/**
 * The Agentfiles below a folder: files named Agentfile or *.agentfile. Hidden folders and node_modules are left out, and links out of the project are not followed.
 */
export interface WorkflowFilesInput {
  /** The project's absolute directory. */
  project: string;
  /** Returns only the Agentfile with this path within the project, with its text. */
  file?: string;
}
/** The Agentfiles of a project. */
export interface WorkflowFilesOutput {
  /** The project as the caller gave it. */
  project: string;
  /** @maxItems 200 */
  files: {
    /** The path of the Agentfile within the project. */
    file: string;
    /** The name of its workflow; null for an Agentfile of the project itself that names none. */
    name: string | null;
    bytes: number;
    updated_at: string;
    /** Why the Agentfile cannot be read. Null if it can. */
    problem: string | null;
    /** Its text, if `file` named it. */
    agentfile?: string;
  }[];
  /** True if not all folders were searched, or there are more files than fit. */
  more: boolean;
}
/** Workflow runs, the oldest first. */
export interface WorkflowListInput {
  /** The state of a workflow run; `awaiting_input`: no step runs until a person answers. */
  state?: 'running' | 'awaiting_input' | 'completed' | 'failed' | 'cancelled';
  /** Maximum number of entries, 1 to 10,000. The newest entries are returned. Default: 100. */
  limit?: number;
}
/** A workflow run with all details. */
export interface WorkflowShowInput {
  /** A workflow run's id, or the beginning of one while it is unique. */
  workflow: string;
  /** True to return only the beginning of long texts, and of each value as text, for a view of many steps. */
  brief?: boolean;
}
/** The source of a workflow run. */
export interface WorkflowSourceInput {
  /** A workflow run's id, or the beginning of one while it is unique. */
  workflow: string;
}
/** Ends it, and every process of it; returns when they are gone. */
export interface WorkflowCancelInput {
  /** A workflow run's id, or the beginning of one while it is unique. */
  workflow: string;
}
/** Returns when it is over. */
export interface WorkflowWaitInput {
  /** A workflow run's id, or the beginning of one while it is unique. */
  workflow: string;
  /** Maximum time to wait, in milliseconds. Default: no limit. */
  timeout_ms?: number;
}
/** Continues a workflow that has failed or was cancelled. Completed steps do not run again. */
export interface WorkflowResumeInput {
  /** A workflow run's id, or the beginning of one while it is unique. */
  workflow: string;
  /** The first step to run again, with all steps after it. Default: the steps that are not completed. */
  from?: string;
  /** Maximum number of goals that run at the same time, as far as their variables allow it. */
  jobs?: number;
  /**
   * The complete environment of the program, to which orchd adds its own variables. Default: the minimal environment of a login, never that of the daemon.
   */
  env?: {
    [k: string]: string | undefined;
  };
  /** The umask of the program, as a number. Default: 18 (0o022). */
  umask?: number;
}
export interface WorkflowSourceOutput {
  /** Its Agentfile; null for runs of orchd before the dashboard had workflows. */
  agentfile: string | null;
  /** The checked form of the Agentfile: workflow.schema.json. */
  workflow: {
    [k: string]: unknown | undefined;
  };
}
/** A machine of a hub, by its last heartbeat. */
export interface Machine {
  /** Its labels; absent for an earlier version. */
  labels?: string[];
  /** The name of the machine on the hub. */
  name: string;
  /** The version of orchd on the machine. */
  version: string;
  /** The newest event of its log. */
  last_seq: number;
  /** The newest event that the hub had then. */
  published_seq: number;
  /** Number of living sessions. */
  sessions: number;
  /** Number of open items. */
  open_items: number;
  /** Version of the channels for its terminals; absent if its orchd has none. */
  terminals?: number;
  share: 'inbox' | 'screens';
  /** Milliseconds since its last heartbeat, by the clock of the server. */
  age_ms: number;
  /** True after three missed heartbeats. */
  away: boolean;
}
/** Connects the daemon to a hub. */
export interface HubJoinInput {
  /** nats://HOST:PORT or tls://HOST:PORT; several servers of a cluster with commas. */
  url: string;
  /** The name of this machine on the hub. */
  name: string;
  /**
   * Absolute path of a file with the seed of a key, or of a NATS credentials file. Default: the key of `orchd hub key`, if there is one.
   */
  creds?: string;
  /** Absolute path of a file with the certificates to trust. */
  ca?: string;
  /** Publishes the events after this one, too. Default: only those from now on. */
  since?: number;
  /** True: a connection to another machine may be without TLS. */
  insecure?: boolean;
  /** True: takes over the name of a machine that is gone. */
  replace?: boolean;
}
export interface HubStatusOutput {
  /** True if the daemon is joined to a hub. */
  joined: boolean;
  /** The address of the hub, without its password. */
  url?: string;
  /** The name of this machine. */
  name?: string;
  state?: 'connecting' | 'connected' | 'problem';
  /** Why the hub does not get everything now. */
  problem?: string;
  /** The setting `hub.share`. */
  share?: 'inbox' | 'screens';
  /** The number of the event after which events are published. */
  since?: number;
  /** The newest event that the hub has; null before the first contact. */
  published_seq?: number | null;
  /** Number of events that the hub lacks; null while it is not known. */
  lag?: number | null;
  /** Milliseconds since the server last replied; null before the first contact. */
  last_contact_ms?: number | null;
  machines: Machine[];
  /** Why the machines cannot be read, for a key that may only publish. */
  unreadable?: string;
  /** Why no commands can be exchanged with other machines now. */
  commands_problem?: string;
  /** The labels of this machine whose work it takes (`hub.labels`). */
  labels?: string[];
  /** Why no work for labels can be taken now. */
  labels_problem?: string;
  /** The limits of the hub and of this machine. Absent before the first contact. */
  limits?: {
    /** Events that are older are removed; 0: none. */
    max_age_ms: number;
    /** The oldest events are removed above this size; -1: none. */
    max_bytes: number;
    /** The size of the events of all machines now. */
    bytes: number;
    /** The largest message: a command, a result, or an event. */
    max_message_bytes: number;
    /** The setting `hub.rate`; 0: no limit. */
    events_per_second: number;
  };
  /** The machines that send more than this one reads, in words. */
  warnings?: string[];
}
/** Disconnects the daemon from its hub. */
export interface HubLeaveInput {}
/** The state of the hub, and its machines. */
export interface HubStatusInput {}
/** The sessions of the machines of the hub. */
export interface HubSessionsInput {
  /** Returns only those of this machine. Default: of all machines. */
  machine?: string;
}
/** The events that the machines of the hub have published, page by page. */
export interface HubEventsInput {
  /** Returns only those of this machine. Default: of all machines. */
  machine?: string;
  /** The cursor of an event or a page: events after it. 0: from the beginning. Default: from now on. */
  since?: string;
  /** Returns only events of these types. */
  type?: string[];
  /** Returns only events of this session. */
  session_id?: string;
  /** Maximum number of events. Default: 1,000. */
  limit?: number;
  /** Maximum time to wait for an event if there is none. Default: 0. */
  wait_ms?: number;
}
export interface HubEventsOutput {
  events: {
    /** The name of the machine that published the event. */
    machine: string;
    /** The place after this event, over all machines. */
    cursor: string;
    /** The event, as its machine has it. */
    event: {
      [k: string]: unknown | undefined;
    };
  }[];
  /** The place after this page. Pass it as `since` to read on. */
  cursor: string;
  /** True if the hub had no later event. */
  at_end: boolean;
  /** True if the limits of the hub have removed events before this page that were not read. */
  gap: boolean;
}
/** Calls an operation on another machine of the hub. */
export interface HubCallInput {
  /** The name of the machine that carries out the operation. */
  machine: string;
  /** The operation, for example `inbox.answer`. */
  operation: string;
  /** The input of the operation. */
  input: {
    [k: string]: unknown | undefined;
  };
}
/** The outcome of the call. */
export interface HubCallOutput {
  /** on_its_way: an answer for a machine that is away. It is delivered when the machine is back. */
  state: 'done' | 'on_its_way';
  /** The id of the command; absent for this machine. */
  command_id?: string;
  /** The output of the operation, if it is done. */
  output?: {
    [k: string]: unknown | undefined;
  };
}
/** The commands that this machine has sent to others. */
export interface HubCommandsInput {}
/** A command to another machine. */
export interface SentCommand {
  /** The id of the command. */
  id: string;
  /** The machine that it is for. */
  to: string;
  /** The person who sent it. */
  by: string;
  /** The name of the operation, such as `inbox.answer`. */
  operation: string;
  /** The input of the operation. */
  input: {
    [k: string]: unknown | undefined;
  };
  /** When it was sent (RFC 3339). */
  at: string;
  /**
   * on_its_way: the outcome is not known yet. running: a run of a workflow that has begun there. expired: no reply came while the command was valid.
   */
  state: 'on_its_way' | 'running' | 'delivered' | 'refused' | 'expired';
  /** When the outcome came (RFC 3339). */
  settled_at?: string;
  /** Why it was refused, or what is known about it after it has expired. */
  error?: string;
}
/** The machines whose commands are checked. */
export interface HubKeysInput {}
/** The enrolled keys, and what their machines may do. */
export interface HubKeysOutput {
  keys: {
    /** The name of the machine that has the key. */
    name: string;
    /** The public key (`U…`) of the machine. */
    key: string;
  }[];
  /** The setting `hub.accept`. */
  accept: ('read' | 'answer' | 'type' | 'start')[];
}
/** Lets a machine send commands to this one. */
export interface HubEnrollInput {
  /** The name of the machine. */
  name: string;
  /** The public key that `orchd hub key` prints there. */
  key: string;
}
/** Takes no more commands of a machine. */
export interface HubUnenrollInput {
  /** The name of the machine. */
  name: string;
}
/** The open items of the machines of the hub. */
export interface HubItemsInput {
  /** Returns only those of this machine. Default: of all machines. */
  machine?: string;
}
/** The agent cannot go on. Opens an inbox item. */
export interface BlockedMessage {
  type: 'BLOCKED';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    /** Why. */
    reason: string;
    /** The details, as markdown. */
    details?: string;
    /** An action that would help. */
    suggestedAction?: string;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** Something went wrong that does not stop the task. Shown as a badge; never changes the session's state. */
export interface ErrorReportMessage {
  type: 'ERROR';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    /** The error. */
    message: string;
    /** How bad it is. */
    severity?: 'info' | 'warning' | 'error' | 'critical';
    /** The file or place. */
    file?: string;
    /** True if the agent continues. */
    recoverable?: boolean;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * An `<output>` envelope: a JSON part for agents and a human part. success and partial set the session `done`, failed `failed`; no inbox item.
 */
export interface OutputMessage {
  type: 'OUTPUT';
  id?: string;
  /** The JSON part of an `<output>` envelope. Extra keys are kept everywhere. */
  data: {
    [k: string]: unknown | undefined;
  };
  /** Markdown after the line `---`; empty without it. */
  human: string;
  [k: string]: unknown | undefined;
}
/** The agent needs a decision. Opens an inbox item. */
export interface QuestionMessage {
  type: 'QUESTION';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    /** The question. */
    question: string;
    /** Answers to choose from; they count from 1, and their text is what is sent. */
    options?: string[];
    /** Context for the decision, as markdown. */
    context?: string;
    /** The answer that is given by itself when `deadlineSeconds` have passed. */
    default?: string;
    /** Seconds after which `default` is the answer. Has no effect without `default`. */
    deadlineSeconds?: number;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** The agent wants its work looked at. Opens an inbox item. */
export interface RequestReviewMessage {
  type: 'REQUEST_REVIEW';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    /** The work to review. */
    description: string;
    /** Paths. */
    files?: string[];
    /** Notes for the reviewer, as markdown. */
    notes?: string;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** The progress of the agent. Shown with its session. */
export interface StatusUpdateMessage {
  type: 'STATUS_UPDATE';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/** The agent says that its task is finished. Sets the session `done`. */
export interface TaskCompleteMessage {
  type: 'TASK_COMPLETE';
  /** Chosen by the agent. Same id and same content in a session: the same message. */
  id?: string;
  /** Unknown extra fields are kept. */
  data: {
    /** A summary of the work. */
    summary: string;
    /** Paths. */
    filesChanged?: string[];
    /** The commit that holds the change. */
    commitHash?: string;
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
export type TypedMessage = BlockedMessage | ErrorReportMessage | OutputMessage | QuestionMessage | RequestReviewMessage | StatusUpdateMessage | TaskCompleteMessage;
