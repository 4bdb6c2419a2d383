/**
 * The readers of the event stream between two pages. The reader that has ended a page goes on with the next one, if it
 * is asked for within IDLE_MS; otherwise another one begins at the cursor.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventPage, type PageRequest, StreamReader } from './stream-reader.js';

const IDLE_MS = 30_000;
const MAX_IDLE = 64;

export interface StreamRequest extends PageRequest {
  readonly machine: string | undefined;
  readonly since: string | undefined;
}

interface Idle {
  readonly reader: StreamReader;
  readonly connection: NatsConnection;
  readonly timer: NodeJS.Timeout;
}

/** Keeps the readers of the event stream for the next pages. */
export class StreamReaders {
  readonly #idle = new Map<string, Idle>();

  async page(connection: NatsConnection, { machine, since, ...request }: StreamRequest): Promise<EventPage> {
    const reader =
      this.#take(keyOf(machine, since ?? ''), connection) ?? (await StreamReader.open(connection, machine, since));
    try {
      const page = await reader.page(request);
      this.#keep(keyOf(machine, page.cursor), { reader, connection });
      return page;
    } catch (error) {
      void reader.close();
      throw error;
    }
  }

  close(): void {
    for (const key of [...this.#idle.keys()]) this.#drop(key);
  }

  #take(key: string, connection: NatsConnection): StreamReader | null {
    const found = this.#idle.get(key);
    if (!found) return null;
    clearTimeout(found.timer);
    this.#idle.delete(key);
    return found.connection === connection ? found.reader : null;
  }

  #keep(key: string, idle: Omit<Idle, 'timer'>): void {
    this.#drop(key);
    const [oldest] = this.#idle.keys();
    if (this.#idle.size >= MAX_IDLE && oldest !== undefined) this.#drop(oldest);
    const timer = setTimeout(() => this.#drop(key), IDLE_MS);
    timer.unref();
    this.#idle.set(key, { ...idle, timer });
  }

  #drop(key: string): void {
    const found = this.#idle.get(key);
    if (!found) return;
    clearTimeout(found.timer);
    this.#idle.delete(key);
    void found.reader.close().catch(() => undefined); // the connection may have ended
  }
}

const keyOf = (machine: string | undefined, cursor: string): string => `${machine ?? '*'} ${cursor}`;
