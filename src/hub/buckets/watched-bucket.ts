/**
 * The entries of a bucket, kept up to date while the connection lives.
 *
 * In:   the bucket. A value that is damaged, or that its machine did not publish, changes nothing.
 * Out:  the parsed values with their machines. An entry that its machine has removed is removed here.
 */
import { DeliverPolicy, type JsMsg, jetstream, type PushConsumer } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { isCopy } from '../copied-message.js';
import { bucketStream, keySubject } from '../names.js';
import { shareStructure } from './structural-sharing.js';

export interface BucketEntry<T> {
  readonly machine: string;
  readonly value: T;
}

/** A change of a bucket: a value, or null if its machine has removed it. */
export interface BucketChange {
  readonly key: string;
  readonly text: string | null;
  /** When the server stored it, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Maximum time until the server begins, for each try. In a large bucket, the server needs some time to find the newest
 * entry of each key. In a cluster, the server that was chosen may be down, and then never replies.
 */
const OPEN_MS = [3_000, 3_000, 5_000, 10_000, 30_000];
/** Separates the machine from the id in a key. */
const SEPARATOR = '.';

/** The limit for the entries of each machine, so that no machine can fill the memory of the others. */
interface BucketLimit {
  readonly entries: number;
  readonly chars: number;
}

export const SESSIONS_KEPT: BucketLimit = { entries: 20_000, chars: 64 * 1024 * 1024 };
export const ITEMS_KEPT: BucketLimit = { entries: 2_000, chars: 8 * 1024 * 1024 };

interface Kept<T> extends BucketEntry<T> {
  readonly chars: number;
}

export class WatchedBucket<T extends { readonly id: string }> {
  readonly #bucket: string;
  readonly #limit: BucketLimit;
  readonly #entries = new Map<string, Kept<T>>();
  /** The number and the size of each machine's entries. */
  readonly #sizes = new Map<string, { entries: number; chars: number }>();
  readonly #limited = new Set<string>();
  #last: T | null = null;

  constructor(bucket: string, limit: BucketLimit) {
    this.#bucket = bucket;
    this.#limit = limit;
  }

  /** The machines whose further entries were left out. */
  get limited(): readonly string[] {
    return [...this.#limited];
  }

  /** Resolves when the entries that the bucket has now are known. */
  async watch(connection: NatsConnection): Promise<void> {
    await watchBucket(connection, this.#bucket, (change) => this.#take(change));
  }

  list(): BucketEntry<T>[] {
    return [...this.#entries.values()];
  }

  #take({ key, text }: BucketChange): void {
    const [machine = '', id] = key.split(SEPARATOR);
    if (text === null) return void this.#remove(key);
    const { entries, chars } = this.#sizes.get(machine) ?? { entries: 0, chars: 0 };
    const known = this.#entries.get(key);
    const isFull = !known && entries >= this.#limit.entries;
    if (isFull || chars - (known?.chars ?? 0) + text.length > this.#limit.chars) {
      this.#limited.add(machine);
      return void this.#remove(key);
    }
    const value = parseValue<T>(text);
    if (value === null || value.id !== id) return;
    // Saves memory: a hub may have 50,000 sessions, and successive ones share most of their values.
    this.#last = shareStructure(value, this.#last) as T;
    if (known) this.#count(machine, -1, -known.chars);
    this.#entries.set(key, { machine, value: this.#last, chars: text.length });
    this.#count(machine, 1, text.length);
  }

  #remove(key: string): void {
    const known = this.#entries.get(key);
    if (known && this.#entries.delete(key)) this.#count(known.machine, -1, -known.chars);
  }

  #count(machine: string, entries: number, chars: number): void {
    const size = this.#sizes.get(machine) ?? { entries: 0, chars: 0 };
    this.#sizes.set(machine, { entries: size.entries + entries, chars: size.chars + chars });
  }
}

/** Calls `take` for each entry, and for each change. Resolves when it was called for all that the bucket has now. */
export async function watchBucket(
  connection: NatsConnection,
  bucket: string,
  take: (change: BucketChange) => void,
): Promise<void> {
  const consumer = await openConsumer(connection, bucket);
  let waiting = (await consumer.info(true)).num_pending;
  const messages = await consumer.consume();
  await new Promise<void>((resolve) => {
    if (waiting === 0) resolve();
    void (async () => {
      for await (const message of messages) {
        if (!isCopy(message.headers)) take(changeOf(bucket, message));
        // An entry may expire meanwhile, so the number of those that follow counts, too.
        if (--waiting <= 0 || message.info.pending === 0) resolve();
      }
      resolve();
    })();
  });
}

async function openConsumer(
  connection: NatsConnection,
  bucket: string,
  [timeout = 0, ...later] = OPEN_MS,
): Promise<PushConsumer> {
  try {
    return await jetstream(connection, { timeout }).consumers.getPushConsumer(bucketStream(bucket), {
      filter_subjects: keySubject(bucket, '>'),
      deliver_policy: DeliverPolicy.LastPerSubject,
    });
  } catch (error) {
    if (later.length === 0 || !(error instanceof TimeoutError)) throw error;
    return openConsumer(connection, bucket, later);
  }
}

function changeOf(bucket: string, message: JsMsg): BucketChange {
  const isValue = !message.headers?.has('KV-Operation') && !message.headers?.has('Nats-Marker-Reason');
  return {
    key: message.subject.slice(keySubject(bucket, '').length),
    text: isValue ? message.string() : null,
    at: message.info.timestampNanos / 1e6,
  };
}

/** Returns null for a text that is no JSON object. */
export function parseValue<T extends object>(text: string): T | null {
  try {
    const value = JSON.parse(text) as T | null; // the caller checks what it uses
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
