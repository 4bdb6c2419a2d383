/**
 * Replay guard: remembers the messages that earlier programs of a session have reported. A resumed agent paints its old
 * conversation again, before its first input or, if it starts slowly, after it. Up to the end of the first turn, each
 * old message makes orchd ignore one copy of it on the terminal. If the agent really repeats a message, its transcript
 * holds it.
 */
/** Maximum number of messages of an old conversation that are remembered. */
const MAX_TOLD = 64;

export interface ReplayGuardState {
  readonly told: readonly string[];
  readonly old: readonly string[];
}

export class ReplayGuard {
  /** Messages of all programs of the session, the newest last. */
  readonly #told: string[];
  /** Messages of the resumed conversation that the agent has not painted again yet. */
  #old: readonly string[];

  constructor(state?: ReplayGuardState) {
    this.#told = [...(state?.told ?? [])];
    this.#old = state?.old ?? [];
  }

  state(): ReplayGuardState {
    return { told: [...this.#told], old: this.#old };
  }

  /** Called when a program starts that resumes the conversation. */
  resume(): void {
    this.#old = [...this.#told];
  }

  /** Called when the first turn of that program is over. */
  forget(): void {
    this.#old = [];
  }

  /** @param content  A message's `contentKey`. */
  tell(content: string): void {
    this.#told.push(content);
    if (this.#told.length > MAX_TOLD) this.#told.shift();
  }

  /** True if a message on the terminal repeats an old one. Each old message counts once. */
  isReplay(content: string): boolean {
    const at = this.#old.indexOf(content);
    if (at < 0) return false;
    this.#old = this.#old.toSpliced(at, 1);
    return true;
  }
}
