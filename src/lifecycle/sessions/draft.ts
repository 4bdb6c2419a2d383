import type { Item, NewEventOf } from '../../protocol/index.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import { timestamp } from '../timestamp.js';
import type { Decision, Effect, SessionAggregate, TrackedItem } from './aggregate.js';
import { type Evidence, type Standing, standingAfter } from './session-state.js';

/** The evidence that changes an ended session. Output that is read later says nothing about its state. */
const AFTER_END: ReadonlySet<Evidence['kind']> = new Set(['exited', 'lost', 'revived']);

/** A decision under construction: collects events, effects and changed items. `done` completes it. */
export class Draft {
  session: SessionAggregate['session'];
  standing: Standing;
  items: SessionAggregate['items'];
  asks: NonNullable<SessionAggregate['asks']>;
  readonly effects: Effect[] = [];
  readonly #before: SessionAggregate;
  readonly #asksBefore: NonNullable<SessionAggregate['asks']>;
  readonly #events: NewEventOf[] = [];
  readonly #changed = new Map<string, Item>();
  /** Why the rule changes nothing: the first reason that it gave; null if it gave none. */
  reason: string | null = null;

  constructor(aggregate: SessionAggregate) {
    const { session, standing, items, asks = [] } = aggregate;
    this.#before = aggregate;
    this.session = session;
    this.standing = standing;
    this.items = items;
    this.asks = asks;
    this.#asksBefore = asks;
  }

  /** Notes why the rule changes nothing at this place. The reason is ignored if the rule changes something else. */
  because(reason: string): void {
    this.reason ??= reason;
  }

  get isChanged(): boolean {
    const { session, standing, items } = this.#before;
    return (
      this.#events.length + this.effects.length > 0 ||
      this.session !== session ||
      this.standing !== standing ||
      this.items !== items ||
      this.asks !== this.#asksBefore
    );
  }

  emit<T extends NewEventOf['event_type']>(type: T, time: number, fields: FieldsOf<T>): void {
    const event = { event_type: type, timestamp: timestamp(time), session_id: this.#before.session.id, ...fields };
    this.#events.push(event as unknown as NewEventOf); // built from the parts of this event type
  }

  addItem(item: Item, more: Pick<TrackedItem, 'keys' | 'decides' | 'labels'> = {}): void {
    this.items = [...this.items, { item, openedTurn: this.session.turn, writeId: null, answeredTurn: null, ...more }];
    this.#changed.set(item.id, item);
  }

  entry(itemId: string): TrackedItem | undefined {
    return this.items.find(({ item }) => item.id === itemId);
  }

  changeItems(which: (entry: TrackedItem) => boolean, change: (entry: TrackedItem) => TrackedItem): void {
    if (!this.items.some(which)) return;
    this.items = this.items.map((entry) => {
      if (!which(entry)) return entry;
      const next = change(entry);
      if (next.item !== entry.item) this.#changed.set(next.item.id, next.item);
      return next;
    });
  }

  observe(evidence: Evidence, time: number): void {
    if (this.#before.session.ended_at !== null && !AFTER_END.has(evidence.kind)) {
      this.because('the session has ended');
      return;
    }
    const previous = this.standing;
    const next = standingAfter(previous, evidence);
    if (isSameStanding(next, previous)) {
      this.because('the state of the session stays the same');
      return;
    }
    this.standing = next;
    const { state, source } = next;
    if (state === previous.state && source === previous.source) return;
    this.session = { ...this.session, state, state_source: source };
    if (state !== previous.state) {
      this.emit('session_state_changed', time, { state, state_source: source, previous: previous.state });
    }
  }

  done(): Decision {
    const { turn } = this.session;
    // Most decisions change no item. A session may have hundreds, so they are then not counted again.
    const isSame = this.items === this.#before.items && turn === this.#before.session.turn;
    const open = isSame ? this.#before.session.open_items : openCount(this.items);
    const session = { ...this.session, open_items: open };
    const items = isSame
      ? this.#before.items
      : this.items.filter((entry) => !isHistory(entry, turn) || standsForInput(entry, turn, this.items));
    // The question of a closed item is removed, whatever closed it.
    const asks = this.asks.filter(({ itemId }) => itemId === null || items.some(({ item }) => item.id === itemId));
    if (asks.length > 0 || (this.#before.asks?.length ?? 0) > 0) this.effects.push({ kind: 'asks' });
    return {
      aggregate: { session, standing: this.standing, items, ...(asks.length > 0 && { asks }) },
      events: this.#events,
      effects: this.effects,
      items: [...this.#changed.values()],
    };
  }
}

function isSameStanding(one: Standing, other: Standing): boolean {
  const keys = Object.keys({ ...one, ...other }) as (keyof Standing)[];
  return keys.every((key) => one[key] === other[key]);
}

const openCount = (items: readonly TrackedItem[]): number => items.filter(({ item }) => item.state === 'open').length;

/** True if the item can no longer change. */
function isHistory(entry: TrackedItem, turn: number): boolean {
  const { item, writeId, answeredTurn, isWritten, isWatched, unrecorded } = entry;
  const { state, answer } = item;
  if (state === 'open') return false;
  if (state === 'withdrawn' || writeId === null) return true;
  const isOfBefore = answeredTurn !== null && answeredTurn < turn;
  // The agent may record the whole text after a changed copy of it.
  if (answer?.stalled_reason === 'text_changed') return isOfBefore;
  if (answer?.delivery === 'stalled' && !isDeliveryPending(answer)) return !isWatched;
  if (unrecorded && answer?.delivery === 'written') return false;
  // An answer can only be acknowledged in the turn that it began.
  return isWritten === true && (answer?.delivery === 'acknowledged' || isOfBefore);
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
