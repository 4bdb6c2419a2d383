/** A decision under construction: collects events, effects and changed items. `done` completes it. */
import type { Item, NewEventOf } from '../../protocol/index.js';
import { timestamp } from '../timestamp.js';
import type { Decision, Effect, SessionAggregate, TrackedItem } from './aggregate.js';
import { isDeliveryPending } from './delivery-pending.js';
import { type Evidence, type Standing, standingAfter } from './session-state.js';

/** The evidence that changes an ended session. Output that is read later says nothing about its state. */
const AFTER_END: ReadonlySet<Evidence['kind']> = new Set(['exited', 'lost', 'revived']);

export type Draft = ReturnType<typeof createDraft>;

export function createDraft(aggregate: SessionAggregate) {
  const events: NewEventOf[] = [];
  const effects: Effect[] = [];
  const changed = new Map<string, Item>();
  const { session, standing, items, asks = [] } = aggregate;
  const draft = {
    session,
    standing,
    items,
    asks,
    effects,
    /** Why the rule changes nothing: the first reason that it gave; null if it gave none. */
    reason: null as string | null,
    /** Notes why the rule changes nothing at this place. The reason is ignored if the rule changes something else. */
    because(reason: string): void {
      draft.reason ??= reason;
    },
    isChanged: (): boolean =>
      events.length + effects.length > 0 ||
      draft.session !== session ||
      draft.standing !== standing ||
      draft.items !== items ||
      draft.asks !== asks,
    emit<T extends NewEventOf['event_type']>(type: T, time: number, fields: FieldsOf<T>): void {
      const event = { event_type: type, timestamp: timestamp(time), session_id: session.id, ...fields };
      events.push(event as unknown as NewEventOf); // built from the parts of this event type
    },
    addItem(item: Item, more: Pick<TrackedItem, 'keys' | 'decides' | 'labels'> = {}): void {
      draft.items = [
        ...draft.items,
        { item, openedTurn: draft.session.turn, writeId: null, answeredTurn: null, ...more },
      ];
      changed.set(item.id, item);
    },
    changeItems(which: (entry: TrackedItem) => boolean, change: (entry: TrackedItem) => TrackedItem): void {
      if (!draft.items.some(which)) return;
      draft.items = draft.items.map((entry) => {
        if (!which(entry)) return entry;
        const next = change(entry);
        if (next.item !== entry.item) changed.set(next.item.id, next.item);
        return next;
      });
    },
    observe(evidence: Evidence, time: number): void {
      if (session.ended_at !== null && !AFTER_END.has(evidence.kind)) {
        draft.because('the session has ended');
        return;
      }
      const previous = draft.standing;
      const next = standingAfter(previous, evidence);
      if (isSameStanding(next, previous)) {
        draft.because('the state of the session stays the same');
        return;
      }
      draft.standing = next;
      const { state, source } = next;
      if (state === previous.state && source === previous.source) return;
      draft.session = { ...draft.session, state, state_source: source };
      if (state !== previous.state) {
        draft.emit('session_state_changed', time, { state, state_source: source, previous: previous.state });
      }
    },
    done(): Decision {
      const { turn } = draft.session;
      // Most decisions change no item. A session may have hundreds, so they are then not counted again.
      const isSame = draft.items === aggregate.items && turn === aggregate.session.turn;
      const open = isSame ? aggregate.session.open_items : openCount(draft.items);
      const session = { ...draft.session, open_items: open };
      const items = isSame
        ? aggregate.items
        : draft.items.filter((entry) => !isHistory(entry, turn) || standsForInput(entry, turn, draft.items));
      // The question of a closed item is removed, whatever closed it.
      const asks = draft.asks.filter(({ itemId }) => itemId === null || items.some(({ item }) => item.id === itemId));
      if (asks.length > 0 || (aggregate.asks?.length ?? 0) > 0) effects.push({ kind: 'asks' });
      return {
        aggregate: { session, standing: draft.standing, items, ...(asks.length > 0 && { asks }) },
        events,
        effects,
        items: [...changed.values()],
      };
    },
  };
  return draft;
}

function isSameStanding(one: Standing, other: Standing): boolean {
  const keys = Object.keys({ ...one, ...other }) as (keyof Standing)[];
  return keys.every((key) => one[key] === other[key]);
}

const openCount = (items: readonly TrackedItem[]): number => items.filter(({ item }) => item.state === 'open').length;

/** True if the item can no longer change. */
function isHistory({ item, writeId, answeredTurn, isWritten, isWatched }: TrackedItem, turn: number): boolean {
  const { state, answer } = item;
  if (state === 'open') return false;
  if (state === 'withdrawn' || writeId === null) return true;
  if (answer?.delivery === 'stalled' && !isDeliveryPending(answer)) return !isWatched;
  // An answer can only be acknowledged in the turn that it began.
  return isWritten === true && (answer?.delivery === 'acknowledged' || (answeredTurn !== null && answeredTurn < turn));
}

/**
 * True for the answer that began this turn while other items are open. If it left the aggregate, the program's next
 * output would count as the answer to all of them (`acknowledge`).
 */
function standsForInput({ answeredTurn }: TrackedItem, turn: number, all: readonly TrackedItem[]): boolean {
  return answeredTurn === turn && all.some(({ item, openedTurn }) => item.state === 'open' && openedTurn < turn);
}

type FieldsOf<T extends NewEventOf['event_type']> = Omit<
  Extract<NewEventOf, { event_type: T }>,
  'event_type' | 'timestamp' | 'session_id'
>;
