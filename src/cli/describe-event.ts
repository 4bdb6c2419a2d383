/** Formats an event on one line for people. */
import {
  byWords,
  displayLine,
  type Event,
  INEXACT_MARK,
  messageLine,
  type Said,
  STATE_LOOKS,
  typedOfAnswer,
} from '../protocol/index.js';
import type { Paint } from './paint.js';

/** The details of each event type, besides its time, type and session. */
const DETAILS: { readonly [T in Event['event_type']]: (event: Extract<Event, { event_type: T }>) => string } = {
  daemon_started: (event) => `pid ${event.pid}, version ${event.version}`,
  session_started: (event) => `${event.name}: ${event.command.join(' ')}`,
  session_renamed: (event) => `${event.previous} → ${event.name}`,
  session_state_changed: (event) =>
    `${event.previous} → ${STATE_LOOKS[event.state].mark} ${event.state} (by ${event.state_source})`,
  session_paused: (event) => event.reason,
  session_resumed: () => '',
  session_transcript_changed: (event) => `${event.transcript} ${event.agent_session_id ?? ''}`.trimEnd(),
  message_hint: (event) => `${event.seen} — ${event.message}`,
  session_idle_changed: (event) => (event.idle ? 'at its prompt' : 'runs a command'),
  session_exited: (event) =>
    [
      event.ended_by === undefined
        ? event.state
        : `${event.state}, ended ${byWords(event.ended_by, event.ended_by_name)}`,
      event.exit_code === null ? '' : `exit code ${event.exit_code}`,
      event.signal ?? '',
    ]
      .filter(Boolean)
      .join(', '),
  session_lost: (event) => event.reason,
  session_revived: (event) => `${event.how}: ${event.command.join(' ')}`,
  session_removed: (event) => `${event.name} (${event.reason})`,
  message: (event) => `${saidWords(event.message)}${event.exact === false ? ` ${INEXACT_MARK}` : ''}`,
  message_rejected: (event) =>
    `${event.reason}: ${event.errors.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
  message_corrected: (event) => `${event.message_id} ${saidWords(event.message)}`,
  item_opened: (event) => `${event.item_id} ${saidWords(event)}`,
  item_changed: (event) => `${event.item_id} ${firstText(event.data)}`,
  item_notified: (event) => `${event.item_id} ${event.title}: ${event.text}`,
  item_answered: ({ item_id, answer }) => {
    const typed = typedOfAnswer(answer);
    return `${item_id} by ${answer.by}: ${answer.text}${typed === null ? '' : ` (typed: ${typed})`}`;
  },
  item_withdrawn: (event) => `${event.item_id} ${event.reason}`,
  answer_accepted: (event) => event.item_id,
  answer_written: (event) => event.item_id,
  answer_acknowledged: (event) => `${event.item_id}: ${event.evidence}`,
  answer_stalled: (event) =>
    `${event.item_id}: ${event.reason}${event.seen === undefined ? '' : `, the input line shows “${displayLine(event.seen)}”`}`,
  blueprint_saved: (event) => `${event.name} (${event.source}${event.project === null ? '' : `, ${event.project}`})`,
  blueprint_deleted: (event) => `${event.name} (${event.source}${event.project === null ? '' : `, ${event.project}`})`,
  task_created: (event) => `${event.task_id}: ${event.prompt}`,
  task_state_changed: (event) =>
    `${event.task_id} ${event.previous} → ${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
  planner_output_submitted: (event) => `${event.task_id} ${String(event.output['type'])}`,
  completion_report_submitted: (event) => `${event.task_id} ${event.report.summary}`,
  workflow_created: (event) => `${event.workflow_id} ${event.name}, ${event.steps} steps`,
  workflow_state_changed: (event) =>
    `${event.workflow_id} ${event.previous} → ${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
  workflow_step_changed: (event) =>
    `${event.workflow_id} ${event.step} ${event.previous} → ${event.state}${event.error === null ? '' : `: ${event.error.message}`}`,
  run_created: (event) => `${event.run_id} ${event.blueprint ?? event.adapter}: ${event.prompt}`,
  run_attempt_started: (event) => `${event.run_id} attempt ${event.number} (${event.reason})`,
  run_attempt_ended: (event) => `${event.run_id} attempt ${event.number}: ${attemptWords(event)}`,
  run_asking: (event) => `${event.run_id} waits for ${event.item_ids.join(', ')}`,
  run_rate_limited: (event) => `${event.run_id} until ${event.resumes_at}: ${event.message}`,
  result: (event) => `${event.run_id} ${event.status}${event.error === null ? '' : `: ${event.error.message}`}`,
  journal_damaged: (event) => `${event.from} to ${event.to}: ${event.detail}`,
};

function attemptWords({ error, verdict }: Extract<Event, { event_type: 'run_attempt_ended' }>): string {
  if (error !== null) return error;
  if (verdict === null || verdict.ok) return 'done';
  return verdict.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
}

export const EVENT_TYPES: readonly string[] = Object.keys(DETAILS);

export function describeEvent(event: Event, paint: Paint): string {
  // A newer daemon may send event types that this version does not know.
  const describe = DETAILS[event.event_type] as ((event: Event) => string) | undefined;
  const session = 'session_id' in event && typeof event.session_id === 'string' ? event.session_id : '';
  const parts = [
    paint('dim', String(event.seq ?? '').padStart(6)),
    paint('dim', (event.timestamp ?? '').slice(11, 23)),
    paint('dim', session.padEnd(14)),
    paint('bold', event.event_type),
    displayLine(detailsOf(event, describe)),
  ];
  return parts.join(' ').trimEnd();
}

/** A field that was damaged in the event log leaves an event without its details. */
function detailsOf(event: Event, describe: ((event: Event) => string) | undefined): string {
  try {
    return describe?.(event) ?? '';
  } catch {
    return '(a field of this event is missing: it was damaged on disk)';
  }
}

/** Returns, for example, `ERROR warning: Test file not found (src/a.test.ts, recoverable)`. */
function saidWords(said: Said): string {
  const { label, text } = messageLine(said);
  const isToldByType = said.type !== 'ERROR' && said.type !== 'OUTPUT';
  return `${said.type} ${isToldByType ? text : `${label}: ${text}`}`;
}

/** Returns the first text of an item's data: `item_changed` does not contain the item's type. */
function firstText(data: Record<string, unknown>): string {
  return String(Object.values(data).find((value) => typeof value === 'string') ?? JSON.stringify(data));
}
