/**
 * The collection of runs, tasks or workflow runs, each in its decided state and in its stored state, which clients see.
 *
 * In:   decisions (`decided`), and when they are on disk (`committed`).
 * Out:  either state, by id or by the beginning of one.
 */
import { pickById } from '../registry/index.js';

/** Holds the decided and the stored state of all objects of one kind. */
export class Collection<Book> {
  readonly kind: 'run' | 'task' | 'workflow';
  readonly #endOf: (book: Book) => string | null;
  readonly #decided = new Map<string, Book>();
  readonly #committed = new Map<string, Book>();

  /** @param endOf  Returns when the object ended (RFC 3339); null if it has not. */
  constructor(kind: 'run' | 'task' | 'workflow', endOf: (book: Book) => string | null) {
    this.kind = kind;
    this.#endOf = endOf;
  }

  /** Adds an object that a previous daemon stored. */
  restore(id: string, book: Book): void {
    this.decided(id, book);
    this.committed(id, book);
  }

  decided(id: string, book: Book): void {
    this.#decided.set(id, book);
  }

  committed(id: string, book: Book): void {
    this.#committed.set(id, book);
  }

  remove(id: string): void {
    this.#decided.delete(id);
    this.#committed.delete(id);
  }

  has(id: string): boolean {
    return this.#decided.has(id);
  }

  /** Returns the decided state. */
  book(id: string): Book | undefined {
    return this.#decided.get(id);
  }

  books(): ReadonlyMap<string, Book> {
    return this.#decided;
  }

  /**
   * Finds the decided state.
   * @throws {OrchdError} The kind's UNKNOWN error, or ORCHD_AMBIGUOUS.
   */
  find(selector: string): Book {
    return pickById(this.#decided, selector, this.kind);
  }

  /** Returns the stored state. */
  view(id: string): Book | undefined {
    return this.#committed.get(id);
  }

  views(): Book[] {
    return [...this.#committed.values()];
  }

  /** Returns the ids of objects that ended before a time, in both states. */
  endedBefore(time: string): string[] {
    return [...this.#committed].flatMap(([id, book]) => {
      const decided = this.#decided.get(id);
      const [end, newest] = [this.#endOf(book), decided ? this.#endOf(decided) : null];
      return end !== null && end < time && newest !== null ? [id] : [];
    });
  }
}
