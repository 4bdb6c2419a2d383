/**
 * Counts and times announced events: how fast people are asked, and how fast they answer.
 *
 * In:   stored events with their times; the items that were open at the start.
 * Out:  metric families. All counters start at 0 with the daemon, which Prometheus can handle.
 */
import type { Event, Item, MetricFamily, Session } from '../../protocol/index.js';
import type { NewEvent } from '../../store/index.js';
import { BlockedTime, secondsBetween } from './blocked-time.js';
import { createHistogram, type Histogram } from './histogram.js';
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

type ItemAnswered = Extract<Event, { event_type: 'item_answered' }>;
/** The kind of the client that answered. Clients choose their names freely, so names are not distinguished. */
type AnsweredBy = 'client' | 'terminal' | 'deadline';

/** Creates the observer that counts and times stored events. */
export const createObserver = (): Observer => new EventObserver();

class EventObserver implements Observer {
  readonly #counts = { events: tally(), messages: tally(), rejected: tally(), stalled: tally() };
  readonly #noticed = createHistogram(MACHINE_SECONDS);
  readonly #written = createHistogram(MACHINE_SECONDS);
  readonly #acknowledged = createHistogram(MACHINE_SECONDS);
  readonly #answered: Readonly<Record<AnsweredBy, Histogram>> = {
    client: createHistogram(PERSON_SECONDS),
    terminal: createHistogram(PERSON_SECONDS),
    deadline: createHistogram(PERSON_SECONDS),
  };
  readonly #usage = createUsageTally();
  readonly #blocked = new BlockedTime();
  readonly #answeredAt = new Map<string, number>();

  start(items: readonly Item[], sessions: readonly Pick<Session, 'id' | 'usage'>[], now: number): void {
    for (const { id, usage } of sessions) if (usage) this.#usage.begin(id, usage);
    for (const { id, session_id, opened_at } of items) this.#blocked.open(id, session_id, Date.parse(opened_at), now);
  }

  take(events: readonly NewEvent[], now: number): void {
    const imported = new Set<string | undefined>();
    for (const event of events) {
      // The events of an imported recording come all at once, with past times. No person waited for its items.
      if (event.event_type === 'session_started' && event['imported'] === true) imported.add(event.session_id);
      this.#counts.events.add(event.event_type);
      if (!imported.has(event.session_id)) this.#observe(event as unknown as Event, now); // only orchd writes events
    }
  }

  blockedSeconds(now: number): ReadonlyMap<string, number> {
    return this.#blocked.bySession(now);
  }

  forget(sessionId: string): void {
    this.#blocked.forget(sessionId);
  }

  families(now: number): MetricFamily[] {
    const { events, messages, rejected, stalled } = this.#counts;
    return [
      ...this.#timeFamilies(),
      {
        name: 'orchd_blocked_seconds_total',
        type: 'counter',
        samples: [{ labels: {}, value: this.#blocked.total(now) }],
        help: 'How long sessions had an open item, all together.',
      },
      ...this.#usage.families(),
      counted('orchd_events_total', 'Events, by type.', 'type', events),
      counted('orchd_messages_total', 'Messages, by type.', 'type', messages),
      counted('orchd_messages_rejected_total', 'What was no message, by reason.', 'reason', rejected),
      counted('orchd_answers_stalled_total', 'Answers that had to wait or failed, by reason.', 'reason', stalled),
    ];
  }

  #timeFamilies(): MetricFamily[] {
    const byClient = Object.entries(this.#answered).map(([by, { value }]) => ({ labels: { by }, histogram: value }));
    const [noticed, written, acknowledged] = [this.#noticed, this.#written, this.#acknowledged];
    return [
      timed('orchd_notice_seconds', 'From what opened an item in the journal to its event on disk.', noticed),
      {
        name: 'orchd_answer_seconds',
        type: 'histogram',
        samples: byClient,
        help: 'From an item to its answer, by a client, in the terminal itself, or by the deadline.',
      },
      timed('orchd_answer_written_seconds', 'From an answer to its last byte in the pty.', written),
      timed('orchd_answer_acknowledged_seconds', 'From an answer to what shows that it was taken.', acknowledged),
    ];
  }

  #observe(event: Event, now: number): void {
    const time = Date.parse(event.timestamp);
    switch (event.event_type) {
      case 'message':
        this.#counts.messages.add(event.message.type);
        break;
      case 'message_rejected':
        this.#counts.rejected.add(event.reason);
        break;
      case 'session_usage_changed':
        this.#usage.take(event.session_id, event.usage);
        break;
      case 'item_opened':
        this.#noticed.observe(secondsBetween(time, now));
        this.#blocked.open(event.item_id, event.session_id, time, time);
        break;
      case 'item_reopened':
        this.#blocked.open(event.item_id, event.session_id, time, time);
        this.#answeredAt.delete(event.item_id);
        break;
      case 'item_withdrawn':
        this.#blocked.close(event.item_id, event.session_id, time);
        break;
      case 'item_answered':
        this.#observeAnswer(event, time);
        break;
      case 'answer_written':
        this.#sinceAnswer(event.item_id, time, this.#written);
        break;
      case 'answer_acknowledged':
        this.#sinceAnswer(event.item_id, time, this.#acknowledged);
        this.#answeredAt.delete(event.item_id);
        break;
      case 'answer_stalled':
        this.#counts.stalled.add(event.reason);
        break;
    }
  }

  #observeAnswer({ item_id, session_id, answer: { by } }: ItemAnswered, time: number): void {
    const seconds = this.#blocked.close(item_id, session_id, time);
    if (seconds !== null) this.#answered[by === 'terminal' || by === 'deadline' ? by : 'client'].observe(seconds);
    this.#answeredAt.set(item_id, time);
    const oldest = this.#answeredAt.keys().next().value;
    if (this.#answeredAt.size > MAX_ANSWERED && oldest !== undefined) this.#answeredAt.delete(oldest);
  }

  #sinceAnswer(itemId: string, time: number, histogram: Histogram): void {
    const since = this.#answeredAt.get(itemId);
    if (since !== undefined) histogram.observe(secondsBetween(since, time));
  }
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

const timed = (name: string, help: string, { value }: Histogram): MetricFamily => ({
  name,
  help,
  type: 'histogram',
  samples: [{ labels: {}, histogram: value }],
});
