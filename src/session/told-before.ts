/**
 * What a session's programs have told before, for an agent that is resumed: it paints its old conversation, some before
 * they take input and some only after it, when they were slow to start. Each message that was told excuses one copy of
 * it on the terminal, up to the end of the first turn; said again in earnest, it stands in the agent's transcript.
 */
/** As many as an agent paints of an old conversation. */
const MAX_TOLD = 64;

export interface ToldBeforeState {
  readonly told: readonly string[];
  readonly old: readonly string[];
}

export class ToldBefore {
  /** By any program of the session, the newest last. */
  readonly #told: string[];
  /** Of an earlier conversation that goes on, and not painted again yet. */
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
