/**
 * What a session's programs have told before, for an agent that is resumed: it paints its old conversation, some before they take input
 * and some only after it, when they were slow to start. Each message that was told excuses one copy of it on the terminal, up to the end
 * of the first turn; said again in earnest, it stands in the agent's transcript.
 */
import { contentKey } from '../ears/index.js';
import type { Message } from '../protocol/index.js';

/** As many as an agent paints of an old conversation. */
const MAX_TOLD = 64;

export interface ToldBeforeState {
  readonly told: readonly string[];
  readonly old: readonly string[];
}

export class ToldBefore {
  /** By any program of the session, the newest last. */
  #told: readonly string[];
  /** Of an earlier conversation that goes on, and not painted again yet. */
  #old: readonly string[];

  constructor(state?: ToldBeforeState) {
    this.#told = state?.told ?? [];
    this.#old = state?.old ?? [];
  }

  state(): ToldBeforeState {
    return { told: this.#told, old: this.#old };
  }

  /** A program begins that goes on with what was told. */
  resume(): void {
    this.#old = this.#told;
  }

  /** Its first turn is over. */
  forget(): void {
    this.#old = [];
  }

  tell(message: Message): void {
    this.#told = [...this.#told, contentKey(message)].slice(-MAX_TOLD);
  }

  /** Whether what the terminal shows is a copy of what was told; each counts once. */
  excuses(message: Message): boolean {
    if (this.#old.length === 0) return false;
    const at = this.#old.indexOf(contentKey(message));
    if (at < 0) return false;
    this.#old = this.#old.toSpliced(at, 1);
    return true;
  }
}
