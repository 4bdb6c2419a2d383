/**
 * The TUI's state of the daemon: sessions, items, events. Pure: takes snapshots and events, returns a model.
 *
 * A snapshot is followed by the events after the `seq` read before it, so some events are applied twice. The result is
 * the same, because every rule sets values and none counts.
 */
import type {
  ChangeSize,
  Event,
  HealthFinding,
  Item,
  JournalSize,
  OutputOf,
  Session,
  WorkflowRun,
  WorkflowRunSummary,
} from '../../protocol/index.js';
import { addSession, inOrder, takeEvent } from './event-rules.js';
import { byAge, type ItemEntry } from './items/item-entry.js';
import { answeredThere, type OnHub, type OtherSession, takeOthers } from './other-machines.js';
import { tuiHealth } from './tui-health.js';
import { NO_WORK, takeWork, type Work } from './work-model.js';
import { type KnownWorkflows, workflowsInOrder } from './workflow-model.js';

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** The daemon went away, and the client is reconnecting. */
  | { readonly kind: 'away'; readonly why: string };

export interface Model extends KnownWorkflows {
  /** Tasks, runs and blueprints. */
  readonly work: Work;
  readonly connection: Connection;
  readonly daemon: OutputOf<'daemon.status'>['daemon'] | null;
  /** The problems of the daemon, the most important first. */
  readonly health: readonly HealthFinding[];
  /** Sizes and rates of the journals, by id, from the last periodic query (follow-daemon.ts). */
  readonly journals: ReadonlyMap<string, JournalSize>;
  /** Sizes of the uncommitted changes in linked worktrees, by session id, from the same query. */
  readonly changes: ReadonlyMap<string, ChangeSize>;
  /** Living sessions by age, then ended ones, the latest end first. */
  readonly sessions: readonly Session[];
  /** Living sessions of the other machines of the hub. */
  readonly others: readonly OtherSession[];
  /** When the state of a session last changed, by its id. A session that is missing has not changed since the start. */
  readonly changed: ReadonlyMap<string, string>;
  /** Open items, oldest first, and recently closed ones, which keep their position. */
  readonly items: readonly ItemEntry[];
  /** Events, the newest last. */
  readonly feed: readonly Event[];
  /** The `seq` of the newest event. */
  readonly lastSeq: number;
  /** The time of the first snapshot (ms). Items closed before it are not shown. */
  readonly startedAt: number;
}

export interface Snapshot {
  readonly status: OutputOf<'daemon.status'>;
  readonly sessions: readonly Session[];
  readonly items: readonly Item[];
}

export type ModelInput =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly at: number }
  | { readonly kind: 'event'; readonly event: Event }
  /** The events before the snapshot, up to its last one. */
  | { readonly kind: 'history'; readonly events: readonly Event[] }
  /** A session started from this TUI, as the daemon answered. Its event may arrive later. */
  | { readonly kind: 'started'; readonly session: Session }
  /** The newest workflows, at most one page. */
  | { readonly kind: 'workflows'; readonly workflows: readonly WorkflowRunSummary[] }
  | { readonly kind: 'workflow'; readonly workflow: WorkflowRun }
  | { readonly kind: 'work'; readonly work: Partial<Work> }
  /** The state of all machines on the hub; null without a hub. */
  | { readonly kind: 'machines'; readonly hub: OnHub | null; readonly at: number }
  /** An item of another machine that was answered from here, with the answer. */
  | { readonly kind: 'answered_there'; readonly item: Item; readonly at: number }
  | { readonly kind: 'away'; readonly why: string }
  | { readonly kind: 'health'; readonly health: readonly HealthFinding[] }
  | { readonly kind: 'journals'; readonly journals: Snapshot['status']['journals'] }
  | { readonly kind: 'changes'; readonly changes: Snapshot['status']['changes'] }
  /** Time passes. Items closed for long enough are removed, except for the item that is being shown. */
  | { readonly kind: 'tick'; readonly at: number; readonly shownId: string | null };

export const EMPTY_MODEL: Model = {
  connection: { kind: 'connecting' },
  daemon: null,
  health: [],
  journals: new Map(),
  changes: new Map(),
  sessions: [],
  others: [],
  changed: new Map(),
  items: [],
  feed: [],
  workflows: [],
  workflow: null,
  work: NO_WORK,
  lastSeq: 0,
  startedAt: 0,
};

export function reduce(model: Model, input: ModelInput): Model {
  switch (input.kind) {
    case 'snapshot':
      return takeSnapshot(model, input.snapshot, input.at);
    case 'event':
      return takeEvent(model, input.event);
    case 'history':
      return input.events.reduce(takeEvent, model);
    case 'started':
      return addSession(model, input.session);
    case 'workflows':
      return { ...model, workflows: workflowsInOrder(input.workflows) };
    case 'workflow':
      return { ...model, workflow: input.workflow };
    case 'work':
      return { ...model, work: takeWork(model.work, input.work) };
    case 'machines':
      return { ...model, ...takeOthers(model, input.hub, input.at) };
    case 'answered_there':
      return { ...model, items: answeredThere(model.items, input.item, input.at) };
    case 'away':
      return { ...model, connection: { kind: 'away', why: input.why } };
    case 'health':
      return { ...model, health: input.health };
    case 'journals':
      return { ...model, journals: bySession(input.journals) };
    case 'changes':
      return { ...model, changes: bySession(input.changes) };
    case 'tick': {
      const items = model.items.filter((entry) => entry.item.id === input.shownId || isShown(entry, input.at));
      return items.length === model.items.length ? model : { ...model, items };
    }
  }
}

/** Milliseconds for which a closed item stays visible, by the delivery state of its answer. */
const LINGER_MS = { acknowledged: 6_000, written: 10_000, accepted: 60_000, stalled: 300_000, none: 6_000 } as const;

function isShown({ item, changedAt }: ItemEntry, now: number): boolean {
  if (changedAt === null) return true;
  return now - changedAt < LINGER_MS[item.answer?.delivery ?? 'none'];
}

const bySession = <T extends { readonly session_id: string }>(all: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(all.map((one) => [one.session_id, one]));

function takeSnapshot(model: Model, { status, sessions, items }: Snapshot, at: number): Model {
  const open = new Set(items.map(({ id }) => id));
  // Closed items stay visible for a while. If an item was open before a disconnect and is missing after it, it was
  // closed in between. Later events may say how.
  const closed = model.items
    .filter(({ item }) => !open.has(item.id))
    .map(
      (entry): ItemEntry =>
        entry.changedAt !== null || entry.elsewhere
          ? entry
          : { item: { ...entry.item, state: 'withdrawn' }, changedAt: at, withdrawn: 'unseen' },
    );
  const fresh = items.map((item): ItemEntry => ({ item, changedAt: null, withdrawn: null }));
  return {
    ...model,
    connection: { kind: 'connected' },
    daemon: status.daemon,
    health: tuiHealth(status),
    journals: bySession(status.journals),
    changes: bySession(status.changes),
    startedAt: model.startedAt || at,
    sessions: inOrder(sessions),
    items: byAge([...closed, ...fresh]),
  };
}

// ── what screens ask ────────────────────────────────────────────────────────────────────────────────────────────────

export { isAlive } from '../../protocol/index.js';
export * from './items/open-items.js';
