/**
 * A member of a hub: this daemon, connected to the server for as long as it is joined.
 *
 * It connects again and again until it is closed. Each connection publishes the events that the hub lacks, writes the
 * projections and the heartbeat, and watches the machines. If the server is away, full, slow or refuses, the daemon
 * works on alone, and `status` has the reason in words.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Item, OrchdError, type Session } from '../protocol/index.js';
import {
  BEAT_MS,
  type BucketEntry,
  ITEMS_KEPT,
  type MachineEntry,
  MachineWatch,
  SESSIONS_KEPT,
  ServerClock,
  WatchedBucket,
  withdraw,
} from './buckets/index.js';
import { type PreparedChannel, TERMINAL_CONTRACT, TerminalChannels } from './channels/index.js';
import { openConnection, reasonOf, refuseReading, shownUrl } from './connect.js';
import { floodWarnings } from './floods/index.js';
import { WorkQueue, workProblem } from './labels/index.js';
import { Mail, type Outcome, type OutgoingCommand } from './mail/index.js';
import type { MemberState, MemberStatus } from './member-status.js';
import { bucketStream, ITEMS_BUCKET, keySubject, MACHINES_BUCKET, SESSIONS_BUCKET } from './names.js';
import type { MemberPorts, Membership } from './ports.js';
import {
  type EventLimits,
  type Position,
  Projector,
  publishEvents,
  readPosition,
  sharedJson,
} from './publishing/index.js';
import { type EventPage, StreamReaders, type StreamRequest } from './reading/index.js';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** Pause between two writes of the sessions. Items are written at once. */
const FLUSH_MS = 200;
/** After this the projections are written completely, before the server removes them because of their age. */
const REWRITE_MS = 12 * 3_600_000;

/** Keeps this daemon connected to a hub, and publishes its events and its state there. */
export class Member {
  readonly #membership: Membership;
  readonly #ports: MemberPorts;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;
  readonly #clock: ServerClock;
  readonly #mail: Mail;
  readonly #queue: WorkQueue;
  readonly #machines: MachineWatch;
  readonly #readers = new StreamReaders();
  readonly #terminals: TerminalChannels;
  #connection: NatsConnection | undefined;
  #sessions: Watched<Session> | undefined;
  #items: Watched<Item> | undefined;
  #state: MemberState = 'connecting';
  /** Why no connection could be made or kept. */
  #connectProblem: string | null = null;
  /** Why the connected server does not take events, or projections. */
  #publishProblem: string | null = null;
  #projectProblem: string | null = null;
  #position: Position | null = null;
  #limits: (EventLimits & { readonly max_message_bytes: number }) | null = null;
  #contactAt: number | null = null;

  constructor(membership: Membership, ports: MemberPorts) {
    this.#membership = membership;
    this.#ports = ports;
    this.#clock = new ServerClock(ports.now);
    this.#machines = new MachineWatch(this.#clock, ports.now);
    const onServerTime = (time: number): void => this.#clock.observe(time);
    this.#mail = new Mail(membership.name, { ...ports.mail, log: ports.log, now: ports.now, onServerTime });
    this.#terminals = new TerminalChannels(membership.name);
    this.#queue = new WorkQueue({ ...ports.work, labels: ports.labels, now: ports.now, log: ports.log });
    this.#done = this.#run();
  }

  status(): MemberStatus {
    const { url, name } = this.#membership;
    const problem = this.#connectProblem ?? this.#publishProblem ?? this.#projectProblem;
    const publishedSeq = this.#position?.seq ?? null;
    const knownSeq = publishedSeq ?? this.#membership.published?.seq;
    return {
      url: shownUrl(url),
      name,
      state: problem === null ? this.#state : 'problem',
      ...(problem !== null && { problem }),
      published_seq: publishedSeq,
      lag: knownSeq === undefined ? null : Math.max(0, this.#ports.lastSeq() - knownSeq),
      last_contact_ms: this.#contactAt === null ? null : Math.round(this.#ports.now() - this.#contactAt),
      ...(this.#mail.problem !== null && { commands_problem: this.#mail.problem }),
      labels: this.#ports.labels,
      ...(this.#queue.problem !== null && { labels_problem: workProblem(this.#queue.problem, name) }),
      ...(this.#limits && { limits: { ...this.#limits, events_per_second: this.#ports.rate } }),
      warnings: floodWarnings({
        commands: this.#mail.floods(),
        work: this.#queue.floods(),
        sessions: this.#sessions?.bucket.limited ?? [],
        items: this.#items?.bucket.limited ?? [],
      }),
    };
  }

  /** The time of the server in milliseconds since 1970; null before the first contact. */
  get serverTime(): number | null {
    return this.#clock.now();
  }

  /**
   * Sends a command over the hub. Without a connection, the command is kept and sent when the hub is connected again.
   *
   * @throws {OrchdError} ORCHD_HUB_REFUSED if the server refuses the command now, ORCHD_TOO_LARGE if the command is
   * longer than the server ever accepts.
   */
  async offer(command: OutgoingCommand): Promise<void> {
    await this.#mail.offer(command).catch((error: unknown) => {
      if (error instanceof OrchdError) throw error;
      throw new OrchdError(
        'ORCHD_HUB_REFUSED',
        `the server does not take commands: ${reasonOf(error)}`,
        undefined,
        error,
      );
    });
  }

  /** Takes a command for a label out of its queue, unless a machine has it. */
  retract(command: Pick<OutgoingCommand, 'id' | 'to'>): Promise<void> {
    return this.#mail.retract(command);
  }

  /** Publishes the outcomes of work for labels that are known by now. */
  workIsOver(): void {
    this.#queue.wake();
  }

  /** Sends the outcome of a command of another machine that came later. */
  reply(from: string, id: string, outcome: Outcome): Promise<void> {
    return this.#mail.reply(from, id, outcome);
  }

  /**
   * @returns The machines of the hub as far as they were heard of; those of the last connection while there is none.
   *   They are watched from the first call on: each heartbeat goes to each daemon that watches.
   * @throws {OrchdError} ORCHD_HUB_REFUSED if the key of this machine may not read them.
   */
  async machines(): Promise<MachineEntry[]> {
    return this.#machines.list(this.#connection).catch(refuseReading);
  }

  /**
   * @returns The sessions of all machines. They are watched from the first call on.
   * @throws {OrchdError} As `machines`.
   */
  async sessions(): Promise<BucketEntry<Session>[]> {
    this.#sessions = await this.#watched(this.#sessions, SESSIONS_BUCKET);
    return this.#sessions.bucket.list();
  }

  /**
   * @returns The open items of all machines. They are watched from the first call on.
   * @throws {OrchdError} As `machines`.
   */
  async items(): Promise<BucketEntry<Item>[]> {
    this.#items = await this.#watched(this.#items, ITEMS_BUCKET);
    return this.#items.bucket.list();
  }

  /**
   * Returns a page of the events that the machines have published.
   *
   * @throws {OrchdError} ORCHD_HUB_UNREACHABLE, ORCHD_HUB_CURSOR, ORCHD_INVALID, ORCHD_HUB_REFUSED.
   */
  async events(request: StreamRequest): Promise<EventPage> {
    return this.#readers.page(this.#connected(), request).catch(refuseReading);
  }

  /**
   * Prepares a terminal channel to another machine.
   *
   * @param id  The id of the channel if the other machine opens the channel. Default: a new id.
   * @throws {OrchdError} ORCHD_HUB_UNREACHABLE, and the errors of `TerminalChannels.prepare`.
   */
  async terminal(peer: string, id?: string): Promise<PreparedChannel> {
    return this.#terminals.prepare(this.#connected(), peer, id).catch((error: unknown) => {
      if (error instanceof OrchdError) throw error;
      throw new OrchdError('ORCHD_HUB_UNREACHABLE', reasonOf(error), undefined, error);
    });
  }

  /** @throws {OrchdError} ORCHD_HUB_UNREACHABLE */
  #connected(): NatsConnection {
    if (this.#connection) return this.#connection;
    throw new OrchdError('ORCHD_HUB_UNREACHABLE', this.#connectProblem ?? 'not connected yet');
  }

  /** Returns a bucket that is watched by the current connection; the earlier one while there is none. */
  async #watched<T extends { readonly id: string }>(
    earlier: Watched<T> | undefined,
    name: string,
  ): Promise<Watched<T>> {
    if (earlier && (!this.#connection || earlier.connection === this.#connection)) return earlier;
    const connection = this.#connected();
    const bucket = new WatchedBucket<T>(name, name === ITEMS_BUCKET ? ITEMS_KEPT : SESSIONS_KEPT);
    await bucket.watch(connection).catch(refuseReading);
    return { connection, bucket };
  }

  /** Ends the connection. `isLeaving`: the machine is removed from the list of machines first. */
  async close({ isLeaving = false } = {}): Promise<void> {
    if (isLeaving && this.#connection) await withdraw(this.#connection, this.#membership.name).catch(() => undefined);
    if (this.#connection) await this.#terminals.close(this.#connection);
    this.#end.abort();
    this.#readers.close();
    await this.#connection?.close();
    await this.#done;
    if (this.#position) this.#ports.remember(this.#position);
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)) {
      try {
        const connection = await openConnection(this.#membership);
        if (signal.aborted) return void (await connection.close());
        retryMs = FIRST_RETRY_MS;
        this.#begin(connection);
        const reason = await this.#work(connection);
        if (!signal.aborted) this.#lost(reason ?? 'the connection to the server was lost');
      } catch (error) {
        if (!signal.aborted) this.#lost(reasonOf(error));
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #begin(connection: NatsConnection): void {
    this.#connection = connection;
    this.#contactAt = this.#ports.now();
    this.#connectProblem = null;
    this.#state = 'connected';
    this.#ports.log.info('connected to the hub', { url: shownUrl(this.#membership.url), name: this.#membership.name });
    void connection.closed().then(() => this.#terminals.lost('no connection to the hub'));
    this.#machines.resume(connection);
  }

  #lost(reason: string): void {
    this.#connection = undefined;
    if (this.#connectProblem !== reason) this.#ports.log.info('no connection to the hub', { reason });
    this.#connectProblem = reason;
  }

  /** @returns The reason for which the connection ended. */
  async #work(connection: NatsConnection): Promise<string | null> {
    const { name } = this.#membership;
    const ended = new AbortController();
    const closed = connection.closed().then((error) => {
      ended.abort();
      return error ? reasonOf(error) : null;
    });
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    /** Resolves when the name is known to belong to this log, and a heartbeat has told the time of the server. */
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let isOwner = false;
    const lost = new AbortController();
    const owned = AbortSignal.any([ended.signal, lost.signal]);
    for (const stop of [settle, begin]) ended.signal.addEventListener('abort', stop);
    const projector = await Projector.create(connection, name, this.#ports);
    const publishing = publishEvents(
      connection,
      { ...this.#membership, ...(this.#position && { published: this.#position }) },
      {
        ...this.#ports,
        onPublished: (position, events) => {
          isOwner = true;
          this.#position = position;
          this.#contactAt = this.#ports.now();
          projector.touch(events);
          settle();
        },
        onProblem: (reason) => {
          if (reason !== null && reason !== this.#publishProblem) {
            this.#ports.log.info('the hub does not take events', { reason });
          }
          this.#publishProblem = reason;
          settle();
        },
        onForeign: () =>
          this.#ports.log.info('the hub has a message under this name that no machine published', { name }),
      },
      ended.signal,
    );
    await Promise.all([
      publishing,
      this.#project(projector, ended.signal),
      projector.writeItems(ended.signal),
      settled
        .then(() => this.#beat(connection, owned, () => isOwner && begin()))
        .catch((error: unknown) => {
          this.#publishProblem = reasonOf(error);
          lost.abort();
        }),
      begun.then(() => this.#mail.run(connection, owned)),
      begun.then(() => this.#queue.run(connection, this.#mail.workMail(connection), owned)),
    ]);
    return closed;
  }

  async #project(projector: Projector, signal: AbortSignal): Promise<void> {
    let rewriteAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        const now = this.#ports.now();
        if (now >= rewriteAt) {
          await projector.rewrite();
          rewriteAt = now + REWRITE_MS;
        } else if (projector.isDirty) await projector.flush();
        this.#projectProblem = null;
      } catch (error) {
        if (!signal.aborted) this.#projectProblem = reasonOf(error);
      }
      await sleep(this.#projectProblem === null ? FLUSH_MS : BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * @param onBeat  Called after each heartbeat.
   * @throws {OrchdError} ORCHD_HUB_NAME_TAKEN when another machine has taken the name over (`hub join --replace`).
   */
  async #beat(connection: NatsConnection, signal: AbortSignal, onBeat: () => void): Promise<void> {
    const client = jetstream(connection);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { name } = this.#membership;
    const subject = keySubject(MACHINES_BUCKET, name);
    while (!signal.aborted) {
      const beat = {
        name,
        version: this.#ports.version,
        share: this.#ports.share,
        labels: this.#ports.labels,
        last_seq: this.#ports.lastSeq(),
        published_seq: this.#position?.seq ?? 0,
        sessions: this.#ports.sessions().filter(({ ended_at }) => ended_at === null).length,
        open_items: this.#ports.openItems().length,
        terminals: TERMINAL_CONTRACT,
      };
      await client
        .publish(subject, sharedJson(beat, 'screens'), { timeout: BEAT_MS })
        .then(async () => {
          this.#contactAt = this.#ports.now();
          await this.#readClock(manager, subject);
          onBeat();
        })
        .catch((error: unknown) => {
          if (!signal.aborted) this.#projectProblem = reasonOf(error);
        });
      if (this.#position) this.#ports.remember(this.#position);
      if (this.#position) await this.#checkName(manager, connection.info?.max_payload ?? 0);
      await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @throws {OrchdError} ORCHD_HUB_NAME_TAKEN */
  async #checkName(manager: JetStreamManager, max_message_bytes: number): Promise<void> {
    try {
      const { limits } = await readPosition(manager, this.#membership, this.#ports.lastSeq());
      this.#limits = { ...limits, max_message_bytes };
    } catch (error) {
      if (error instanceof OrchdError && error.code === 'ORCHD_HUB_NAME_TAKEN') throw error;
    }
  }

  /** Sets the clock by the last heartbeat. A key with the permissions of an earlier version may not read it. */
  async #readClock(manager: JetStreamManager, subject: string): Promise<void> {
    const last = await manager.direct
      .getMessage(bucketStream(MACHINES_BUCKET), { last_by_subj: subject })
      .catch(() => null);
    if (last) this.#clock.set(last.time.getTime());
  }
}

interface Watched<T extends { readonly id: string }> {
  readonly connection: NatsConnection;
  readonly bucket: WatchedBucket<T>;
}
