/** So many runs may have a program at a time; the others wait in the order in which they came. */
export class Places {
  readonly #size: number;
  readonly #give: (id: string) => boolean;
  readonly #queue: string[] = [];
  readonly #held = new Set<string>();

  /** @param give  A place is free for it. Says whether it takes it: it may have been cancelled meanwhile. */
  constructor(size: number, give: (id: string) => boolean) {
    this.#size = size;
    this.#give = give;
  }

  wait(id: string): void {
    this.#queue.push(id);
    this.#next();
  }

  /** It has one already: a daemon before us gave it. */
  hold(id: string): void {
    this.#held.add(id);
  }

  leave(id: string): void {
    if (this.#held.delete(id)) this.#next();
  }

  #next(): void {
    while (this.#held.size < this.#size) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      this.#held.add(id);
      if (!this.#give(id)) this.#held.delete(id);
    }
  }
}
