/** Sessions, items and events for the tests of the TUI, and functions that press keys. */
import { expect } from 'vitest';
import {
  type Answer,
  type Blueprint,
  type Event,
  type Item,
  type ItemType,
  type Message,
  newSession,
  type Run,
  type RunAttempt,
  type RunSummary,
  type Session,
  type State,
  segmentsOf,
  type Task,
  type TaskSummary,
  TUI_SEGMENTS,
  type WorkflowRun,
  type WorkflowRunState,
  type WorkflowRunSummary,
  type WorkflowStep,
  type WorkflowStepRun,
  type WorkflowStepState,
} from '../../src/protocol/index.js';
import { handleKey, settle } from '../../src/tui/acts/key-handler.js';
import { createKeymap } from '../../src/tui/acts/keymap.js';
import { START as BEGINNING, type Effect, type KeyContext, type UiState } from '../../src/tui/acts/ui-state.js';
import type { Key, KeyName } from '../../src/tui/input/key-reader.js';
import type { Model, Snapshot } from '../../src/tui/model/model.js';

const START = Date.parse('2026-03-01T10:00:00.000Z');
/** Returns the time this many seconds after the start of the tests. */
export const at = (seconds: number): number => START + seconds * 1000;
/** The values that a TUI has from its start: keys, directory, version, and segments of its status row. */
export const ABOUT_TUI = {
  keymap: createKeymap({}),
  directory: '/home/user/proj',
  prefix: 'C-]',
  version: '0.1.0',
  segments: segmentsOf('sessions workflows open | health', TUI_SEGMENTS),
} as const;
const timestamp = (seconds: number): string => new Date(at(seconds)).toISOString();

export function aSession(change: Partial<Session> = {}): Session {
  return {
    ...newSession({
      id: 'ses_a',
      name: 'auth',
      adapter: 'shell',
      command: ['./agent.sh'],
      cwd: '/tmp',
      pid: 42,
      size: { cols: 120, rows: 40 },
      key_required: false,
      created_at: timestamp(0),
    }),
    state: 'working',
    state_source: 'message',
    ...change,
  };
}

export function anItem({ at: seconds = 0, ...change }: Partial<Item> & { at?: number } = {}): Item {
  return {
    id: 'itm_1',
    session_id: 'ses_a',
    session_name: 'auth',
    type: 'QUESTION',
    data: { question: 'Which one?' },
    state: 'open',
    opened_at: timestamp(seconds),
    answer: null,
    message_id: 'msg_1',
    origin: { ear: 'lines', from: 0, to: 1 },
    ...change,
  };
}

export function aSnapshot(change: Partial<Pick<Snapshot, 'sessions' | 'items'>> = {}): Snapshot {
  const process = { pid: 7, version: '0.1.0', started_at: timestamp(0) };
  const status = {
    daemon: process,
    host: { ...process, contract: 1, outdated: false },
    socket: '/tmp/orchd.sock',
    url: null,
    home: '/tmp',
    sessions: 0,
    open_items: 0,
    last_seq: 0,
  };
  return { status, sessions: [], items: [], ...change };
}

export function aStep({ at: seconds, ...change }: Partial<WorkflowStep> & { at?: number } = {}): WorkflowStep {
  const id = change.id ?? 'analyze';
  return {
    id,
    goal: id,
    kind: 'goal',
    agents: [],
    run: null,
    needs: [],
    stage: 1,
    state: 'waiting',
    runs: [],
    item_id: null,
    question: null,
    values: null,
    result: null,
    error: null,
    ended_at: null,
    started_at: seconds === undefined ? null : timestamp(seconds),
    ...change,
  };
}

export const aStepRun = (change: Partial<WorkflowStepRun> = {}): WorkflowStepRun => ({
  run_id: 'run_1',
  agent: null,
  entry: null,
  session_id: null,
  state: 'running',
  error: null,
  ...change,
});

export function aWorkflow(change: Partial<WorkflowRun> = {}): WorkflowRun {
  return {
    id: 'wfl_a',
    name: 'report',
    state: 'running',
    variables: [],
    steps: [],
    jobs: 1,
    adapter: null,
    model: null,
    project: null,
    cwd: '/tmp',
    parent_session_id: null,
    error: null,
    created_at: timestamp(0),
    ended_at: null,
    ...change,
  };
}

/** Returns a workflow in the form in which lists contain it. */
export function aSummary({ steps, id, name, state, error, created_at, ended_at }: WorkflowRun): WorkflowRunSummary {
  const done = steps.filter((step) => step.state === 'completed' || step.state === 'skipped').length;
  const current = steps.filter((step) => step.state === 'running' || step.state === 'asking').map((step) => step.id);
  return { id, name, state, error, created_at, ended_at, steps: steps.length, done, current };
}

let seq = 0;
let countedFor: string | undefined;
/** Counts from 1 in every test file, also if one worker runs several. */
const next = () => {
  const { testPath } = expect.getState();
  if (testPath !== countedFor) seq = 0;
  countedFor = testPath;
  seq += 1;
  return { seq, timestamp: timestamp(seq) };
};
const origin = { ear: 'lines', from: 0, to: 1 } as const;

export const events = {
  started: (session_id: string, name: string): Event => {
    const { adapter, command, cwd, pid, size, key_required, parent_session_id } = aSession();
    const rest = { adapter, command, cwd, pid, size, key_required, parent_session_id };
    return { ...next(), event_type: 'session_started', session_id, name, ...rest };
  },
  state: (session_id: string, state: State): Event => ({
    ...next(),
    event_type: 'session_state_changed',
    session_id,
    state,
    state_source: 'process',
    previous: 'starting',
  }),
  exited: (session_id: string, state: State, exit_code: number): Event => ({
    ...next(),
    event_type: 'session_exited',
    session_id,
    state,
    exit_code,
    signal: null,
    left_open: false,
    escaped: [],
  }),
  message: (session_id: string, type: Message['type'], data: Message['data']): Event => ({
    ...next(),
    event_type: 'message',
    session_id,
    message_id: 'msg_1',
    message: { type, data },
    turn: 0,
    ordinal: 1,
    source: 'fence',
    ear: 'lines',
    origin,
  }),
  rejected: (session_id: string, path: string, message: string): Event => ({
    ...next(),
    event_type: 'message_rejected',
    session_id,
    reason: 'schema',
    errors: [{ path, message }],
    raw: '{}',
    turn: 0,
    source: 'fence',
    ear: 'lines',
    origin,
  }),
  opened: (item_id: string, session_id: string, type: ItemType = 'QUESTION', data: Item['data'] = {}): Event => ({
    ...next(),
    event_type: 'item_opened',
    item_id,
    session_id,
    type,
    data: { question: 'Which one?', ...data },
    message_id: 'msg_1',
  }),
  answered: (item_id: string, session_id: string, text: string, by: string): Event => {
    const answer: Answer = { text, by, at: timestamp(seq), delivery: 'accepted' };
    return { ...next(), event_type: 'item_answered', item_id, session_id, answer };
  },
  written: (item_id: string, session_id: string): Event => ({
    ...next(),
    event_type: 'answer_written',
    item_id,
    session_id,
    write_id: 'wrt_1',
    origin,
  }),
  stalled: (
    item_id: string,
    session_id: string,
    reason: Extract<Event, { event_type: 'answer_stalled' }>['reason'],
  ): Event => ({ ...next(), event_type: 'answer_stalled', item_id, session_id, write_id: 'wrt_1', reason }),
  withdrawn: (item_id: string, session_id: string): Event => ({
    ...next(),
    event_type: 'item_withdrawn',
    item_id,
    session_id,
    reason: 'session_ended',
  }),
  workflow: (workflow_id: string, name: string): Event => ({
    ...next(),
    event_type: 'workflow_created',
    workflow_id,
    name,
    steps: 3,
    parent_session_id: null,
  }),
  workflowState: (workflow_id: string, state: WorkflowRunState, previous: WorkflowRunState = 'running'): Event => ({
    ...next(),
    event_type: 'workflow_state_changed',
    workflow_id,
    state,
    previous,
    error: state === 'failed' ? { error: 'AgentError', message: 'goal b: it is tired' } : null,
  }),
  step: (workflow_id: string, step: string, state: WorkflowStepState, variables: string[] = []): Event => ({
    ...next(),
    event_type: 'workflow_step_changed',
    workflow_id,
    step,
    state,
    previous: 'waiting',
    run_ids: [],
    item_id: null,
    variables,
    error: null,
  }),
  attempt: (run_id: string, session_id: string): Event => ({
    ...next(),
    event_type: 'run_attempt_started',
    run_id,
    session_id,
    number: 1,
    reason: 'start',
  }),
};

const NAMES = /^(?:up|down|left|right|enter|tab|backtab|escape|backspace|pageup|pagedown|home|end)$/;

/** Returns the key for a name: `a`, `enter`, `C-u`, `space`, `alt-enter`. */
export function toKey(name: string): Key {
  if (name === 'space') return { kind: 'char', text: ' ' };
  if (name === 'alt-enter') return { kind: 'named', name: 'enter', with: 'alt' };
  if (NAMES.test(name)) return { kind: 'named', name: name as KeyName }; // just looked up
  return name.startsWith('C-') ? { kind: 'ctrl', letter: name.slice(2) } : { kind: 'char', text: name };
}

export const around = (
  model: Model,
  atMs: number,
  change: Partial<KeyContext> = {},
  keys: Readonly<Record<string, string>> = {},
): KeyContext => ({
  model,
  at: atMs,
  keymap: createKeymap(keys),
  adapters: ['shell', 'claude'],
  directory: '/home/user/proj',
  view: () => ({ maxScroll: 100, visibleOptions: 9 }),
  maxHelpScroll: () => 10,
  targetAt: () => null,
  ...change,
});

/** Presses keys, separated by blanks, a second apart. */
export function press(
  model: Model,
  keys: string,
  from = settle(BEGINNING, model, at(0)),
  gapMs = 1_000,
): { ui: UiState; effects: Effect[] } {
  let ui = from;
  const effects: Effect[] = [];
  keys.split(' ').forEach((name, i) => {
    const next = handleKey(ui, toKey(name), around(model, at(100) + i * gapMs));
    ui = settle(next.ui, model, at(100) + i * gapMs);
    if (next.effect) effects.push(next.effect);
  });
  return { ui, effects };
}

// ── tasks, runs, blueprints ─────────────────────────────────────────────────────────────────────────────────────────

export const aTask = (change: Partial<Task> = {}): Task => ({
  id: 'tsk_a',
  state: 'pending',
  prompt: 'Count to ten',
  current_agent: null,
  assigned_agent: null,
  starts_itself: false,
  project: null,
  adapter: 'claude',
  model: null,
  limits: {},
  cwd: '/tmp',
  plan: null,
  questions: [],
  report: null,
  error: null,
  attempts: [],
  parent_session_id: null,
  created_at: timestamp(0),
  ended_at: null,
  ...change,
});

export const aTaskSummary = (task: Task): TaskSummary => {
  const { id, state, prompt, current_agent, assigned_agent, questions, error, created_at, ended_at, asking } = task;
  const open_questions = questions.filter(({ answer }) => answer === null).length;
  const about = { id, state, prompt, current_agent, assigned_agent, error, created_at, ended_at };
  return { ...about, open_questions, ...(asking !== undefined && { asking }) };
};

export const anAttempt = (change: Partial<RunAttempt> = {}): RunAttempt => ({
  number: 1,
  reason: 'start',
  session_id: 'ses_a',
  prompt: 'Count',
  started_at: timestamp(0),
  ended_at: timestamp(3),
  exit_code: 0,
  text: 'Counted.',
  verdict: null,
  error: null,
  usage: null,
  ...change,
});

export const aRun = (change: Partial<Run> = {}): Run => ({
  id: 'run_a',
  state: 'running',
  blueprint: null,
  project: null,
  adapter: 'claude',
  model: null,
  prompt: 'Count',
  input: null,
  system: null,
  output_schema: null,
  output_format: 'text',
  limits: {},
  cwd: '/tmp',
  parent_session_id: null,
  retry_of: null,
  session_id: 'ses_a',
  agent_session_id: null,
  attempts: [anAttempt()],
  result_text: null,
  result_data: null,
  result_human: null,
  error: null,
  usage: null,
  resumes_at: null,
  created_at: timestamp(0),
  started_at: timestamp(0),
  ended_at: null,
  ...change,
});

export const aRunSummary = (run: Run): RunSummary => {
  const { id, state, blueprint, adapter, prompt, session_id, parent_session_id, attempts, error, asking } = run;
  const { created_at, started_at, ended_at } = run;
  const about = { id, state, blueprint, adapter, prompt, session_id, parent_session_id, error, created_at, started_at };
  return { ...about, ended_at, attempts: attempts.length, ...(asking !== undefined && { asking }) };
};

export const aBlueprint = (change: Partial<Blueprint> = {}): Blueprint => ({
  name: 'reviewer',
  description: 'Reviews a branch',
  type: 'autonomous',
  adapter: 'claude',
  project: null,
  source: 'stored',
  file: null,
  shadows: false,
  created_at: timestamp(0),
  updated_at: timestamp(0),
  ...change,
});
