/**
 * Printed again: the messages that a program prints as lines once more, after it has cleared the screen.
 *
 *     ESC[2J ESC[H  row … message … row 50   the screen ear reads these rows
 *                   row 51 … message         lines: a message counts if it occurs here more often than it was reported
 *     input                                  every line after it counts
 *
 * In:   reported messages (`tell`), the beginning of such lines (`begin`), submitted input (`end`).
 * Out:  true for a message that is a copy (`isCopy`).
 * Keeps the last MAX_TOLD reported messages.
 */

const MAX_TOLD = 1024;
/** Matches a command line that clears the screen itself: what it prints then is not printed again. */
const CLEARING = /(?:^|[\s;&|(])(?:clear|cls|reset|tput)(?=$|[\s;&|)])/;

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface PrintedAgainState {
  readonly told: readonly string[];
  /** The reported messages that may still be printed again; absent while every line counts. */
  readonly old?: readonly string[];
  readonly isClearing?: true;
  /** Time of the last submitted input. */
  readonly endedAt: number;
}

export class PrintedAgain {
  readonly #told: string[];
  #old: string[] | null;
  /** True if the last submitted command line clears the screen. */
  #isClearing: boolean;
  #endedAt: number;

  constructor(state?: PrintedAgainState) {
    this.#told = [...(state?.told ?? [])];
    this.#old = state?.old ? [...state.old] : null;
    this.#isClearing = state?.isClearing ?? false;
    this.#endedAt = state?.endedAt ?? 0;
  }

  /** Undefined if no message was reported, and nothing was submitted. */
  state(): PrintedAgainState | undefined {
    if (this.#told.length === 0 && this.#endedAt === 0) return undefined;
    return {
      told: [...this.#told],
      ...(this.#old && { old: [...this.#old] }),
      ...(this.#isClearing && { isClearing: true }),
      endedAt: this.#endedAt,
    };
  }

  /** @param content  Identifies a message, or a rejection, by its content. */
  tell(content: string): void {
    this.#told.push(content);
    if (this.#told.length > MAX_TOLD) this.#told.shift();
  }

  /** Called when lines follow that continue what the program has painted at `paintedAt`. */
  begin(paintedAt: number): void {
    this.#old = this.#isClearing || paintedAt < this.#endedAt ? null : [...this.#told];
  }

  /** Called when input is submitted. */
  end(text: string, time: number): void {
    this.#old = null;
    this.#endedAt = time;
    this.#isClearing = CLEARING.test(text);
  }

  /** True if a printed message is a copy of a reported one. Each reported message has one copy. */
  isCopy(content: string): boolean {
    const at = this.#old?.indexOf(content) ?? -1;
    if (at === -1) return false;
    this.#old?.splice(at, 1);
    return true;
  }
}
