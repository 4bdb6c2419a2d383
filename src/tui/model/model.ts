/**
 * The TUI's state of the daemon: sessions, items, events. Pure: takes snapshots and events, returns a model.
 *
 * A snapshot is followed by the events after the `seq` read before it, so some events are applied twice. The result is
 * the same, because every rule sets values and none counts.
 */
import {
  type Answer,
  type ChangeSize,
  type Event,
  type HealthFinding,
  healthOf,
  type Item,
  isAlive,
  type JournalSize,
  newSession,
  type OutputOf,
  type Session,
  saidOfSession,
  type WorkflowRun,
  type WorkflowRunSummary,
} from '../../protocol/index.js';
import { NO_WORK, takeWork, type Work } from '../work/work-model.js';
import {
  attemptStarted,
  type KnownWorkflows,
  workflowChanged,
  workflowCreated,
  workflowsInOrder,
} from '../workflow/workflow-model.js';
import { byAge, type ItemEntry } from './items/item-entry.js';
import { answeredThere, type OnHub, type OtherSession, takeOthers } from './other-machines.js';

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
  /** Sizes and rates of the journals of living sessions, by id, from the last periodic query (follow-daemon.ts). */
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

/** Maximum number of events to scroll back to and search. */
const MAX_FEED = 1_000;
const MAX_ENDED = 50;

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
    health: healthOf(status),
    journals: bySession(status.journals),
    changes: bySession(status.changes),
    startedAt: model.startedAt || at,
    sessions: inOrder(sessions),
    items: byAge([...closed, ...fresh]),
  };
}

function takeEvent(model: Model, event: Event): Model {
  // A newer daemon may send event types that this version does not know.
  const rule = RULES[event.event_type] as ((model: Model, event: Event) => Model) | null | undefined;
  const after = rule ? rule(model, event) : model;
  if (event.seq <= model.lastSeq) return after;
  return { ...after, lastSeq: event.seq, feed: [...after.feed.slice(1 - MAX_FEED), event] };
}

type Rules = {
  readonly [T in Event['event_type']]: ((model: Model, event: Extract<Event, { event_type: T }>) => Model) | null;
};

/** The rule of each event that changes the lists. Null: the event appears in the feed only. */
const RULES: Rules = {
  workflow_created: workflowCreated,
  workflow_state_changed: workflowChanged,
  run_attempt_started: attemptStarted,
  session_started: startSession,
  session_renamed: (model, { session_id, name }) => ({
    ...patchSession(model, session_id, () => ({ name })),
    items: model.items.map((entry) =>
      entry.item.session_id === session_id ? { ...entry, item: { ...entry.item, session_name: name } } : entry,
    ),
  }),
  session_tagged: (model, { session_id, tags }) =>
    replaceSession(model, session_id, ({ tags: _before, ...session }) =>
      tags.length === 0 ? session : { ...session, tags },
    ),
  session_state_changed: (model, { session_id, state, state_source, timestamp }) => ({
    ...patchSession(model, session_id, () => ({ state, state_source })),
    changed: new Map(model.changed).set(session_id, timestamp),
  }),
  session_transcript_changed: (model, { session_id, transcript, agent_session_id }) =>
    patchSession(model, session_id, () => ({ transcript, agent_session_id })),
  session_idle_changed: (model, { session_id, idle }) =>
    replaceSession(model, session_id, ({ idle: _before, ...session }) => (idle ? { ...session, idle } : session)),
  session_exited: (model, { session_id, state, exit_code, signal, ended_by, ended_by_name, timestamp }) =>
    replaceSession(model, session_id, ({ idle: _idle, ...session }) => ({
      ...session,
      state,
      exit_code,
      signal,
      ended_at: timestamp,
      ...(ended_by !== undefined && { ended_by }),
      ...(ended_by_name !== undefined && { ended_by_name }),
    })),
  session_lost: (model, { session_id, state, timestamp }) =>
    patchSession(model, session_id, () => ({ state, ended_at: timestamp })),
  session_revived: (model, { session_id, pid, size, agent_session_id, transcript }) =>
    replaceSession(model, session_id, ({ ended_by: _by, ended_by_name: _name, idle: _idle, ...session }) => ({
      ...session,
      pid,
      size,
      agent_session_id,
      transcript,
      state: 'starting',
      ended_at: null,
      exit_code: null,
      signal: null,
    })),
  session_removed: (model, { session_id }) => ({
    ...model,
    sessions: model.sessions.filter(({ id }) => id !== session_id),
  }),
  session_restored: (model, { session }) => addSession(model, session),
  message: (model, { session_id, message }) =>
    patchSession(model, session_id, (session) => saidOfSession(session, message)),
  message_corrected: (model, { message_id, message }) => ({
    ...model,
    items: model.items.map((entry) =>
      entry.item.message_id === message_id && entry.item.state === 'open'
        ? { ...entry, item: exactItem(entry.item, message.data) }
        : entry,
    ),
  }),
  item_opened: openItem,
  item_changed: (model, { item_id, data }) => ({
    ...model,
    items: model.items.map((entry) =>
      entry.item.id === item_id && entry.item.state === 'open' ? { ...entry, item: { ...entry.item, data } } : entry,
    ),
  }),
  item_answered: (model, { item_id, answer, timestamp }) =>
    patchItem(model, item_id, timestamp, (item) => ({ ...item, state: 'answered', answer })),
  item_withdrawn: (model, { item_id, reason, timestamp }) =>
    patchItem(model, item_id, timestamp, (item) => ({ ...item, state: 'withdrawn' }), reason),
  item_reopened: (model, { item }) => {
    const others = model.items.filter((entry) => entry.item.id !== item.id);
    return { ...model, items: byAge([...others, { item, changedAt: null, withdrawn: null }]) };
  },
  answer_accepted: (model, { item_id, timestamp }) => deliver(model, item_id, timestamp, { delivery: 'accepted' }),
  answer_written: (model, { item_id, timestamp }) => deliver(model, item_id, timestamp, { delivery: 'written' }),
  answer_acknowledged: (model, { item_id, timestamp, evidence }) =>
    deliver(model, item_id, timestamp, { delivery: 'acknowledged', evidence }),
  answer_stalled: (model, { item_id, timestamp, reason, seen }) =>
    deliver(model, item_id, timestamp, {
      delivery: 'stalled',
      stalled_reason: reason,
      ...(seen !== undefined && { seen }),
    }),
  daemon_started: null,
  journal_damaged: null,
  session_paused: null,
  session_resumed: null,
  session_usage_changed: null,
  message_rejected: null,
  message_hint: null,
  item_notified: null,
  blueprint_saved: null,
  blueprint_deleted: null,
  task_created: null,
  task_state_changed: null,
  planner_output_submitted: null,
  completion_report_submitted: null,
  workflow_step_changed: null,
  run_created: null,
  run_attempt_ended: null,
  run_asking: null,
  run_rate_limited: null,
  result: null,
};

function startSession(model: Model, event: Extract<Event, { event_type: 'session_started' }>): Model {
  const { session_id: id, name, adapter, command, cwd, pid, size, key_required, parent_session_id, timestamp } = event;
  const { mode = 'pty', workflow_id, tags } = event;
  const known = { id, name, adapter, mode, command, cwd, pid, size, key_required, parent_session_id };
  const session = { ...newSession({ ...known, created_at: timestamp }), ...(tags && { tags }) };
  return addSession(model, workflow_id === undefined ? session : { ...session, workflow_id });
}

function addSession(model: Model, session: Session): Model {
  if (model.sessions.some(({ id }) => id === session.id)) return model;
  return { ...model, sessions: inOrder([...model.sessions, session]) };
}

function openItem(model: Model, event: Extract<Event, { event_type: 'item_opened' }>): Model {
  const { item_id: id, session_id, type, data, message_id, timestamp, task_id, run_id, workflow_id } = event;
  const { extra, exact } = event;
  if (model.items.some(({ item }) => item.id === id)) return model;
  const item: Item = {
    id,
    session_id,
    type,
    data,
    message_id,
    opened_at: timestamp,
    ...(extra !== undefined && { extra }),
    ...(task_id !== undefined && { task_id }),
    ...(exact !== undefined && { exact }),
    ...(run_id !== undefined && { run_id }),
    ...(workflow_id !== undefined && { workflow_id }),
    session_name: model.sessions.find((session) => session.id === session_id)?.name ?? session_id,
    state: 'open',
    answer: null,
    origin: originOf(model, message_id) ?? { ear: 'lines', from: 0, to: 0 },
  };
  return { ...model, items: byAge([...model.items, { item, changedAt: null, withdrawn: null }]) };
}

/** Returns the item with the agent's exact words, taken from its transcript. */
function exactItem({ exact: _exact, ...item }: Item, data: Item['data']): Item {
  return { ...item, data };
}

/** The message that opened an item always precedes it in the feed. */
function originOf({ feed }: Model, messageId: string | null): Item['origin'] | null {
  const message = feed.findLast((event) => event.event_type === 'message' && event.message_id === messageId);
  return message?.event_type === 'message' ? message.origin : null;
}

function deliver(model: Model, id: string, timestamp: string, change: Partial<Answer>): Model {
  return patchItem(model, id, timestamp, (item) =>
    item.answer ? { ...item, answer: { ...item.answer, ...change } } : item,
  );
}

function patchItem(
  model: Model,
  id: string,
  timestamp: string,
  change: (item: Item) => Item,
  withdrawn: string | null = null,
): Model {
  const at = model.items.findIndex(({ item }) => item.id === id);
  const entry = model.items[at];
  if (!entry) return model;
  const item = change(entry.item);
  if (item.state !== 'open' && Date.parse(timestamp) < model.startedAt)
    return { ...model, items: model.items.toSpliced(at, 1) };
  return {
    ...model,
    items: model.items.with(at, {
      item,
      changedAt: item.state === 'open' ? null : Date.parse(timestamp),
      withdrawn: withdrawn ?? entry.withdrawn,
    }),
  };
}

function patchSession(model: Model, id: string, change: (session: Session) => Partial<Session>): Model {
  return replaceSession(model, id, (session) => ({ ...session, ...change(session) }));
}

function replaceSession(model: Model, id: string, change: (session: Session) => Session): Model {
  const at = model.sessions.findIndex((session) => session.id === id);
  const session = model.sessions[at];
  if (!session) return model;
  const next = change(session);
  const sessions = model.sessions.with(at, next);
  return { ...model, sessions: next.ended_at === session.ended_at ? sessions : inOrder(sessions) };
}

function inOrder(sessions: readonly Session[]): Session[] {
  const living = sessions.filter(isAlive).sort((a, b) => a.created_at.localeCompare(b.created_at));
  const ended = sessions
    .filter((session) => !isAlive(session))
    .sort((a, b) => (b.ended_at ?? '').localeCompare(a.ended_at ?? ''));
  return [...living, ...ended.slice(0, MAX_ENDED)];
}

// ── what screens ask ────────────────────────────────────────────────────────────────────────────────────────────────

export * from './items/open-items.js';
export { isAlive };
