/**
 * Keeps the sessions and the open items of this machine in the buckets of the hub.
 *
 * The buckets are a projection: the daemon's own state is the truth. `rewrite` writes all of it and removes what the
 * server has beyond it, so a lost or damaged bucket is right again after one connection. `touch` marks what an event
 * has changed, and `flush` writes each marked entry once, with its newest state. An item is written as soon as it is
 * marked (`writeItems`), because people wait for it. Sessions change more often, so they are written in turns.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { bucketStream, ITEMS_BUCKET, keySubject, SESSIONS_BUCKET } from '../names.js';
import type { LogLine, MemberPorts } from '../ports.js';
import { sharedJson } from './shared-text.js';

/** Number of writes at a time. */
const WRITES = 64;
const WRITE_MS = 5_000;

type ProjectorPorts = Pick<MemberPorts, 'share' | 'sessions' | 'openItems'>;

export class Projector {
  readonly #machine: string;
  readonly #ports: ProjectorPorts;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #sessions = new Set<string>();
  readonly #items = new Set<string>();
  #onItem = (): void => undefined;

  private constructor(machine: string, ports: ProjectorPorts, client: JetStreamClient, manager: JetStreamManager) {
    this.#machine = machine;
    this.#ports = ports;
    this.#client = client;
    this.#manager = manager;
  }

  static async create(connection: NatsConnection, machine: string, ports: ProjectorPorts): Promise<Projector> {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    return new Projector(machine, ports, jetstream(connection), manager);
  }

  get isDirty(): boolean {
    return this.#sessions.size + this.#items.size > 0;
  }

  touch(events: readonly LogLine[]): void {
    for (const { line } of events) {
      const { session_id, item_id } = JSON.parse(line) as { session_id?: string; item_id?: string };
      if (session_id !== undefined) this.#sessions.add(session_id);
      if (item_id !== undefined) this.#items.add(item_id);
    }
    if (this.#items.size > 0) this.#onItem();
  }

  /** Writes items as soon as they are marked, until the signal aborts. After an error, `flush` rejects. */
  async writeItems(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#itemMarked(signal);
      const isWritten = await this.#flushItems().then(
        () => true,
        () => false,
      );
      if (!isWritten) await sleep(WRITE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when an item is marked, or when the signal aborts. */
  #itemMarked(signal: AbortSignal): Promise<void> {
    if (this.#items.size > 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onItem = () => {
        signal.removeEventListener('abort', this.#onItem);
        resolve();
      };
      signal.addEventListener('abort', this.#onItem, { once: true });
    });
  }

  /** Writes everything, and removes the entries of this machine that are no more. */
  async rewrite(): Promise<void> {
    for (const { id } of this.#ports.sessions()) this.#sessions.add(id);
    for (const { id } of this.#ports.openItems()) this.#items.add(id);
    for (const id of await this.#storedIds(SESSIONS_BUCKET)) this.#sessions.add(id);
    for (const id of await this.#storedIds(ITEMS_BUCKET)) this.#items.add(id);
    await this.flush();
  }

  async flush(): Promise<void> {
    await this.#flushItems();
    await this.#write(SESSIONS_BUCKET, this.#sessions, () => this.#ports.sessions());
  }

  async #flushItems(): Promise<void> {
    await this.#write(ITEMS_BUCKET, this.#items, () => this.#ports.openItems());
  }

  /** Writes the entries with these ids, and removes those that do not exist. A failed write stays marked. */
  async #write(bucket: string, marked: Set<string>, read: () => readonly { readonly id: string }[]): Promise<void> {
    const ids = [...marked];
    for (let at = 0; at < ids.length; at += WRITES) {
      const some = ids.slice(at, at + WRITES);
      // Unmarked before its state is read: a change during the write marks it again.
      for (const id of some) marked.delete(id);
      const byId = new Map(read().map((entry) => [entry.id, entry]));
      const written = await Promise.allSettled(some.map((id) => this.#put(bucket, id, byId.get(id))));
      const failed = written.flatMap((result, i) => (result.status === 'rejected' ? [[some[i], result.reason]] : []));
      for (const [id] of failed) marked.add(id);
      if (failed[0]) throw failed[0][1];
    }
  }

  async #put(bucket: string, id: string, entry: object | undefined): Promise<void> {
    const subject = keySubject(bucket, `${this.#machine}.${id}`);
    if (entry) {
      await this.#client.publish(subject, sharedJson(entry, this.#ports.share), { timeout: WRITE_MS });
      return;
    }
    const header = headers();
    // The bucket keeps one message for each key, so no rollup is needed. Server 2.9 leaves messages out for readers
    // when two rollups come at the same moment.
    header.set('KV-Operation', 'DEL');
    await this.#client.publish(subject, '', { headers: header, timeout: WRITE_MS });
  }

  async #storedIds(bucket: string): Promise<string[]> {
    const prefix = keySubject(bucket, `${this.#machine}.`);
    const { state } = await this.#manager.streams.info(bucketStream(bucket), { subjects_filter: `${prefix}>` });
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
  }
}
