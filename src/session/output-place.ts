/**
 * Place in the output: where, in the journal and in bytes since the beginning, the sequence, line feed or text stands that is read now.
 *
 * In:   what is fed (`begin`), how far it is taken (`advance`), where a sequence begins in it (`at`, indices into what is fed).
 * Out:  its position; how many bytes stand between it and the last look. Both depend on the bytes alone, never on how they were cut.
 */
export class OutputPlace {
  /** Journal position. */
  position = 0;
  /** Bytes so far; and up to the place. */
  #count = 0;
  #placedAt = 0;
  /** Up to the place of the last look. */
  #lookedAt = 0;
  /** Of what is being fed: where it begins in the journal and in `#count`; and where what waits to be whole does. */
  #fed = { position: 0, count: 0 };
  #waitsAt = 0;

  /** @param position  Of the first byte of what is fed from here on. */
  begin(position: number): void {
    this.#fed = { position, count: this.#count };
  }

  advance(bytes: number): void {
    this.#count += bytes;
  }

  /** A sequence begins at an index of what is being fed, or before it in what waited; if it is not known already. */
  at(index: number, from = Number.NEGATIVE_INFINITY): void {
    if (index < from) return;
    this.position = index < 0 ? this.#waitsAt : this.#fed.position + index;
    this.#placedAt = this.#fed.count + index;
  }

  /** Everything up to a journal position was read. */
  here(position: number): void {
    this.position = position;
    this.#placedAt = this.#count;
  }

  /** The last bytes of what was fed, up to a journal position, wait for more. */
  waits(end: number, bytes: number): void {
    this.#waitsAt = end - bytes;
  }

  /** Bytes since the place itself. */
  get sincePlace(): number {
    return this.#count - this.#placedAt;
  }

  get sinceLook(): number {
    return this.#count - this.#lookedAt;
  }

  looked(): void {
    this.#lookedAt = this.#placedAt;
  }

  /** As if looked at here. */
  startOver(): void {
    this.#placedAt = this.#count;
    this.#lookedAt = this.#count;
  }
}
