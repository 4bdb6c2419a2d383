/**
 * Decides when a queued run may start. At most `parallel` runs have a program; the others wait in the order of their
 * arrival. Two kinds of runs need no place, because the parent that waits for them may hold the last one: agents
 * started by spawn_agent, and one at a time of the runs that the agent of another run has started.
 */
import type { RunAggregate, RunEffect, RunInput } from '../../lifecycle/index.js';
import type { Run } from '../../protocol/index.js';
import type { DecisionLoop } from '../decisions/index.js';
import type { Registry } from '../registry/index.js';
import type { RunCollection } from './run-collection.js';
import { RunSlots } from './run-slots.js';

interface RunTurnsPorts {
  readonly registry: Registry;
  readonly collection: RunCollection;
  readonly loop: Pick<DecisionLoop<RunAggregate, RunInput, RunEffect>, 'apply'>;
  readonly parallel: number;
  readonly now: () => number;
}

const isSpawned = (aggregate: RunAggregate | undefined): boolean => typeof aggregate?.spawn?.call === 'string';

export class RunTurns {
  readonly #ports: RunTurnsPorts;
  readonly #slots: RunSlots;

  constructor(ports: RunTurnsPorts) {
    this.#ports = ports;
    this.#slots = new RunSlots(ports.parallel, (id) => this.#take(id));
  }

  /** True if a run that comes now starts at once. */
  get isFree(): boolean {
    return this.#slots.isFree;
  }

  /** Starts the run now, or when it has a place. */
  queue(id: string): void {
    if (isSpawned(this.#ports.collection.aggregate(id)) || this.#mayGoAhead(id)) this.#take(id);
    else this.#slots.wait(id);
  }

  /** Counts a run whose program was already started by a previous daemon. */
  hold(id: string, aggregate: RunAggregate): void {
    if (!isSpawned(aggregate)) this.#slots.hold(id);
  }

  /** @returns False if the run had no place. */
  leave(id: string): boolean {
    return this.#slots.leave(id);
  }

  /** Called when a run is over. Another run of the same parent may then start without a place. */
  letSiblingGo({ parent_session_id: parent }: Run): void {
    const next =
      parent === null ? undefined : this.#ports.collection.childrenOf(parent).find(({ state }) => state === 'queued');
    if (next && this.#mayGoAhead(next.id)) this.#take(next.id);
  }

  /** True if no sibling runs: of the runs that a run's own agent has started, one at a time needs no place. */
  #mayGoAhead(id: string): boolean {
    const { collection, registry } = this.#ports;
    const parent = collection.aggregate(id)?.run.parent_session_id ?? null;
    if (parent === null || registry.get(parent)?.view.run_id === undefined) return false;
    return collection.childrenOf(parent).every(({ state }) => state !== 'running');
  }

  /** @returns False if the run is no longer queued. */
  #take(id: string): boolean {
    const { collection, registry, loop, now } = this.#ports;
    if (collection.aggregate(id)?.run.state !== 'queued') return false;
    void loop.apply(id, { kind: 'turn', sessionId: registry.newId(), time: now() });
    return true;
  }
}
