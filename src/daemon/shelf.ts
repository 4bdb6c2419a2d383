/**
 * What is kept of each run, task or workflow run: as decided, and as it is on disk, which is what clients see.
 *
 * In:   decisions (`decided`), and when they are on disk (`committed`). Out: either, by id or by the beginning of one.
 */
import { pickById } from './pick.js';

export class Shelf<Book> {
  readonly #kind: 'run' | 'task' | 'workflow';
  readonly #endOf: (book: Book) => string | null;
  readonly #decided = new Map<string, Book>();
  readonly #committed = new Map<string, Book>();

  /** @param endOf  When it was over (RFC 3339); null for one that is not. */
  constructor(kind: 'run' | 'task' | 'workflow', endOf: (book: Book) => string | null) {
    this.#kind = kind;
    this.#endOf = endOf;
  }

  /** As a daemon before us left it. */
  takeUp(id: string, book: Book): void {
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

  /** As decided. */
  book(id: string): Book | undefined {
    return this.#decided.get(id);
  }

  books(): ReadonlyMap<string, Book> {
    return this.#decided;
  }

  /** As decided. @throws {OrchdError} The kind's UNKNOWN, or ORCHD_AMBIGUOUS. */
  find(selector: string): Book {
    return pickById(this.#decided, selector, this.#kind);
  }

  /** As it is on disk. */
  view(id: string): Book | undefined {
    return this.#committed.get(id);
  }

  views(): Book[] {
    return [...this.#committed.values()];
  }

  /** Those that were over before a time, by id. What goes on, as decided, is not over. */
  endedBefore(time: string): string[] {
    return [...this.#committed].flatMap(([id, book]) => {
      const decided = this.#decided.get(id);
      const [end, newest] = [this.#endOf(book), decided ? this.#endOf(decided) : null];
      return end !== null && end < time && newest !== null ? [id] : [];
    });
  }
}
