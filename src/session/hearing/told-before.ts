/**
 * Messages that earlier programs of a session have reported. A resumed agent paints its old conversation again, before
 * its first input or, if it starts slowly, after it. Up to the end of the first turn, each old message makes orchd
 * ignore one copy of it on the terminal. If the agent really repeats a message, its transcript holds it.
 */
/** Maximum number of messages that an agent paints of an old conversation. */
const MAX_TOLD = 64;

export interface ToldBeforeState {
  readonly told: readonly string[];
  readonly old: readonly string[];
}

export class ToldBefore {
  /** Messages of all programs of the session, the newest last. */
  readonly #told: string[];
  /** Messages of the resumed conversation that are not painted again yet. */
  #old: readonly string[];

  constructor(state?: ToldBeforeState) {
    this.#told = [...(state?.told ?? [])];
    this.#old = state?.old ?? [];
  }

  state(): ToldBeforeState {
    return { told: [...this.#told], old: this.#old };
  }

  /** A program begins that goes on with what was told. */
  resume(): void {
    this.#old = [...this.#told];
  }

  /** Its first turn is over. */
  forget(): void {
    this.#old = [];
  }

  /** @param content  A message's `contentKey`. */
  tell(content: string): void {
    this.#told.push(content);
    if (this.#told.length > MAX_TOLD) this.#told.shift();
  }

  /** True if what the terminal shows is a copy of what was told; each counts once. */
  excuses(content: string): boolean {
    const at = this.#old.indexOf(content);
    if (at < 0) return false;
    this.#old = this.#old.toSpliced(at, 1);
    return true;
  }
}
