/**
 * The machines of the hub, from their heartbeats.
 *
 * In:   the bucket `orchd_machines`, watched while the connection lives.
 * Out:  each machine with the age of its last heartbeat. The age compares times of the server only: the clocks of the
 *   machines may differ. The own heartbeat tells the time of the server; a monotonic clock counts on from there.
 */
import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { keySubject, MACHINES_BUCKET } from '../names.js';
import type { HubShare } from '../ports.js';
import type { ServerClock } from './server-clock.js';
import { type BucketChange, parseValue, watchBucket } from './watched-bucket.js';

interface Heartbeat {
  readonly name: string;
  readonly version: string;
  /** The newest event of its log, and the newest one that the hub has. */
  readonly last_seq: number;
  readonly published_seq: number;
  /** Numbers of living sessions and open items. */
  readonly sessions: number;
  readonly open_items: number;
  readonly share: HubShare;
  /** The machine's labels. Absent if its version of orchd has no labels. */
  readonly labels?: readonly string[];
  /** TERMINAL_CONTRACT of its version. Absent: its version has no terminals for other machines. */
  readonly terminals?: number;
}

export interface MachineEntry extends Heartbeat {
  /** Milliseconds since its last heartbeat. */
  readonly age_ms: number;
  /** True if the age is more than AWAY_MS. */
  readonly away: boolean;
}

export const BEAT_MS = 5_000;
/** A machine is away after three missed heartbeats. */
const AWAY_MS = 3 * BEAT_MS + 1_000;

interface KnownMachine {
  readonly beat: Heartbeat;
  readonly at: number;
}

class Machines {
  readonly #clock: ServerClock;
  readonly #known = new Map<string, KnownMachine>();

  constructor(clock: ServerClock) {
    this.#clock = clock;
  }

  /** Resolves when the machines that the bucket has now are known. */
  async watch(connection: NatsConnection): Promise<void> {
    await watchBucket(connection, MACHINES_BUCKET, (change) => this.#take(change));
  }

  list(): MachineEntry[] {
    const serverNow = this.#clock.now() ?? 0; // known with the first machine
    return [...this.#known.values()]
      .map(({ beat, at }) => {
        const age = Math.max(0, Math.round(serverNow - at));
        return { ...beat, age_ms: age, away: age > AWAY_MS };
      })
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  #take({ key, text, at }: BucketChange): void {
    this.#clock.observe(at);
    if (text === null) return void this.#known.delete(key);
    const beat = parseBeat(key, text);
    if (beat) this.#known.set(key, { beat, at });
  }
}

interface Watching {
  readonly connection: NatsConnection;
  /** Resolves when the machines are known. */
  readonly known: Promise<void>;
  /** When the machines could not be read, by the clock of this machine. Null: they could be read until now. */
  failedAt: number | null;
}

/** The machines of the present connection. They are watched from the first call of `list` on. */
export class MachineWatch {
  readonly #clock: ServerClock;
  readonly #now: () => number;
  #machines: Machines;
  #watching: Watching | undefined;

  constructor(clock: ServerClock, now: () => number) {
    this.#clock = clock;
    this.#now = now;
    this.#machines = new Machines(clock);
  }

  /** Watches the machines by a new connection, if they were watched before. */
  resume(connection: NatsConnection): void {
    if (this.#watching) this.#watch(connection);
  }

  /**
   * Returns the machines; without a connection, those of the last one. After an error, the first call that comes
   * `BEAT_MS` later tries again: the server may permit the reading by then.
   */
  async list(connection: NatsConnection | undefined): Promise<MachineEntry[]> {
    if (connection && this.#needsWatch(connection)) this.#watch(connection);
    await this.#watching?.known;
    return this.#machines.list();
  }

  #needsWatch(connection: NatsConnection): boolean {
    if (this.#watching?.connection !== connection) return true;
    const { failedAt } = this.#watching;
    return failedAt !== null && this.#now() - failedAt >= BEAT_MS;
  }

  #watch(connection: NatsConnection): void {
    const machines = new Machines(this.#clock);
    const known = machines.watch(connection).then(() => {
      this.#machines = machines;
    });
    const watching: Watching = { connection, known, failedAt: null };
    known.catch(() => {
      watching.failedAt = this.#now();
    });
    this.#watching = watching;
  }
}

/** Returns null for a value that is no heartbeat of the machine whose key it has. */
function parseBeat(key: string, text: string): Heartbeat | null {
  const beat = parseValue<Heartbeat>(text);
  const isBeat = beat?.name === key && typeof beat.version === 'string' && typeof beat.last_seq === 'number';
  return isBeat ? beat : null;
}

/** Removes the heartbeat of a machine that leaves. Its events stay. */
export async function withdraw(connection: NatsConnection, name: string): Promise<void> {
  const header = headers();
  header.set('KV-Operation', 'DEL');
  await jetstream(connection).publish(keySubject(MACHINES_BUCKET, name), '', { headers: header });
}
