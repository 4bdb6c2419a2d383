/**
 * Shares the event loop between callers that send requests at the same time: sessions, and the operations that a
 * person's programs call. So a script that captures a screen a thousand times at once delays no `ls`.
 *
 * In:   a request that is about to begin, and its caller (`enter`); a part of a request (`turn`); each new connection
 *       (`connected`).
 * Out:  resolves when the request or part may begin. At most one begins in each turn of the event loop, and callers
 *       take turns.
 *
 * An agent may open a thousand connections at once. Without this, all their requests would begin before the request of
 * anybody else. Node accepts one connection in each turn. So while connections come, requests of agents wait for at
 * most MAX_PAUSE_MS: the turns stay short, and the connection of a person is accepted soon.
 *
 * A session has at most MAX_REQUESTS requests that are not answered, because a connection needs memory and time also
 * while it waits and when it closes.
 */
import { needRequestRoom } from '../../protocol/index.js';

const MAX_PAUSE_MS = 10;
const REFUSED_PER_TURN = 10;

interface TurnPorts {
  /** Runs a function in the next turn of the event loop. */
  readonly nextTurn?: (run: () => void) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

export class FairQueue {
  /** The requests of each caller that have not begun. The first caller in the map is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** The requests that are refused soon. Refusing hundreds in one turn would make it long. */
  readonly #refused: (() => void)[] = [];
  /** Number of requests of each caller that are not answered. */
  readonly #open = new Map<string, number>();
  readonly #nextTurn: (run: () => void) => void;
  readonly #now: () => number;
  #isPaused = false;
  #hasConnected = false;
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor({ nextTurn = setImmediate, now = () => performance.now() }: TurnPorts = {}) {
    this.#nextTurn = nextTurn;
    this.#now = now;
  }

  connected(): void {
    this.#hasConnected = true;
  }

  /**
   * Counts a request of a caller. Resolves when it may begin, with a function to call when it is over.
   * @throws {OrchdError} ORCHD_BUSY
   */
  async enter(caller: string): Promise<() => void> {
    let leave: () => void;
    try {
      leave = this.count(caller);
    } catch (busy) {
      await this.#queued((refuse) => this.#refused.push(refuse));
      throw busy;
    }
    await this.turn(caller);
    return leave;
  }

  /** Resolves when the next part of a counted request may begin. */
  turn(caller: string): Promise<void> {
    return this.#queued((begin) => {
      const before = this.#waiting.get(caller);
      if (before) before.push(begin);
      else this.#waiting.set(caller, [begin]);
    });
  }

  /**
   * Counts a request that begins at once, and returns the function to call when it is over.
   * @throws {OrchdError} ORCHD_BUSY
   */
  count(caller: string): () => void {
    const count = this.#open.get(caller) ?? 0;
    needRequestRoom(count);
    this.#open.set(caller, count + 1);
    return () => {
      const left = (this.#open.get(caller) ?? 1) - 1;
      if (left > 0) this.#open.set(caller, left);
      else this.#open.delete(caller);
    };
  }

  #queued(queue: (resume: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      queue(resolve);
      if (!this.#isPaused) this.#begin();
    });
  }

  #begin(): void {
    this.#refuse();
    const next = this.#waiting.entries().next().value;
    this.#isPaused = next !== undefined || this.#refused.length > 0;
    if (next) {
      const [caller, requests] = next;
      requests.shift()?.();
      this.#waiting.delete(caller);
      if (requests.length > 0) this.#waiting.set(caller, requests); // The caller moves to the end of the queue.
      this.#begunAt = this.#now();
    }
    this.#hasConnected = false;
    if (this.#isPaused) this.#nextTurn(() => this.#turn());
  }

  #refuse(): void {
    for (const refuse of this.#refused.splice(0, REFUSED_PER_TURN)) refuse();
  }

  #turn(): void {
    const isPause = this.#hasConnected && this.#now() - this.#begunAt < MAX_PAUSE_MS;
    this.#hasConnected = false;
    if (!isPause) {
      this.#begin();
      return;
    }
    this.#refuse();
    this.#nextTurn(() => this.#turn());
  }
}
