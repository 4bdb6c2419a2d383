/**
 * Reads the events of one machine, or of all, from the stream of the hub.
 *
 * In:   a connection, and the place to begin at.
 * Out:  pages of events in the order of the stream, each event once and with the cursor after it. A page says whether
 *       the stream ends with it, and whether events before it were removed because of the limits of the hub.
 *
 * At most MAX_AHEAD messages are fetched ahead, so a slow reader costs nothing.
 */
import {
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { OrchdError } from '../../protocol/index.js';
import { isCopy } from '../copied-message.js';
import { EVENTS_STREAM, EVENTS_SUBJECTS, eventsSubject } from '../names.js';
import { cursorText, type HubCursor, parseCursor } from './cursor.js';

/** Place before the oldest event that the hub has. */
const BEGINNING = '0';

interface ReadEvent {
  readonly machine: string;
  /** The place after this event. */
  readonly cursor: string;
  readonly event: Readonly<Record<string, unknown>>;
}

export interface EventPage {
  readonly events: readonly ReadEvent[];
  /** The place after this page. */
  readonly cursor: string;
  /** True if the page goes up to the newest event that the hub had when the page was asked for, or further. */
  readonly at_end: boolean;
  /** True if events before this page were removed from the hub before they were read. */
  readonly gap: boolean;
}

export interface PageRequest {
  readonly limit: number;
  /** How long to wait for the first event that `isWanted`. */
  readonly waitMs: number;
  readonly isWanted: (event: Readonly<Record<string, unknown>>) => boolean;
  readonly signal: AbortSignal;
}

const MAX_AHEAD = 16;
/** A page has at most this many characters, and the rest of one message. */
const PAGE_CHARS = 1024 * 1024;

interface Opened {
  readonly manager: JetStreamManager;
  /** The machine whose events are read; undefined for all machines. */
  readonly machine: string | undefined;
  readonly hasGap: boolean;
}

export class StreamReader {
  readonly #messages: ConsumerMessages;
  readonly #iterator: AsyncIterator<JsMsg>;
  #place: HubCursor;
  readonly #manager: JetStreamManager;
  readonly #machine: string | undefined;
  /**
   * The newest message when the page was asked for. The number of pending messages that comes with each message is no
   * measure: it is that of an earlier time if the message was fetched ahead, and the server may count one too many.
   */
  #last = 0;
  #hasGap: boolean;
  /** True if the next message must be the one of the cursor, unless it is of a machine that is not read. */
  #isChecked = false;
  #next: Promise<IteratorResult<JsMsg>> | null = null;
  /** The events of a message that were not returned yet. */
  #rest: readonly string[] = [];
  /** The machine that has published these events. */
  #source = '';

  private constructor(messages: ConsumerMessages, place: HubCursor, how: Opened) {
    this.#messages = messages;
    this.#iterator = messages[Symbol.asyncIterator]();
    this.#place = place;
    this.#hasGap = how.hasGap;
    this.#manager = how.manager;
    this.#machine = how.machine;
  }

  /**
   * @param machine  The machine whose events are read; undefined for all machines.
   * @param since    A cursor, or BEGINNING; undefined to begin with the next event.
   * @throws {OrchdError} ORCHD_INVALID for no cursor, ORCHD_HUB_CURSOR for one of another history of the hub.
   */
  static async open(connection: NatsConnection, machine: string | undefined, since: string | undefined) {
    const asked = since === undefined || since === BEGINNING ? null : parseCursor(since);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { created, state } = await manager.streams.info(EVENTS_STREAM);
    const incarnation = Date.parse(created);
    const newest = {
      incarnation,
      sequence: state.last_seq,
      time: state.last_seq === 0 ? 0 : Date.parse(state.last_ts),
    };
    const isBeyond = asked !== null && asked.sequence > state.last_seq;
    const isOther = asked?.sequence === newest.sequence && !isSameTime(asked.time, newest.time);
    if (asked && (asked.incarnation !== incarnation || isBeyond || isOther)) throw otherHistory();
    const place = asked ?? (since === BEGINNING ? { incarnation, sequence: 0, time: 0 } : newest);
    const consumer = await jetstream(connection).consumers.get(EVENTS_STREAM, {
      filter_subjects: machine === undefined ? EVENTS_SUBJECTS : eventsSubject(machine),
      // The message of the cursor is read again: its time shows whether it is the same one.
      opt_start_seq: Math.max(1, place.sequence),
    });
    const messages = await consumer.consume({ max_messages: MAX_AHEAD });
    return new StreamReader(messages, place, {
      manager,
      machine,
      hasGap: asked !== null && state.first_seq > place.sequence + 1,
    });
  }

  get cursor(): string {
    return cursorText(this.#place);
  }

  /** @throws {OrchdError} ORCHD_HUB_CURSOR, or ORCHD_HUB_UNREACHABLE when the connection has ended. */
  async page({ limit, waitMs, isWanted, signal }: PageRequest): Promise<EventPage> {
    this.#last = await lastOf(this.#manager, this.#machine);
    const events: ReadEvent[] = [];
    const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    let chars = 0;
    while (events.length < limit && chars < PAGE_CHARS) {
      if (this.#rest.length === 0) {
        if (this.#isAtEnd && (events.length > 0 || end.aborted)) break;
        if (!(await this.#advance(this.#isAtEnd ? end : signal))) break;
        continue;
      }
      const [line = '', ...rest] = this.#rest;
      this.#rest = rest;
      const { taken = 0, ...message } = this.#place;
      this.#place = rest.length === 0 ? message : { ...message, taken: taken + 1 };
      chars += line.length;
      const event = parseEvent(line);
      if (event && isWanted(event)) events.push({ machine: this.#source, cursor: this.cursor, event });
    }
    const gap = this.#hasGap;
    this.#hasGap = false;
    return { events, cursor: this.cursor, at_end: this.#isAtEnd, gap };
  }

  async close(): Promise<void> {
    await this.#messages.close();
  }

  get #isAtEnd(): boolean {
    const { sequence, taken } = this.#place;
    return this.#last === 0 || (sequence >= this.#last && taken === undefined);
  }

  /** Takes the next message. @returns False if the signal has aborted before. */
  async #advance(signal: AbortSignal): Promise<boolean> {
    this.#next ??= this.#iterator.next();
    const next = await orAborted(this.#next, signal);
    if (next === null) return false;
    this.#next = null;
    if (next.done) throw new OrchdError('ORCHD_HUB_UNREACHABLE', 'the connection to the hub has ended');
    const { info, subject, headers } = next.value;
    const sequence = info.streamSequence;
    const time = Math.floor(info.timestampNanos / 1e6);
    const { incarnation, taken } = this.#place;
    // A copy was not published by the machine in its subject, so it is left out.
    const lines = isCopy(headers) ? [] : next.value.string().split('\n');
    if (sequence === this.#place.sequence) {
      if (!isSameTime(time, this.#place.time)) throw otherHistory();
      this.#rest = taken === undefined ? [] : lines.slice(taken);
    } else {
      // A reader of one machine does not get the messages of the others, so only a reader of all machines can see a
      // gap.
      if (this.#machine === undefined && this.#isChecked && sequence > this.#place.sequence + 1) this.#hasGap = true;
      this.#place = { incarnation, sequence, time, ...(lines.length > 0 && { taken: 0 }) };
      this.#rest = lines;
    }
    this.#isChecked = true;
    this.#source = subject.split('.')[1] ?? '';
    return true;
  }
}

/** Returns the sequence of the newest message of a machine, or of all; 0 if there is none. */
async function lastOf(manager: JetStreamManager, machine: string | undefined): Promise<number> {
  if (machine !== undefined) {
    const last = await manager.direct.getMessage(EVENTS_STREAM, { last_by_subj: eventsSubject(machine) });
    return last?.seq ?? 0;
  }
  const { state } = await manager.streams.info(EVENTS_STREAM);
  return state.messages === 0 ? 0 : state.last_seq;
}

/** The client's times are numbers, too imprecise for nanoseconds: they may be rounded to the next millisecond. */
const isSameTime = (one: number, other: number): boolean => Math.abs(one - other) <= 1;

const otherHistory = (): OrchdError =>
  new OrchdError('ORCHD_HUB_CURSOR', 'the cursor is of another hub, or of this one before it was restored');

/** Returns null for a line that is not an event. */
function parseEvent(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const event = JSON.parse(line) as Readonly<Record<string, unknown>> | null; // the next line checks its type
    return typeof event?.['event_type'] === 'string' ? event : null;
  } catch {
    return null;
  }
}

/** @returns Null if the signal has aborted. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(null);
    // The timeout takes effect in the next turn of the event loop, so that a message that has already arrived is still
    // read.
    if (signal.aborted) setImmediate(abort);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
