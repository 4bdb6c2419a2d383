/**
 * One session in the daemon: its aggregate (what was decided), its view (stored state, which may be shown), and the
 * reader that follows its journal while its program lives.
 */
import type { Finding } from '../../ears/index.js';
import {
  type Budget,
  type Decision,
  decide,
  type Effect,
  type Input,
  OwnOutput,
  type Picture,
  type Revival,
  type SessionAggregate,
  STARTING,
  type TrackedItem,
} from '../../lifecycle/index.js';
import { type Item, OrchdError, type Session } from '../../protocol/index.js';
import type { Hearing, ScreenKeeper, SessionReader } from '../../session/index.js';
import type { Batch, JournalCursor, NewEvent } from '../../store/index.js';
import { Topic } from '../concurrency/index.js';
import { type EventBus, type Outbox, plainEvents } from '../events/index.js';
import type { Log } from '../log.js';
import { idsOf } from './finding-ids.js';
import { draftAfterKeys, type TypedDraft, withoutText, writtenDraft } from './typed-draft.js';

/** The stored row of a session. */
export interface SessionRecord {
  /** The aggregate. It keeps this name because the stored rows of earlier versions have it. */
  readonly book: SessionAggregate;
  readonly tokenHash: string;
  readonly scrollbackLines: number;
  /** The newest start of the session's program; undefined if the program was started only once. */
  readonly start?: Start;
  /** When a person put the session into the trash, in milliseconds since the epoch. */
  readonly removedAt?: number;
}

interface Start {
  /** Journal position. */
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Output within this time of a key may be the program's answer to it. */
const KEY_ECHO_MS = 2_000;
/** Maximum number of remembered writes, more than are ever awaited at once. */
const MAX_WRITES = 64;

export interface EntryPorts {
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly notices: SessionNotices;
  readonly log: Log;
  readonly monotonicNow: () => number;
  /** The budget of each session. Undefined if there is none. */
  readonly budget?: Budget;
}

/** Notifications about all sessions. Each is published when the decision behind it is on disk. */
export class SessionNotices {
  /** The stored state of an item has changed. */
  readonly item = new Topic<[item: Item, entry: SessionEntry]>();
  readonly effect = new Topic<[effect: Effect, entry: SessionEntry]>();
  /** The program has ended. */
  readonly end = new Topic<[entry: SessionEntry]>();
}

/** One session that the daemon knows, living or ended. */
export class SessionEntry {
  readonly id: string;
  readonly scrollbackLines: number;
  /** Hash of the token of the newest program. */
  tokenHash: string;
  start: Start;
  aggregate: SessionAggregate;
  /** The stored state. */
  view: Session;
  reader: SessionReader | null = null;
  keeper: ScreenKeeper | null = null;
  hearing: Hearing | null = null;
  /** Set after the end; resolves when the session is released and may be started again. */
  leaving: Promise<void> | null = null;
  /** Set while an ended session is started again; it must not be removed before this settles. */
  revival: Promise<void> | null = null;
  /** True while output from before the daemon's start, or from before its kill, is still being read. */
  isCatchingUp = false;
  /** True if its processes have ended, also while the end in its journal was not read yet. */
  isGone = false;
  /** The monotonic clock, in milliseconds: that of `draft`. */
  readonly monotonicNow: () => number;
  readonly ownOutput: OwnOutput;
  readonly #ports: EntryPorts;
  /**
   * The text that a person has typed through orchd and not submitted; null before the first key since the daemon
   * started.
   */
  #draft: TypedDraft | null = null;
  #isRemoved = false;
  #removedAt: number | undefined;
  #listeners: (() => void)[] = [];
  /** The results of the newest writes. */
  readonly #writes = new Map<string, 'written' | 'write_failed'>();

  constructor(record: SessionRecord, ports: EntryPorts) {
    this.id = record.book.session.id;
    this.tokenHash = record.tokenHash;
    this.start = record.start ?? { position: 0, time: Date.parse(record.book.session.created_at) };
    this.scrollbackLines = record.scrollbackLines;
    this.aggregate = record.book;
    this.view = record.book.session;
    this.monotonicNow = ports.monotonicNow;
    this.ownOutput = new OwnOutput(ports.monotonicNow());
    this.#ports = ports;
  }

  /** The session for clients, with `catching_up` while older output is being read. */
  get shown(): Session {
    return this.isCatchingUp ? { ...this.view, catching_up: this.reader?.bytesBehind ?? 0 } : this.view;
  }

  /** Returns an item with what was decided about it; undefined if its session needs it no more. */
  trackedItem(itemId: string): TrackedItem | undefined {
    return this.aggregate.items.find(({ item }) => item.id === itemId);
  }

  get hasEnded(): boolean {
    return this.aggregate.session.ended_at !== null;
  }

  /** @throws {OrchdError} ORCHD_NO_TERMINAL if the session has no terminal to type into. */
  needTerminal(): void {
    if (this.view.mode !== 'batch') return;
    const message = `'${this.view.name}' runs in batch mode, without a terminal: nothing can be typed into it`;
    throw new OrchdError('ORCHD_NO_TERMINAL', message);
  }

  openItems(): Item[] {
    return this.aggregate.items.map(({ item }) => item).filter(({ state }) => state === 'open');
  }

  /**
   * Removes the session: from now on no change of it is stored, even if other code still refers to it.
   *
   * @returns The items that were open.
   */
  remove(): Item[] {
    this.#isRemoved = true;
    const open = this.openItems();
    this.aggregate = { ...this.aggregate, items: [] };
    return open;
  }

  /**
   * Puts the session into the trash: until `bringBack`, its changes are not stored.
   *
   * @returns The items that are open.
   */
  putAside(removedAt: number): Item[] {
    this.#isRemoved = true;
    this.#removedAt = removedAt;
    return this.openItems();
  }

  bringBack(): void {
    this.#isRemoved = false;
    this.#removedAt = undefined;
  }

  /**
   * Records keys that are about to be sent to the program. Keys that choose in a dialog are not a draft.
   *
   * @returns A function that removes them again if the host refuses them.
   */
  pressed(keys: string, isSent = false): () => void {
    const { draft } = this;
    this.#draft = draftAfterKeys(draft, keys, {
      at: this.monotonicNow(),
      isChoice: this.hearing?.signal()?.dialog != null,
      isSent,
      isAlternate: this.keeper?.screen?.isAlternate ?? false,
      picture: () => this.picture(),
    });
    return () => {
      this.#draft = draft;
    };
  }

  /** Called when output was heard. Looks at a program that paints, and has no adapter, while its question is open. */
  noteOutput(now = this.monotonicNow()): void {
    const { ownOutput } = this;
    if (this.isCatchingUp) return;
    if (this.aggregate.session.open_items === 0) ownOutput.noteOutput(now);
    else if (ownOutput.isDue(now)) this.#lookAtOutput(now);
  }

  #lookAtOutput(now: number): void {
    const { hearing, ownOutput } = this;
    // The screen that the ear has read; that of viewers may not have been emulated yet.
    const view = hearing?.view();
    if (!view || hearing?.signal()) return;
    const rows = view.rows.map(({ text }) => text);
    ownOutput.look(rows, now, now - this.draft.at < KEY_ECHO_MS);
  }

  /** Returns the screen; null if the session has none. */
  picture(): Picture | null {
    const screen = this.keeper?.screen;
    return screen ? { rows: screen.look({}), cursor: screen.cursor } : null;
  }

  get draft(): TypedDraft {
    // For the time before the daemon's start, the journal contains the text of the daemon's writes. For a person's keys
    // it contains only their number.
    const { hearing } = this;
    return this.#draft ?? writtenDraft(hearing?.unsubmitted() ?? '');
  }

  /** Called when the screen shows that the draft is gone. */
  dropDraft(): void {
    this.#draft = withoutText(this.draft);
  }

  /** Resolves when more of its journal was read, or after `withinMs`. */
  whenOutputRead(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      timer.unref();
      this.#listeners.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** True if a caller waits until more of its journal was read. */
  get isAwaited(): boolean {
    return this.#listeners.length > 0;
  }

  /** Called when more of its journal was read. */
  outputRead(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  /** Returns null for a write in progress, and for one that ended long ago. */
  endOf(writeId: string): 'written' | 'write_failed' | null {
    return this.#writes.get(writeId) ?? null;
  }

  get record(): SessionRecord {
    const { aggregate, tokenHash, scrollbackLines, start } = this;
    const removedAt = this.#removedAt;
    return {
      book: aggregate,
      tokenHash,
      scrollbackLines,
      ...(start.position > 0 && { start }),
      ...(removedAt !== undefined && { removedAt }),
    };
  }

  /** Stores a new session. */
  announce(event: NewEvent, cursor: JournalCursor): Promise<void> {
    return this.#commit({ events: [event], cursors: [cursor] }, [], [], this.aggregate.session);
  }

  /**
   * Stores a session that has already ended, with all its events in one transaction. Effects are dropped, because
   * nothing can be typed into a recording.
   *
   * @param admit Called when the session is on disk, before it is announced.
   */
  announceWhole(
    event: NewEvent,
    findings: readonly Finding[],
    cursor: JournalCursor,
    admit: () => void,
  ): Promise<void> {
    const decisions = this.#decide(findings, cursor);
    const events = [event, ...eventsOf(decisions)];
    // Each item is stored in its final state only.
    const items = new Map(decisions.flatMap((decision) => decision.items).map((item) => [item.id, item]));
    return this.#commit({ events, cursors: [cursor] }, [...items.values()], [], this.aggregate.session, admit);
  }

  /** Decides on one input. The effects are carried out when the events are on disk. */
  apply(input: Input, cursor?: JournalCursor): Promise<void> {
    const decision = decide(this.aggregate, input);
    this.aggregate = decision.aggregate;
    if (decision.ignored !== undefined && input.kind !== 'finding')
      this.#ports.log.info(`an input was refused: ${decision.ignored}`, { session_id: this.id });
    return this.#take([decision], cursor);
  }

  /** Decides on a finding that is not from its journal: the daemon has read it from the screen. */
  noticed(finding: Finding): Promise<void> {
    return this.apply({ kind: 'finding', finding, ...idsOf(this.id, finding) });
  }

  /** Records that the session's program runs again. */
  revive(start: Start, tokenHash: string, revival: Revival): Promise<void> {
    this.start = start;
    this.tokenHash = tokenHash;
    this.leaving = null;
    this.isGone = false;
    this.dropDraft();
    const cursor: JournalCursor = { sessionId: this.id, position: start.position, checkpoint: null };
    return this.apply({ kind: 'revived', revival, time: start.time }, cursor);
  }

  /**
   * Decides on findings.
   *
   * @param cursor The journal position up to which these findings go.
   */
  applyFindings(findings: readonly Finding[], cursor: JournalCursor): Promise<void> {
    return this.#take(this.#decide(findings, cursor), cursor);
  }

  #decide(findings: readonly Finding[], cursor: JournalCursor): Decision[] {
    const { budget } = this.#ports;
    const decisions: Decision[] = [];
    for (const finding of findings) {
      if (finding.kind === 'written' || finding.kind === 'write_failed') this.#noteWrite(finding.writeId, finding.kind);
      const decision = decide(this.aggregate, { kind: 'finding', finding, ...idsOf(this.id, finding), budget });
      this.aggregate = decision.aggregate;
      decisions.push(decision);
    }
    this.aggregate = { ...this.aggregate, session: { ...this.aggregate.session, journal_position: cursor.position } };
    return decisions;
  }

  #noteWrite(writeId: string, end: 'written' | 'write_failed'): void {
    this.#writes.set(writeId, end);
    const oldest = this.#writes.keys().next().value;
    if (this.#writes.size > MAX_WRITES && oldest !== undefined) this.#writes.delete(oldest);
  }

  #take(decisions: readonly Decision[], cursor?: JournalCursor): Promise<void> {
    const events = eventsOf(decisions);
    const items = decisions.flatMap((decision) => decision.items);
    const effects = decisions.flatMap((decision) => decision.effects);
    return this.#commit({ events, ...(cursor && { cursors: [cursor] }) }, items, effects, this.aggregate.session);
  }

  #commit(
    batch: Batch,
    items: readonly Item[],
    effects: readonly Effect[],
    view: Session,
    first: () => void = () => {},
  ): Promise<void> {
    if (this.#isRemoved) return Promise.resolve();
    const { outbox, bus, notices } = this.#ports;
    const whole: Batch = {
      ...batch,
      sessions: [{ id: this.id, value: this.record }],
      items: items.map((item) => ({ id: item.id, value: item })),
    };
    return outbox.commit(whole, (committed) => {
      first();
      const hasJustEnded = view.ended_at !== null && this.view.ended_at === null;
      this.view = view;
      for (const item of items) notices.item.publish(item, this);
      bus.publish(batch.events, committed);
      for (const effect of effects) notices.effect.publish(effect, this);
      if (hasJustEnded) notices.end.publish(this);
    });
  }
}

const eventsOf = (decisions: readonly Decision[]): NewEvent[] =>
  plainEvents(decisions.flatMap((decision) => decision.events));

/**
 * Returns the record to store for a session that is starting.
 *
 * @param tokenHash  The hash of the session's token.
 */
export function newRecord(session: Session, tokenHash: string, scrollbackLines: number): SessionRecord {
  return { book: { session, standing: STARTING, items: [] }, tokenHash, scrollbackLines };
}
