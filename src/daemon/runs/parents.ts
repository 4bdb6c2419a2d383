/**
 * The sessions that have started agents with spawn_agent. A parent that waits for its agent gets the result from the
 * call; any other gets one callback, see callback.ts.
 */
import { aggregateOnly, type RunAggregate, type RunEffect, type RunInput } from '../../lifecycle/index.js';
import { isRunOver } from '../../protocol/index.js';
import type { DecisionLoop } from '../decisions/index.js';
import { type CallbackPorts, callBack } from './callback.js';
import type { RunCollection } from './run-collection.js';

interface ParentsPorts extends CallbackPorts {
  readonly collection: RunCollection;
  readonly loop: Pick<DecisionLoop<RunAggregate, RunInput, RunEffect>, 'take'>;
}

type Callback = NonNullable<RunAggregate['spawn']>['callback'];

export class Parents {
  readonly #ports: ParentsPorts;
  /** Number of callers that wait for each run. */
  readonly #waiting = new Map<string, number>();

  constructor(ports: ParentsPorts) {
    this.#ports = ports;
  }

  /**
   * Registers that the parent waits for the run.
   * @returns A function that ends the wait. If the run is not over by then, the parent gets a callback.
   */
  await(id: string): () => void {
    this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
    this.#expect(id, 'waited');
    return () => {
      const others = (this.#waiting.get(id) ?? 1) - 1;
      this.#waiting.set(id, others);
      if (others === 0) this.#waiting.delete(id);
      const aggregate = this.#ports.collection.aggregate(id);
      if (aggregate && isRunOver(aggregate.run)) this.#expect(id, 'told');
      else if (others === 0) this.#expect(id, 'wanted');
    };
  }

  /** Called when the end of a run is on disk. */
  onOver(id: string, aggregate: RunAggregate): void {
    if (aggregate.spawn?.callback === 'wanted') void this.#callBack(id, aggregate);
  }

  /** Called for each run of the previous daemon. */
  recover(id: string, aggregate: RunAggregate): void {
    // Waiting clients reconnect. Callers that do not get a callback.
    if (aggregate.spawn?.callback === 'waited') this.#expect(id, 'wanted');
    else if (isRunOver(aggregate.run)) this.onOver(id, aggregate);
  }

  async #callBack(id: string, { run }: RunAggregate): Promise<void> {
    const isTyped = await callBack(this.#ports, run);
    if (isTyped) this.#expect(id, 'told');
  }

  #expect(id: string, callback: Callback): void {
    const { collection, loop } = this.#ports;
    const aggregate = collection.aggregate(id);
    if (!aggregate?.spawn || aggregate.spawn.callback === callback || aggregate.spawn.callback === 'told') return;
    void loop.take(id, aggregateOnly({ ...aggregate, spawn: { ...aggregate.spawn, callback } }));
  }
}
