/** Events of blueprints, runs, tasks and workflows. */

import type { BlueprintDeletedEvent, BlueprintSavedEvent, Event, WorkflowRunState } from '../generated/types.js';
import { STEP_BADGES, WORKFLOW_BADGES } from '../states/index.js';
import type { EventKinds } from './event-kind.js';

const blueprintLine = ({ name, source, project }: BlueprintSavedEvent | BlueprintDeletedEvent): string =>
  `${name} (${source}${project === null ? '' : `, ${project}`})`;

export const WORK_EVENTS = {
  blueprint_saved: {
    lists: ['agents'],
    line: blueprintLine,
    feed: ({ name }) => ({ text: `the blueprint ${name} was saved`, style: 'dim' }),
    why: () => ['A client asked for it.'],
  },
  blueprint_deleted: {
    lists: ['agents'],
    line: blueprintLine,
    feed: ({ name }) => ({ text: `the blueprint ${name} was deleted`, style: 'dim' }),
    why: () => ['A client asked for it.'],
  },
  task_created: {
    lists: ['tasks'],
    line: (event) => `${event.task_id}: ${event.prompt}`,
    feed: ({ prompt }) => ({ text: `task: ${prompt}` }),
  },
  task_state_changed: {
    lists: ['tasks'],
    line: (event) =>
      `${event.task_id} ${event.previous} → ${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
    feed: ({ state, error }) => ({
      text: `task ${state.replace('_', ' ')}${error === null ? '' : `: ${error.message}`}`,
      style: state === 'failed' ? 'red' : state === 'completed' ? 'green' : 'dim',
    }),
  },
  planner_output_submitted: {
    lists: ['tasks'],
    line: (event) => `${event.task_id} ${String(event.output['type'])}`,
    feed: () => null,
  },
  completion_report_submitted: {
    lists: ['tasks'],
    line: (event) => `${event.task_id} ${event.report.summary}`,
    feed: () => null,
  },
  workflow_created: {
    lists: ['workflows'],
    line: (event) => `${event.workflow_id} ${event.name}, ${event.steps} steps`,
    feed: ({ steps }) => ({ text: `workflow begun: ${steps} step${steps === 1 ? '' : 's'}` }),
  },
  workflow_state_changed: {
    lists: ['workflows'],
    line: (event) =>
      `${event.workflow_id} ${event.previous} → ` +
      `${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
    feed: ({ state, previous, error }) => ({
      text: `workflow ${workflowWord(state, previous)}${state !== 'failed' || error === null ? '' : `: ${error.message}`}`,
      style: WORKFLOW_BADGES[state].style,
    }),
  },
  workflow_step_changed: {
    lists: ['workflows'],
    line: (event) =>
      `${event.workflow_id} ${event.step} ${event.previous} → ` +
      `${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
    // A question has its own line in the feed, and so has each change of a step's run.
    feed: ({ step, state, previous, error, variables }) =>
      state === previous || state === 'asking'
        ? null
        : {
            text: `${step} ${state}${error !== null ? `: ${error.message}` : variables.length > 0 ? `: ${variables.join(', ')}` : ''}`,
            style: STEP_BADGES[state].style,
          },
  },
  run_created: {
    lists: ['runs'],
    line: (event) => `${event.run_id} ${event.blueprint ?? event.adapter}: ${event.prompt}`,
    // The runs of a workflow have no line, because its steps and sessions have one.
    feed: ({ blueprint, adapter, prompt, workflow_id }) =>
      workflow_id === undefined ? { text: `run of ${blueprint ?? adapter}: ${prompt}` } : null,
  },
  run_attempt_started: {
    lists: ['runs'],
    line: (event) => `${event.run_id} attempt ${event.number} (${event.reason})`,
    // The session's own line says that it was started.
    feed: ({ reason }) =>
      reason === 'retry'
        ? { text: 'the result does not fit; the agent is told so', style: 'yellow' }
        : reason === 'reminder'
          ? { text: 'it ended without the call that it owes; the agent is reminded', style: 'yellow' }
          : reason === 'answer'
            ? { text: 'it goes on with the answer' }
            : null,
  },
  run_attempt_ended: {
    lists: ['runs'],
    line: (event) => `${event.run_id} attempt ${event.number}: ${attemptWords(event)}`,
    feed: () => null,
  },
  run_asking: {
    lists: ['runs'],
    line: (event) => `${event.run_id} waits for ${event.item_ids.join(', ')}`,
    feed: () => ({ text: 'the run waits for the answer', style: 'yellow' }),
  },
  run_rate_limited: {
    lists: ['runs'],
    line: (event) => `${event.run_id} until ${event.resumes_at}: ${event.message}`,
    feed: ({ resumes_at, message }) => ({
      text: `held back until ${resumes_at}: ${message}`,
      style: 'yellow',
    }),
  },
  result: {
    lists: ['runs'],
    line: (event) => `${event.run_id} ${event.status}${event.error === null ? '' : `: ${event.error.message}`}`,
    feed: ({ status, error, workflow_id }) =>
      workflow_id !== undefined && status !== 'failed'
        ? null
        : {
            text: error === null ? `run ${status}` : `run ${status}: ${error.message}`,
            style: status === 'completed' ? 'green' : status === 'failed' ? 'red' : 'dim',
          },
  },
} satisfies Partial<EventKinds>;

function attemptWords({ error, verdict }: Extract<Event, { event_type: 'run_attempt_ended' }>): string {
  if (error !== null) return error;
  if (verdict === null) return 'its turn is over';
  if (verdict.ok) return 'its result has the right form';
  return verdict.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
}

/** Describes the change rather than the current state. */
const workflowWord = (state: WorkflowRunState, previous: WorkflowRunState): string =>
  state === 'awaiting_input'
    ? 'waits for you'
    : state !== 'running'
      ? state
      : previous === 'awaiting_input'
        ? 'goes on'
        : 'resumed';
