/** Changes the model by events: one rule for each type. Pure. */
import {
  type Answer,
  type Event,
  type Item,
  isAlive,
  newSession,
  type Session,
  saidOfSession,
} from '../../protocol/index.js';
import { byAge } from './items/item-entry.js';
import type { Model } from './model.js';
import { attemptStarted, workflowChanged, workflowCreated } from './workflow-model.js';

/** Maximum number of events to scroll back to and search. */
const MAX_FEED = 1_000;
const MAX_ENDED = 50;

export function takeEvent(model: Model, event: Event): Model {
  // A newer daemon may send event types that this version does not know.
  const rule = RULES[event.event_type] as ((model: Model, event: Event) => Model) | undefined;
  const after = rule ? rule(model, event) : model;
  if (event.seq <= model.lastSeq) return after;
  return { ...after, lastSeq: event.seq, feed: [...after.feed.slice(1 - MAX_FEED), event] };
}

type Rules = {
  readonly [T in Event['event_type']]?: (model: Model, event: Extract<Event, { event_type: T }>) => Model;
};

/** The rule of each event that changes the model's lists. An event without a rule appears in the feed only. */
export const RULES: Rules = {
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
  session_usage_changed: (model, { session_id, usage }) => patchSession(model, session_id, () => ({ usage })),
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
  message_hint: (model, { session_id, hint, seen, message }) =>
    patchSession(model, session_id, ({ hints = [] }) => ({ hints: [...hints, { hint, seen, message }] })),
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
};

function startSession(model: Model, event: Extract<Event, { event_type: 'session_started' }>): Model {
  const { session_id: id, name, adapter, command, cwd, pid, size, key_required, parent_session_id, timestamp } = event;
  const { mode = 'pty', workflow_id, tags, project } = event;
  const known = { id, name, adapter, mode, command, cwd, pid, size, key_required, parent_session_id };
  const session = {
    ...newSession({ ...known, created_at: timestamp }),
    ...(project && { project }),
    ...(tags && { tags }),
  };
  return addSession(model, workflow_id === undefined ? session : { ...session, workflow_id });
}

export function addSession(model: Model, session: Session): Model {
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

export function inOrder(sessions: readonly Session[]): Session[] {
  const living = sessions.filter(isAlive).sort((a, b) => a.created_at.localeCompare(b.created_at));
  const ended = sessions
    .filter((session) => !isAlive(session))
    .sort((a, b) => (b.ended_at ?? '').localeCompare(a.ended_at ?? ''));
  return [...living, ...ended.slice(0, MAX_ENDED)];
}
