/** Describes an event in one line for people. Returns null if another line already says it. */
import {
  byWords,
  displayLine,
  type Event,
  ITEM_LOOKS,
  messageLine,
  type Said,
  STATE_LOOKS,
  type WorkflowRunState,
} from '../protocol/index.js';
import type { Style } from './paint.js';
import { STEP_LOOKS, WORKFLOW_LOOKS } from './workflow-words.js';

export interface EventWords {
  readonly text: string;
  readonly style?: Style;
}

type Words = { readonly [T in Event['event_type']]: (event: Extract<Event, { event_type: T }>) => EventWords | null };

const WORDS: Words = {
  daemon_started: ({ pid, version }) => ({ text: `daemon ${version} took over (process ${pid})`, style: 'dim' }),
  blueprint_saved: ({ name }) => ({ text: `the blueprint ${name} was saved`, style: 'dim' }),
  blueprint_deleted: ({ name }) => ({ text: `the blueprint ${name} was deleted`, style: 'dim' }),
  workflow_created: ({ steps }) => ({ text: `workflow begun: ${steps} step${steps === 1 ? '' : 's'}` }),
  workflow_state_changed: ({ state, previous, error }) => ({
    text: `workflow ${workflowWord(state, previous)}${state !== 'failed' || error === null ? '' : `: ${error.message}`}`,
    style: WORKFLOW_LOOKS[state].style,
  }),
  // A question has its own line, and a step's run has a line for each of its changes.
  workflow_step_changed: ({ step, state, previous, error, variables }) =>
    state === previous || state === 'asking'
      ? null
      : {
          text: `${step} ${state}${error !== null ? `: ${error.message}` : variables.length > 0 ? `: ${variables.join(', ')}` : ''}`,
          style: STEP_LOOKS[state].style,
        },
  task_created: ({ prompt }) => ({ text: `task: ${prompt}` }),
  task_state_changed: ({ state, error }) => ({
    text: `task ${state.replace('_', ' ')}${error === null ? '' : `: ${error.message}`}`,
    style: state === 'failed' ? 'red' : state === 'completed' ? 'green' : 'dim',
  }),
  planner_output_submitted: () => null,
  completion_report_submitted: () => null,
  // The runs of a workflow have no line, because their steps and sessions have one.
  run_created: ({ blueprint, adapter, prompt, workflow_id }) =>
    workflow_id === undefined ? { text: `run of ${blueprint ?? adapter}: ${prompt}` } : null,
  // The session's own line says that it was started.
  run_attempt_started: ({ reason }) =>
    reason === 'retry'
      ? { text: 'the result does not fit; the agent is told so', style: 'yellow' }
      : reason === 'reminder'
        ? { text: 'it ended without the call that it owes; the agent is reminded', style: 'yellow' }
        : reason === 'answer'
          ? { text: 'it goes on with the answer' }
          : null,
  run_attempt_ended: () => null,
  run_asking: () => ({ text: 'the run waits for the answer', style: 'yellow' }),
  run_rate_limited: ({ resumes_at, message }) => ({
    text: `held back until ${resumes_at}: ${message}`,
    style: 'yellow',
  }),
  result: ({ status, error, workflow_id }) =>
    workflow_id !== undefined && status !== 'failed'
      ? null
      : {
          text: error === null ? `run ${status}` : `run ${status}: ${error.message}`,
          style: status === 'completed' ? 'green' : status === 'failed' ? 'red' : 'dim',
        },
  session_started: ({ command }) => ({ text: `started: ${command.join(' ')}` }),
  session_renamed: ({ previous, name }) => ({ text: `renamed from ${previous} to ${name}` }),
  // Changes caused by a message or by the program's end have their own line.
  session_state_changed: ({ state, state_source, previous }) =>
    state_source === 'message' || state === 'exited' || state === 'failed' || state === 'done' || state === 'lost'
      ? null
      : { text: `${previous} → ${state}`, style: 'dim' },
  session_paused: ({ reason }) => ({ text: `paused: ${reason.replace('_', ' ')}`, style: 'red' }),
  session_resumed: () => ({ text: 'goes on' }),
  session_transcript_changed: ({ transcript }) =>
    transcript === 'lost'
      ? { text: 'its transcript lacks what its screen shows; the screen alone is heard', style: 'yellow' }
      : { text: `transcript ${transcript}`, style: 'dim' },
  message_hint: ({ seen, message }) => ({ text: `not a message: ${seen} (${message})`, style: 'yellow' }),
  session_idle_changed: () => null,
  session_exited: ({ state, exit_code, signal, ended_by, ended_by_name }) => {
    const how =
      ended_by !== undefined
        ? byWords(ended_by, ended_by_name)
        : (signal ?? (exit_code === null ? '' : `exit code ${exit_code}`));
    return { text: `ended: ${[state, how].filter(Boolean).join(', ')}`, style: STATE_LOOKS[state].style };
  },
  session_lost: ({ reason }) => ({ text: `lost: ${reason}`, style: 'magenta' }),
  session_revived: ({ command }) => ({ text: `started again: ${command.join(' ')}` }),
  session_removed: ({ name }) => ({ text: `${name} was removed`, style: 'dim' }),
  message: ({ message }) => messageWords(message),
  message_rejected: ({ reason, errors }) => ({
    text: `not a message (${reason}): ${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    style: 'red',
  }),
  message_corrected: ({ message }) => ({ text: `exactly: ${messageLine(message).text}`, style: 'dim' }),
  item_opened: lineWords,
  item_changed: () => null,
  item_notified: () => null,
  item_answered: ({ answer }) => ({
    text:
      answer.by === 'terminal'
        ? 'answered in its own terminal'
        : answer.declined
          ? `declined by ${answer.by}`
          : `answered by ${answer.by}: “${answer.text}”`,
    style: 'green',
  }),
  item_withdrawn: () => ({ text: 'item withdrawn', style: 'dim' }),
  answer_accepted: () => null,
  answer_written: () => ({ text: 'answer written', style: 'dim' }),
  answer_acknowledged: () => ({ text: 'answer acknowledged', style: 'dim' }),
  answer_stalled: ({ reason }) => ({ text: `answer stalled: ${reason.replaceAll('_', ' ')}`, style: 'red' }),
  journal_damaged: ({ detail }) => ({ text: `journal damaged: ${detail}`, style: 'red' }),
};

/** Describes the change rather than the current state. */
const workflowWord = (state: WorkflowRunState, previous: WorkflowRunState): string =>
  state === 'awaiting_input'
    ? 'waits for you'
    : state !== 'running'
      ? state
      : previous === 'awaiting_input'
        ? 'goes on'
        : 'resumed';

type Message = Extract<Event, { event_type: 'message' }>['message'];

function messageWords(message: Message): EventWords | null {
  if (message.type in ITEM_LOOKS) return null; // opens an item, which has its own line
  return lineWords(message);
}

/** Returns, for example, `warning: Test file not found (src/a.test.ts, recoverable)`. */
function lineWords(said: Said): EventWords {
  const { label, text, style } = messageLine(said);
  const head = said.type === 'OUTPUT' ? `output (${label})` : label;
  return { text: head === '' ? text : `${head}: ${text}`, ...(style && { style }) };
}

export function eventWords(event: Event): EventWords | null {
  // A newer daemon may send event types that this version does not know.
  const words = WORDS[event.event_type] as ((event: Event) => EventWords | null) | undefined;
  try {
    const found = words ? words(event) : { text: event.event_type };
    return found && { ...found, text: displayLine(found.text) };
  } catch {
    return { text: `${event.event_type}: damaged on disk`, style: 'red' }; // a field is missing
  }
}
