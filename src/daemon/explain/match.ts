/**
 * Finds the finding that caused an event, the reverse of lifecycle's decisions: by its position if the event has one,
 * otherwise by time and meaning.
 *
 * In:   an event of the log.
 * Out:  a predicate for its finding; null for an event that a person, a caller or the host caused.
 */
import type { ActivityFinding, Finding } from '../../ears/index.js';
import { type Event, type Item, type Origin, stateOfMessage } from '../../protocol/index.js';

type Fits = (finding: Finding) => boolean;
type EventOf<T extends Event['event_type']> = Extract<Event, { event_type: T }>;

const STATE_OF: Readonly<Record<ActivityFinding['activity'], string>> = {
  busy: 'working',
  idle: 'waiting',
  unknown: 'unknown',
};
/** Reasons for withdrawing an item that do not come from output. */
const UNHEARD: ReadonlySet<string> = new Set(['session_lost', 'task_cancelled', 'run_went_on']);
/** Findings that prove that a program continued, or accepted an answer. */
const GOES_ON: ReadonlySet<Finding['kind']> = new Set([
  'busy',
  'activity',
  'prompt',
  'attention_over',
  'turn',
  'written',
  'given',
]);

/** The events that follow from every finding of a kind. */
const FINDING_OF: Partial<Readonly<Record<Event['event_type'], Finding['kind']>>> = {
  session_transcript_changed: 'transcript',
  session_usage_changed: 'usage',
  session_paused: 'paused',
  session_resumed: 'resumed',
  session_exited: 'exited',
};

/** @param item  The event's item, if it has one. */
export function fitsEvent(event: Event, item: Item | null): Fits | null {
  const time = Date.parse(event.timestamp);
  const then =
    (fits: Fits): Fits =>
    (finding) =>
      finding.time === time && fits(finding);
  const kind = (...kinds: Finding['kind'][]): Fits => then((finding) => kinds.includes(finding.kind));
  switch (event.event_type) {
    case 'message':
      return (finding) =>
        finding.kind === 'message' &&
        finding.turn === event.turn &&
        finding.ordinal === event.ordinal &&
        isSame(finding.origin, event.origin);
    case 'message_rejected':
      return (finding) =>
        finding.kind === 'rejected' && finding.reason === event.reason && isSame(finding.origin, event.origin);
    case 'message_hint':
      return (finding) =>
        finding.kind === 'hint' && finding.hint === event.hint && isSame(finding.origin, event.origin);
    case 'message_corrected':
      return (finding) => finding.kind === 'corrected' && isSame(finding.origin, event.origin);
    case 'item_opened':
      if (event.task_id !== undefined || event.workflow_id !== undefined) return null;
      if (event.data['source'] === 'budget') return kind('usage');
      return then((finding) => {
        if (finding.kind !== 'message' && finding.kind !== 'attention') return false;
        return item === null || finding.origin.from === item.origin.from;
      });
    case 'item_answered':
      return event.answer.by === 'terminal' ? then(({ kind: found }) => GOES_ON.has(found)) : null;
    case 'item_withdrawn':
      if (UNHEARD.has(event.reason)) return null;
      return event.reason === 'gone' ? kind('attention_over', 'attention') : kind('exited');
    case 'answer_written':
      return event.origin.ear === 'tool'
        ? (finding) => finding.kind === 'given' && isSame(finding.origin, event.origin)
        : (finding) => finding.kind === 'written' && finding.writeId === event.write_id;
    case 'answer_acknowledged':
      return then(({ kind: found }) => GOES_ON.has(found));
    case 'answer_stalled':
      if (event.reason === 'write_failed') return kind('write_failed');
      if (event.reason === 'text_changed') return kind('prompt');
      if (event.reason === 'dialog_stays') return kind('attention_over');
      return event.reason === 'session_ended' ? kind('exited') : null;
    case 'session_state_changed':
      return event.state === 'lost' || event.state === 'starting'
        ? null
        : then((finding) => givesState(finding, event));
    default: {
      const found = FINDING_OF[event.event_type];
      return found ? kind(found) : null;
    }
  }
}

function givesState(finding: Finding, { state, state_source }: EventOf<'session_state_changed'>): boolean {
  switch (finding.kind) {
    case 'message':
      return state_source === 'message' && stateOfMessage(finding.message) === state;
    case 'activity':
      return finding.source === state_source && STATE_OF[finding.activity] === state;
    case 'attention':
      return state === 'waiting' && state_source === 'screen';
    case 'attention_over': // the state beneath becomes visible again
    case 'exited':
      return true;
    case 'busy':
    case 'turn':
    case 'given':
      return state_source === 'process' && state === 'working';
    default:
      return false;
  }
}

const isSame = (one: Origin, other: Origin): boolean =>
  one.ear === other.ear && one.from === other.from && one.to === other.to;
