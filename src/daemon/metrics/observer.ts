/**
 * Counts and times announced events: how fast people are asked, and how fast they answer.
 *
 * In:   stored events with their times; the items that were open at the start.
 * Out:  metric families. All counters start at 0 with the daemon, which Prometheus can handle.
 */
import type { Event, Item, MetricFamily, Session } from '../../protocol/index.js';
import type { NewEvent } from '../../store/index.js';
import { createHistogram, type Histogram } from './family.js';
import { createUsageTally } from './usage-tally.js';

export interface Observer {
  /** Sets the items that are open when the daemon starts, and the usage of the sessions. */
  start(items: readonly Item[], sessions: readonly Pick<Session, 'id' | 'usage'>[], now: number): void;
  take(events: readonly NewEvent[], now: number): void;
  families(now: number): MetricFamily[];
  /** Returns for how many seconds each session has had an open item. Sessions without one are left out. */
  blockedSeconds(now: number): ReadonlyMap<string, number>;
  /** Called when a session is removed: its time remains in the totals only. */
  forget(sessionId: string): void;
}

/**
 * Buckets for times between machines: from the end of a message to its event, from an answer to its acknowledgement.
 */
const MACHINE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Buckets for the reaction times of people. */
const PERSON_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 43_200, 86_400];
/** Maximum number of answers whose acknowledgement is awaited. */
const MAX_ANSWERED = 1_000;

/** The kind of the client that answered. Clients choose their names freely, so names are not distinguished. */
type AnsweredBy = 'client' | 'terminal' | 'deadline';

interface Blocked {
  readonly items: Set<string>;
  since: number;
  seconds: number;
}

/** Creates the observer that counts and times stored events. */
export function createObserver(): Observer {
  const counts = { events: tally(), messages: tally(), rejected: tally(), stalled: tally() };
  const notice = createHistogram(MACHINE_SECONDS);
  const written = createHistogram(MACHINE_SECONDS);
  const acknowledged = createHistogram(MACHINE_SECONDS);
  const answer: Readonly<Record<AnsweredBy, Histogram>> = {
    client: createHistogram(PERSON_SECONDS),
    terminal: createHistogram(PERSON_SECONDS),
    deadline: createHistogram(PERSON_SECONDS),
  };
  const usage = createUsageTally();
  const openedAt = new Map<string, number>();
  const answeredAt = new Map<string, number>();
  const blocked = new Map<string, Blocked>();
  let forgottenSeconds = 0;

  function open(itemId: string, sessionId: string, time: number, countFrom: number): void {
    openedAt.set(itemId, time);
    const known = blocked.get(sessionId) ?? { items: new Set(), since: countFrom, seconds: 0 };
    if (known.items.size === 0) known.since = countFrom;
    known.items.add(itemId);
    blocked.set(sessionId, known);
  }

  function close(itemId: string, sessionId: string, time: number): number | null {
    const opened = openedAt.get(itemId);
    openedAt.delete(itemId);
    const known = blocked.get(sessionId);
    if (known?.items.delete(itemId) && known.items.size === 0) known.seconds += secondsBetween(known.since, time);
    return opened === undefined ? null : secondsBetween(opened, time);
  }

  function observe(event: Event, now: number): void {
    const time = Date.parse(event.timestamp);
    counts.events.add(event.event_type);
    switch (event.event_type) {
      case 'message':
        counts.messages.add(event.message.type);
        break;
      case 'message_rejected':
        counts.rejected.add(event.reason);
        break;
      case 'session_usage_changed':
        usage.take(event.session_id, event.usage);
        break;
      case 'item_opened':
        notice.observe(secondsBetween(time, now));
        open(event.item_id, event.session_id, time, time);
        break;
      case 'item_reopened':
        open(event.item_id, event.session_id, time, time);
        answeredAt.delete(event.item_id);
        break;
      case 'item_withdrawn':
        close(event.item_id, event.session_id, time);
        break;
      case 'item_answered':
        observeAnswer(event, time);
        break;
      case 'answer_written':
      case 'answer_acknowledged': {
        const since = answeredAt.get(event.item_id);
        const isLast = event.event_type === 'answer_acknowledged';
        if (since !== undefined) (isLast ? acknowledged : written).observe(secondsBetween(since, time));
        if (isLast) answeredAt.delete(event.item_id);
        break;
      }
      case 'answer_stalled':
        counts.stalled.add(event.reason);
        break;
    }
  }

  function observeAnswer(event: Extract<Event, { event_type: 'item_answered' }>, time: number): void {
    const seconds = close(event.item_id, event.session_id, time);
    const { by } = event.answer;
    if (seconds !== null) answer[by === 'terminal' || by === 'deadline' ? by : 'client'].observe(seconds);
    answeredAt.set(event.item_id, time);
    const oldest = answeredAt.keys().next().value;
    if (answeredAt.size > MAX_ANSWERED && oldest !== undefined) answeredAt.delete(oldest);
  }

  const secondsOf = ({ items, since, seconds }: Blocked, now: number): number =>
    seconds + (items.size > 0 ? secondsBetween(since, now) : 0);

  return {
    start(items, sessions, now) {
      for (const session of sessions) if (session.usage) usage.begin(session.id, session.usage);
      for (const { id, session_id, opened_at } of items) open(id, session_id, Date.parse(opened_at), now);
    },
    take(events, now) {
      const imported = new Set<string | undefined>();
      for (const event of events) {
        // The events of an imported recording come all at once, with past times. No person waited for its items.
        if (event.event_type === 'session_started' && event['imported'] === true) imported.add(event.session_id);
        if (imported.has(event.session_id)) counts.events.add(event.event_type);
        else observe(event as unknown as Event, now); // only orchd writes events
      }
    },
    blockedSeconds: (now) => new Map([...blocked].map(([id, one]) => [id, secondsOf(one, now)])),
    forget(sessionId) {
      const known = blocked.get(sessionId);
      if (!known || known.items.size > 0) return;
      forgottenSeconds += known.seconds;
      blocked.delete(sessionId);
    },
    families(now) {
      const total = [...blocked.values()].reduce((sum, one) => sum + secondsOf(one, now), forgottenSeconds);
      const timed = (name: string, help: string, histogram: Histogram): MetricFamily => ({
        name,
        help,
        type: 'histogram',
        samples: [{ labels: {}, histogram: histogram.value }],
      });
      const answered = Object.entries(answer).map(([by, histogram]) => ({
        labels: { by },
        histogram: histogram.value,
      }));
      return [
        timed('orchd_notice_seconds', 'From what opened an item in the journal to its event on disk.', notice),
        {
          name: 'orchd_answer_seconds',
          type: 'histogram',
          samples: answered,
          help: 'From an item to its answer, by a client, in the terminal itself, or by the deadline.',
        },
        timed('orchd_answer_written_seconds', 'From an answer to its last byte in the pty.', written),
        timed('orchd_answer_acknowledged_seconds', 'From an answer to what shows that it was taken.', acknowledged),
        {
          name: 'orchd_blocked_seconds_total',
          type: 'counter',
          samples: [{ labels: {}, value: total }],
          help: 'How long sessions had an open item, all together.',
        },
        ...usage.families(),
        counted('orchd_events_total', 'Events, by type.', 'type', counts.events),
        counted('orchd_messages_total', 'Messages, by type.', 'type', counts.messages),
        counted('orchd_messages_rejected_total', 'What was no message, by reason.', 'reason', counts.rejected),
        counted(
          'orchd_answers_stalled_total',
          'Answers that had to wait or failed, by reason.',
          'reason',
          counts.stalled,
        ),
      ];
    },
  };
}

interface Tally {
  add(key: string): void;
  readonly entries: Iterable<readonly [string, number]>;
}

function tally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    entries: counts,
  };
}

function counted(name: string, help: string, label: string, { entries }: Tally): MetricFamily {
  const samples = [...entries].sort().map(([key, value]) => ({ labels: { [label]: key }, value }));
  return { name, help, type: 'counter', samples };
}

const secondsBetween = (from: number, to: number): number => Math.max(0, to - from) / 1000;
