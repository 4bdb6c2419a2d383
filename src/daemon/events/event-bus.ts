/**
 * The event bus: distributes committed events to readers.
 *
 * A reader has a position in the log. It reads the newest events from a ring, and older ones from the store. Readers
 * therefore need no queues, a slow one costs nothing, and no event is skipped: only pruned events, and those that were
 * damaged on disk, are reported as a `gap`.
 */
import {
  type Commit,
  type EventLine,
  type EventQuery,
  type NewEvent,
  type Store,
  soundLine,
} from '../../store/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import { EventRing, type Page, READ_CHARS, READ_EVENTS, type RingEntry } from './event-ring.js';
import { WakeUp } from './wake-up.js';

export interface EventFilter {
  /** Events after this `seq`; undefined: only future events. */
  readonly since: number | undefined;
  readonly types?: readonly string[];
  readonly sessionId?: string;
  /** Set if the reader may not see every event. */
  readonly isSeen?: (line: EventLine) => boolean;
}

/** An event to send: its `seq`, and its JSON without a newline. */
export type { EventLine } from '../../store/index.js';

export interface EventReader {
  /**
   * Returns the next events, at least one and at most READ_EVENTS.
   *
   * @returns `[]` at the end of the log unless `wait`; null when the signal has aborted.
   */
  read(wait: boolean): Promise<readonly EventLine[] | null>;
}

export interface EventBus {
  /** Passes on committed events, in order. */
  publish(events: readonly NewEvent[], committed: Commit): void;
  reader(filter: EventFilter, signal: AbortSignal): EventReader;
  readonly lastSeq: number;
  /** Called after events before this were removed from the log; readers positioned there get a gap. */
  forget(beforeSeq: number): void;
  /** Calls the callback once after the next publication. */
  onNext(callback: () => void): () => void;
}

/** Number of events in the first read from the store. Later reads adapt to the length of the lines. */
const FIRST_STORE_EVENTS = 100;

/** @param onPublish  Called with every publication before its readers are. */
export const createEventBus = (
  store: Store,
  lastSeqAtStart: number,
  onPublish: (events: readonly NewEvent[]) => void = () => {},
): EventBus => new RingBus(store, lastSeqAtStart, onPublish);

class RingBus implements EventBus {
  readonly store: Store;
  readonly ring = new EventRing();
  /** Readers that are far behind share one queue: it reads one page per turn of the event loop. */
  readonly oneAtATime = limitConcurrency(1);
  readonly #onPublish: (events: readonly NewEvent[]) => void;
  readonly #wakeUp = new WakeUp();
  #lastSeq: number;

  constructor(store: Store, lastSeq: number, onPublish: (events: readonly NewEvent[]) => void) {
    this.store = store;
    this.#lastSeq = lastSeq;
    this.#onPublish = onPublish;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  publish(events: readonly NewEvent[], { firstSeq, lines }: Commit): void {
    for (const [i, event] of events.entries()) {
      this.#lastSeq = firstSeq + i;
      const line = lines[i] ?? '';
      this.ring.push({ seq: this.#lastSeq, line, type: event.event_type, sessionId: event.session_id });
    }
    this.ring.trim();
    this.#onPublish(events);
    if (events.length > 0) this.#wakeUp.wakeAll();
  }

  forget(beforeSeq: number): void {
    this.ring.forget(beforeSeq);
  }

  onNext(callback: () => void): () => void {
    return this.#wakeUp.onNext(callback);
  }

  reader(filter: EventFilter, signal: AbortSignal): EventReader {
    return new PagedReader(this, filter, signal);
  }
}

class PagedReader implements EventReader {
  readonly #bus: RingBus;
  readonly #filter: EventFilter;
  readonly #signal: AbortSignal;
  /** The `seq` of the newest event that was read, or left out by the filter. */
  #position: number;
  #storeEvents = FIRST_STORE_EVENTS;

  constructor(bus: RingBus, filter: EventFilter, signal: AbortSignal) {
    this.#bus = bus;
    this.#filter = filter;
    this.#signal = signal;
    this.#position = filter.since ?? bus.lastSeq;
  }

  async read(wait: boolean): Promise<readonly EventLine[] | null> {
    const [bus, signal] = [this.#bus, this.#signal];
    for (;;) {
      if (signal.aborted) return null;
      const { lines, upTo } = this.#fromRing() ?? (await bus.oneAtATime(() => this.#fromStore()));
      if (signal.aborted) return null;
      this.#position = upTo;
      if (lines.length > 0) return lines;
      if (upTo < bus.lastSeq) continue;
      if (!wait) return [];
      await nextPublication(bus, signal);
    }
  }

  /** Returns null if the reader is further behind. */
  #fromRing(): Page | null {
    return this.#bus.ring.read(this.#position, this.#bus.lastSeq, (entry) => this.#matches(entry));
  }

  async #fromStore(): Promise<Page> {
    const [{ store }, filter, since] = [this.#bus, this.#filter, this.#position];
    if (this.#signal.aborted) return { lines: [], upTo: since };
    const firstSeq = await store.firstSeq();
    if (since + 1 < firstSeq) {
      const gap = { event_type: 'gap', from: since + 1, to: firstSeq - 1 };
      return { lines: [{ seq: firstSeq - 1, line: JSON.stringify(gap) }], upTo: firstSeq - 1 };
    }
    const limit = this.#storeEvents;
    const { lastSeq } = this.#bus; // before the read: later events may be missing in it
    const lines = (await store.readLines({ since, limit, ...queryOf(filter) })).map(soundLine);
    const last = lines.at(-1)?.seq ?? 0;
    const chars = lines.reduce((sum, { line }) => sum + line.length, 0);
    this.#storeEvents = chars > READ_CHARS ? Math.ceil(limit / 4) : Math.min(limit * 2, READ_EVENTS);
    return {
      lines: filter.isSeen ? lines.filter(filter.isSeen) : lines,
      upTo: lines.length < limit ? Math.max(lastSeq, last) : last,
    };
  }

  #matches(entry: RingEntry): boolean {
    const { types, sessionId, isSeen } = this.#filter;
    return (
      (!types?.length || types.includes(entry.type)) &&
      (sessionId === undefined || entry.sessionId === sessionId) &&
      (!isSeen || isSeen(entry))
    );
  }
}

function queryOf({ types, sessionId }: EventFilter): Partial<EventQuery> {
  return { ...(types?.length && { types }), ...(sessionId !== undefined && { sessionId }) };
}

function nextPublication(bus: EventBus, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = bus.onNext(done);
    signal.addEventListener('abort', done);
  });
}
