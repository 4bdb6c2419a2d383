/**
 * What is kept of each run, task or workflow run: as decided, and as it is on disk, which is what clients see.
 *
 * In:   decisions (`decided`), and when they are on disk (`committed`). Out: either, by id or by the beginning of one.
 */
import { pickById } from './pick.js';

export class Shelf<Book> {
  readonly #kind: 'run' | 'task' | 'workflow';
  readonly #decided = new Map<string, Book>();
  readonly #committed = new Map<string, Book>();

  constructor(kind: 'run' | 'task' | 'workflow') {
    this.#kind = kind;
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
}
