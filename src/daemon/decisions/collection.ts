/**
 * The collection of runs, tasks or workflow runs, each in its decided state and in its stored state, which clients see.
 *
 * In:   decisions (`decided`), and when they are on disk (`committed`).
 * Out:  either state, by id or by the beginning of one.
 */
import { pickById } from '../registry/index.js';

/** Holds the decided and the stored state of all objects of one kind. */
export class Collection<Aggregate> {
  readonly kind: 'run' | 'task' | 'workflow';
  readonly #endOf: (aggregate: Aggregate) => string | null;
  readonly #decided = new Map<string, Aggregate>();
  readonly #committed = new Map<string, Aggregate>();

  /** @param endOf  Returns when the object ended (RFC 3339); null if it has not. */
  constructor(kind: 'run' | 'task' | 'workflow', endOf: (aggregate: Aggregate) => string | null) {
    this.kind = kind;
    this.#endOf = endOf;
  }

  /** Adds an object that a previous daemon stored. */
  restore(id: string, aggregate: Aggregate): void {
    this.decided(id, aggregate);
    this.committed(id, aggregate);
  }

  decided(id: string, aggregate: Aggregate): void {
    this.#decided.set(id, aggregate);
  }

  committed(id: string, aggregate: Aggregate): void {
    this.#committed.set(id, aggregate);
  }

  remove(id: string): void {
    this.#decided.delete(id);
    this.#committed.delete(id);
  }

  has(id: string): boolean {
    return this.#decided.has(id);
  }

  /** Returns the decided state. */
  aggregate(id: string): Aggregate | undefined {
    return this.#decided.get(id);
  }

  aggregates(): ReadonlyMap<string, Aggregate> {
    return this.#decided;
  }

  /**
   * Finds the decided state.
   * @throws {OrchdError} The kind's UNKNOWN error, or ORCHD_AMBIGUOUS.
   */
  find(selector: string): Aggregate {
    return pickById(this.#decided, selector, this.kind);
  }

  /** Returns the stored state. */
  view(id: string): Aggregate | undefined {
    return this.#committed.get(id);
  }

  views(): Aggregate[] {
    return [...this.#committed.values()];
  }

  /** Returns the ids of objects that ended before a time, in both states. */
  endedBefore(time: string): string[] {
    return [...this.#committed].flatMap(([id, aggregate]) => {
      const decided = this.#decided.get(id);
      const [end, newest] = [this.#endOf(aggregate), decided ? this.#endOf(decided) : null];
      return end !== null && end < time && newest !== null ? [id] : [];
    });
  }
}
