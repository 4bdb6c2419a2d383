/**
 * Decision loop: reads the state of an object, decides, stores the events, and carries out the effects. Runs, tasks and
 * workflow runs each have a loop.
 *
 * In:   inputs (`apply`), and decisions that were made elsewhere (`take`).
 * Out:  `onStored`, then the effects, then `onDone`. All of them come after the decision is on disk and announced.
 *
 * The next decision builds on the last one, stored or not. After a restart the next daemon carries out the effects of
 * each state again (`resume`), so an effect must be idempotent.
 */
import { randomBytes } from 'node:crypto';
import type { Decided } from '../../lifecycle/index.js';
import { ID_BYTES, makeId, OrchdError } from '../../protocol/index.js';
import type { Batch } from '../../store/index.js';
import { Listeners } from '../concurrency/index.js';
import { type EventBus, needRoom, type Outbox, plainEvents } from '../events/index.js';
import type { Log } from '../log.js';
import type { Collection } from './collection.js';

interface DecisionLoopPorts<Aggregate, Input, Effect> {
  readonly collection: Collection<Aggregate>;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly log: Log;
  /** Must be a pure function. */
  readonly decide: (aggregate: Aggregate, input: Input) => Decided<Aggregate, Effect>;
  /** Returns the rows of the store that have changed. */
  readonly rowsOf: (id: string, aggregate: Aggregate, before: Aggregate | undefined) => Omit<Batch, 'events'>;
  readonly carryOut: (id: string, effect: Effect) => void;
  /** Called before the effects are carried out. `before`: the state that was stored until now. */
  readonly onStored?: (id: string, aggregate: Aggregate, before: Aggregate | undefined) => void;
  /** Called after the effects. */
  readonly onDone?: (id: string, aggregate: Aggregate) => void;
}

/** Stores the decisions about objects of one kind and carries out their effects. */
export class DecisionLoop<Aggregate, Input, Effect> {
  readonly #ports: DecisionLoopPorts<Aggregate, Input, Effect>;
  readonly #listeners = new Listeners();
  #isClosed = false;

  constructor(ports: DecisionLoopPorts<Aggregate, Input, Effect>) {
    this.#ports = ports;
  }

  /**
   * Resolves when the decision is on disk; at once if there is nothing to decide on, or if nothing changes. A refused
   * input is logged with its reason.
   */
  apply(id: string, input: Input): Promise<void> {
    const aggregate = this.aggregate(id);
    if (aggregate === undefined) return Promise.resolve();
    const decision = this.#ports.decide(aggregate, input);
    if (decision.aggregate !== aggregate) return this.take(id, decision);
    const { collection, log } = this.#ports;
    if (decision.ignored !== undefined)
      log.info(`an input was refused: ${decision.ignored}`, { [collection.kind]: id });
    return Promise.resolve();
  }

  /** Stores a decision. Its effects are carried out when it is on disk. */
  take(id: string, { aggregate, events, effects }: Decided<Aggregate, Effect>): Promise<void> {
    const { collection, outbox, bus, rowsOf, carryOut, onStored, onDone } = this.#ports;
    const rows = rowsOf(id, aggregate, collection.aggregate(id));
    collection.decided(id, aggregate);
    const plain = plainEvents(events);
    return outbox.commit({ events: plain, ...rows }, (committed) => {
      const before = collection.view(id);
      collection.committed(id, aggregate);
      bus.publish(plain, committed);
      onStored?.(id, aggregate, before);
      for (const effect of effects) carryOut(id, effect);
      onDone?.(id, aggregate);
      this.wake(id);
    });
  }

  /** Returns the decided state; undefined if there is none, and when the daemon stops. */
  aggregate(id: string): Aggregate | undefined {
    return this.#isClosed ? undefined : this.#ports.collection.aggregate(id);
  }

  /**
   * Repeats the effects that the previous daemon may not have carried out.
   *
   * @param first  Called for each object before its effects.
   */
  resume(
    effectsOf: (aggregate: Aggregate) => readonly Effect[],
    first: (id: string, aggregate: Aggregate) => void = () => {},
  ): void {
    for (const [id, aggregate] of this.#ports.collection.aggregates()) {
      first(id, aggregate);
      for (const effect of effectsOf(aggregate)) this.#ports.carryOut(id, effect);
    }
  }

  /** Removes old objects, with their rows. */
  async forget(ids: readonly string[], removes: NonNullable<Batch['removes']>): Promise<void> {
    for (const id of ids) this.#ports.collection.remove(id);
    await this.#ports.outbox.commit({ events: [], removes });
  }

  /**
   * Resolves with the first result of `look` that is not null. It is called now, and after each change of the object.
   *
   * @throws {OrchdError} ORCHD_TIMEOUT, with the words of `pending`, when the signal aborts.
   */
  async until<T>(id: string, look: () => T | null, signal: AbortSignal, pending: () => string): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== null) return found;
      if (signal.aborted) throw new OrchdError('ORCHD_TIMEOUT', pending());
      await this.#listeners.change(id, signal);
    }
  }

  /** Makes the callers of `until` check their condition again. */
  wake(id: string): void {
    this.#listeners.wake(id);
  }

  /** @throws {OrchdError} ORCHD_STORE_FULL */
  needRoom(): void {
    needRoom(this.#ports.outbox, 'nothing can be run');
  }

  /** Returns an id that is not taken. */
  newId(): string {
    for (;;) {
      const id = makeId(this.#ports.collection.kind, randomBytes(ID_BYTES));
      if (!this.#ports.collection.has(id)) return id;
    }
  }

  /** Stops deciding, because the daemon stops. */
  close(): void {
    this.#isClosed = true;
  }
}
