/** Limits the number of runs with a program; the others wait in the order of their arrival. */
export class RunSlots {
  readonly #size: number;
  readonly #give: (id: string) => boolean;
  readonly #queue: string[] = [];
  readonly #held = new Set<string>();

  /** @param give  Called when a run may start. Returns false if the run was cancelled meanwhile. */
  constructor(size: number, give: (id: string) => boolean) {
    this.#size = size;
    this.#give = give;
  }

  /** True if a run that comes now starts at once. */
  get isFree(): boolean {
    return this.#held.size + this.#queue.length < this.#size;
  }

  wait(id: string): void {
    this.#queue.push(id);
    this.#next();
  }

  /** Counts a run whose program was already started by a previous daemon. */
  hold(id: string): void {
    this.#held.add(id);
  }

  /** @returns False if the run had no place. */
  leave(id: string): boolean {
    const hadPlace = this.#held.delete(id);
    if (hadPlace) this.#next();
    return hadPlace;
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
