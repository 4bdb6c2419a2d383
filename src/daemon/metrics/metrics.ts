/**
 * The daemon's metrics: observed values (observer.ts), and the current state of the components.
 *
 * Values are not sampled in between, so the daemon is not woken without a request. The event loop's lag is measured
 * during the request, and CPU time is a counter.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeliveryPending, timestamp } from '../../lifecycle/index.js';
import { type DaemonMetricsOutput, ITEM_BADGES, type MetricFamily, STATE_BADGES } from '../../protocol/index.js';
import type { Answers } from '../answers/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { Notifier } from '../notify/index.js';
import type { Registry } from '../registry/index.js';
import type { Observer } from './observer.js';

export interface MetricsPorts {
  readonly now: () => number;
  /** When the daemon started, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly registry: Registry;
  readonly observer: Observer;
  readonly watchers: Watchers;
  readonly notifier: Notifier;
  readonly answers: Answers;
  readonly bus: EventBus;
  readonly outbox: Outbox;
}

type Sample = MetricFamily['samples'][number];

/**
 * Measures and returns all metrics of the daemon. Takes one turn of the event loop, whose lag is one of the metrics.
 */
export async function collectMetrics(
  ports: MetricsPorts,
  monotonicNow = () => performance.now(),
): Promise<DaemonMetricsOutput> {
  const now = ports.now();
  const asked = monotonicNow();
  await nextTurn();
  const lagMs = monotonicNow() - asked;
  const families = [...ports.observer.families(now), ...sessionFamilies(ports, now), ...queueFamilies(ports)];
  return { since: timestamp(ports.startedAt), families: [...families, ...processFamilies(ports, lagMs)] };
}

const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples: [...samples],
});
const counter = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples: [{ labels: {}, value }],
});
const one = (value: number): Sample[] => [{ labels: {}, value }];

function sessionFamilies({ registry, observer }: MetricsPorts, now: number): MetricFamily[] {
  const sessions = registry.sessions();
  const living = sessions.filter(({ ended_at }) => ended_at === null);
  const items = registry.items();
  const blocked = observer.blockedSeconds(now);
  const states = Object.keys(STATE_BADGES);
  const pairs = Object.keys(ITEM_BADGES).flatMap((type) =>
    (['open', 'answered', 'withdrawn'] as const).map((state) => ({ type, state })),
  );
  return [
    gauge(
      'orchd_sessions',
      'Living sessions, by state.',
      states.map((state) => ({ labels: { state }, value: living.filter((session) => session.state === state).length })),
    ),
    gauge('orchd_sessions_ended', 'Sessions that have ended and are kept.', one(sessions.length - living.length)),
    gauge(
      'orchd_session_blocked_seconds',
      'How long a living session had an open item.',
      living.map(({ id }) => ({ labels: { session: id }, value: blocked.get(id) ?? 0 })),
    ),
    gauge(
      'orchd_items',
      'Items that are kept, by type and state.',
      pairs.map((labels) => ({
        labels,
        value: items.filter(({ type, state }) => type === labels.type && state === labels.state).length,
      })),
    ),
    gauge(
      'orchd_journal_bytes',
      'Bytes of the journals of living sessions that orchd has read.',
      one(living.reduce((sum, { journal_position }) => sum + journal_position, 0)),
    ),
  ];
}

function queueFamilies({ outbox, notifier, registry, watchers, bus, answers }: MetricsPorts): MetricFamily[] {
  const { pending, due } = notifier.depth;
  const underWay = [...registry.entries].flatMap(({ aggregate }) =>
    aggregate.items.filter(({ item }) => isDeliveryPending(item.answer)),
  );
  const depths: Readonly<Record<string, number>> = {
    outbox_events: outbox.depth.events,
    outbox_parts: outbox.depth.parts,
    answers: underWay.length,
    notifications: pending,
    notify_command: due,
  };
  return [
    gauge(
      'orchd_queue_depth',
      'Length of the queues: events to store, answers to type, notifications to send, items for the notify command.',
      Object.entries(depths).map(([queue, value]) => ({ labels: { queue }, value })),
    ),
    gauge(
      'orchd_subscribers',
      'Streams that are open: of events, of terminals.',
      Object.entries(watchers.counts).map(([stream, value]) => ({ labels: { stream }, value })),
    ),
    gauge(
      'orchd_answers_overdue',
      'Accepted answers that are neither written nor stalled after sessions.stall_ms. Should be 0.',
      one(answers.overdue),
    ),
    gauge('orchd_store_full', '1 while the disk takes no more.', one(outbox.isFull ? 1 : 0)),
    gauge('orchd_event_seq', 'The newest event’s place in the log.', one(bus.lastSeq)),
  ];
}

function processFamilies({ startedAt }: MetricsPorts, lagMs: number): MetricFamily[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const { active } = performance.eventLoopUtilization();
  return [
    gauge('orchd_event_loop_lag_seconds', 'How long a turn of the event loop took just now.', one(lagMs / 1000)),
    counter('orchd_event_loop_active_seconds_total', 'How long the event loop was busy.', active / 1000),
    counter('process_cpu_seconds_total', 'CPU time of the daemon.', (user + system) / 1_000_000),
    gauge('process_resident_memory_bytes', 'Memory of the daemon.', one(rss)),
    gauge('process_heap_bytes', 'JavaScript memory of the daemon that is in use.', one(heapUsed)),
    gauge('process_start_time_seconds', 'When the daemon started (Unix time).', one(startedAt / 1000)),
  ];
}

/** Counts the open streams of each kind. */
type StreamKind = 'events' | 'terminal';

interface Watchers {
  /** Counts a stream as open until the returned function is called. */
  add(kind: StreamKind): () => void;
  readonly counts: Readonly<Record<StreamKind, number>>;
}

/** Creates the counts of open streams. `add` counts a stream and returns the function that ends it. */
export function createWatchers(): Watchers {
  const counts: Record<StreamKind, number> = { events: 0, terminal: 0 };
  return {
    counts,
    add(kind) {
      counts[kind]++;
      let isOpen = true;
      return () => {
        if (isOpen) counts[kind]--;
        isOpen = false;
      };
    },
  };
}
