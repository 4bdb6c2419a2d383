/**
 * Limits how many messages of one machine of a hub this one reads.
 *
 * Each machine has a bucket of tokens: `burst` at first, and `perSecond` more each second, up to `burst`. A message
 * that finds no token is left unread, which costs little. So one machine cannot hold up the others.
 */
import { type Flood, Floods } from './floods.js';

export interface FloodLimit {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** At most this many machines have a bucket of their own; all others share one. */
const MAX_MACHINES = 1_000;
const OTHERS = '';

/** Decides for each message of a machine if it is read or left unread. */
export class FloodGuard {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #floods: Floods;

  /** @param now  A monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#floods = new Floods(now);
  }

  /** @returns `read` if the message is to be read; `flooded` for the first one of a flood that is not. */
  admit(machine: string, { burst, perSecond }: FloodLimit): 'read' | 'unread' | 'flooded' {
    const now = this.#now();
    const bucket = this.#bucketOf(machine, burst);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1_000) * perSecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return this.#floods.note(machine) ? 'flooded' : 'unread';
    bucket.tokens -= 1;
    return 'read';
  }

  /** The machines whose messages were left unread lately. */
  floods(): Flood[] {
    return this.#floods.list();
  }

  #bucketOf(machine: string, burst: number): Bucket {
    const key = this.#buckets.has(machine) || this.#buckets.size < MAX_MACHINES ? machine : OTHERS;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: this.#now() };
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
