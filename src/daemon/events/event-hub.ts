/**
 * The hub: distributes committed events to readers.
 *
 * The newest RING_EVENTS (with at most RING_CHARS) are kept as serialized lines. A reader has a position in the log. It
 * reads from the ring, or from the store if it is further behind. Readers therefore need no queues, a slow one costs
 * nothing, and no event is skipped: only pruned events, and those that were damaged on disk, are reported as a `gap`.
 */
import {
  type Commit,
  type EventLine,
  type EventQuery,
  type NewEvent,
  type Store,
  soundLine,
} from '../../store/index.js';
import { fewAtATime } from '../concurrency/index.js';

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

interface RingEntry extends EventLine {
  readonly type: string;
  readonly sessionId: string | undefined;
}

export interface EventReader {
  /**
   * Returns the next events, at least one and at most READ_EVENTS.
   *
   * @returns `[]` at the end of the log unless `wait`; null when the signal has aborted.
   */
  read(wait: boolean): Promise<readonly EventLine[] | null>;
}

export interface EventHub {
  /** Passes on committed events, in order. */
  publish(events: readonly NewEvent[], committed: Commit): void;
  reader(filter: EventFilter, signal: AbortSignal): EventReader;
  readonly lastSeq: number;
  /** Called after events before this were removed from the log; readers positioned there get a gap. */
  forget(beforeSeq: number): void;
  /** Calls the callback once after the next publication. */
  onNext(callback: () => void): () => void;
}

const RING_EVENTS = 8_192;
/** The size limit of the ring in characters, because a message may have 256 KiB. */
const RING_CHARS = 8 * 1024 * 1024;
const READ_EVENTS = 1_000;
/** Maximum size of one read. A single longer line is read whole. */
const READ_CHARS = 1024 * 1024;
/** Maximum number of readers served per turn of the event loop, which keeps the turn short. */
const WOKEN_PER_TURN = 500;
/** Number of events in the first read from the store. Later reads adapt to the length of the lines. */
const FIRST_STORE_EVENTS = 100;

/** @param onPublish  Called with every publication before its readers are. */
export function createEventHub(
  store: Store,
  lastSeqAtStart: number,
  onPublish: (events: readonly NewEvent[]) => void = () => {},
): EventHub {
  const ring: RingEntry[] = []; // the newest events, oldest first; trimmed in halves, which is cheap
  let ringChars = 0;
  let lastSeq = lastSeqAtStart;
  let waiters = new Set<() => void>();
  /** Readers that are far behind share one queue: it reads one page per turn of the event loop. */
  const inTurn = fewAtATime(1);

  /** The readers that an event has woken and that have not run yet, one set for each publication. */
  const woken: Set<() => void>[] = [];

  function wakeAll(): void {
    if (waiters.size === 0) return;
    woken.push(waiters);
    waiters = new Set();
    if (woken.length === 1) wakeSome();
  }

  function wakeSome(): void {
    let left = WOKEN_PER_TURN;
    for (let some = woken[0]; some && left > 0; some = woken[0]) {
      for (const wake of some) {
        some.delete(wake);
        wake();
        left--;
        if (left === 0) break;
      }
      if (some.size === 0) woken.shift();
    }
    if (woken.length > 0) setImmediate(wakeSome);
  }

  /** Trims to half of either limit. */
  function trim(): void {
    let count = Math.max(0, ring.length - RING_EVENTS / 2);
    for (let i = 0; i < ring.length && (i < count || ringChars > RING_CHARS / 2); i++) {
      ringChars -= ring[i]?.line.length ?? 0;
      count = Math.max(count, i + 1);
    }
    ring.splice(0, count);
  }

  const hub: EventHub = {
    get lastSeq() {
      return lastSeq;
    },
    publish(events, { firstSeq, lines }) {
      for (const [i, event] of events.entries()) {
        const line = lines[i] ?? '';
        lastSeq = firstSeq + i;
        ringChars += line.length;
        ring.push({ seq: lastSeq, line, type: event.event_type, sessionId: event.session_id });
      }
      if (ring.length > RING_EVENTS || ringChars > RING_CHARS) trim();
      onPublish(events);
      if (events.length > 0) wakeAll();
    },
    forget(beforeSeq) {
      const found = ring.findIndex(({ seq }) => seq >= beforeSeq);
      for (const { line } of ring.splice(0, found < 0 ? ring.length : found)) ringChars -= line.length;
    },
    onNext(callback) {
      const some = waiters.add(callback);
      return () => some.delete(callback);
    },
    reader(filter, signal) {
      let place = filter.since ?? lastSeq;
      let storeEvents = FIRST_STORE_EVENTS;
      const matches = (line: RingEntry) =>
        (!filter.types?.length || filter.types.includes(line.type)) &&
        (filter.sessionId === undefined || line.sessionId === filter.sessionId) &&
        (!filter.isSeen || filter.isSeen(line));

      /** Returns the lines in the ring after `place`; null if the reader is further behind. */
      function fromRing(): EventLine[] | null {
        const first = ring[0]?.seq ?? lastSeq + 1;
        if (place + 1 < first) return null;
        const lines: EventLine[] = [];
        let chars = 0;
        for (let i = place + 1 - first; i < ring.length && lines.length < READ_EVENTS && chars < READ_CHARS; i++) {
          const line = ring[i];
          if (!line) break;
          place = line.seq;
          if (!matches(line)) continue;
          lines.push(line);
          chars += line.line.length;
        }
        return lines;
      }

      async function fromStore(): Promise<EventLine[]> {
        const firstSeq = await store.firstSeq();
        if (place + 1 < firstSeq) {
          const gap = { event_type: 'gap', from: place + 1, to: firstSeq - 1 };
          place = firstSeq - 1;
          return [{ seq: place, line: JSON.stringify(gap) }];
        }
        const query: EventQuery = { since: place, limit: storeEvents, ...rename(filter) };
        const upTo = lastSeq;
        const lines = (await store.readLines(query)).map(soundLine);
        const last = lines.at(-1)?.seq ?? 0;
        place = lines.length < storeEvents ? Math.max(upTo, last) : last;
        const chars = lines.reduce((sum, { line }) => sum + line.length, 0);
        storeEvents = chars > READ_CHARS ? Math.ceil(storeEvents / 4) : Math.min(storeEvents * 2, READ_EVENTS);
        return filter.isSeen ? lines.filter(filter.isSeen) : lines;
      }

      return {
        async read(wait) {
          for (;;) {
            if (signal.aborted) return null;
            const lines = fromRing() ?? (await inTurn(async () => (signal.aborted ? [] : fromStore())));
            if (signal.aborted) return null;
            if (lines.length > 0) return lines;
            if (place < lastSeq) continue;
            if (!wait) return [];
            await nextPublication(hub, signal);
          }
        },
      };
    },
  };
  return hub;
}

function rename({ types, sessionId }: EventFilter): Partial<EventQuery> {
  return { ...(types?.length && { types }), ...(sessionId !== undefined && { sessionId }) };
}

function nextPublication(hub: EventHub, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = hub.onNext(done);
    signal.addEventListener('abort', done);
  });
}
