/**
 * The entries of a bucket, kept up to date while the connection lives.
 *
 * In:   the bucket, and a parser that returns null for a value that is damaged or is not of the machine of its key.
 * Out:  the parsed values with their machines. An entry that its machine has removed is removed here.
 */
import { Kvm, type KvWatchEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

export interface BucketEntry<T> {
  readonly machine: string;
  readonly value: T;
}

/** Separates the machine from the id in a key. */
const SEPARATOR = '.';

export class WatchedBucket<T extends { readonly id: string }> {
  readonly #bucket: string;
  readonly #entries = new Map<string, BucketEntry<T>>();

  constructor(bucket: string) {
    this.#bucket = bucket;
  }

  /** Resolves when the entries that the bucket has now are known. */
  async watch(connection: NatsConnection): Promise<void> {
    await watchBucket(connection, this.#bucket, (entry) => this.#take(entry));
  }

  list(): BucketEntry<T>[] {
    return [...this.#entries.values()];
  }

  #take(entry: KvWatchEntry): void {
    const value = entry.operation === 'PUT' ? parseValue<T>(entry) : null;
    const [machine = '', id] = entry.key.split(SEPARATOR);
    if (value !== null && value.id === id) this.#entries.set(entry.key, { machine, value });
    else this.#entries.delete(entry.key);
  }
}

/** Calls `take` for each entry, and for each change. Resolves when it was called for all that the bucket has now. */
export async function watchBucket(
  connection: NatsConnection,
  name: string,
  take: (entry: KvWatchEntry) => void,
): Promise<void> {
  const bucket = await new Kvm(connection).open(name, { allow_direct: true });
  const entries = await bucket.watch();
  let waiting = (await bucket.status()).values;
  await new Promise<void>((resolve) => {
    if (waiting === 0) resolve();
    void (async () => {
      for await (const entry of entries) {
        take(entry);
        // `delta`: the number of entries that follow. An entry may expire meanwhile.
        if (--waiting <= 0 || entry.delta === 0) resolve();
      }
      resolve();
    })();
  });
}

/** Returns null for a value that is no JSON object. */
export function parseValue<T extends object>(entry: KvWatchEntry): T | null {
  try {
    const value = entry.json<T | null>();
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
