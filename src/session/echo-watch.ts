/**
 * Echo watch: after an Enter, when does a program print the first thing that is not the echo of what was typed?
 *
 * What may come back is the row as it stood (the prompt) and then what was typed, without blanks and line breaks, so that wraps and
 * CR LF make no difference. Line editors print it in pieces and again: after the cursor jumped back, printing may go on at the
 * same character further left. Of a person's keystrokes only the length is known: so many characters of that row may be anything.
 *
 *     > postgres          expected: ">postgres"; printed so far: "postgr"
 *             ^ next
 */
/** What is expected at most; who types more sees the rest of its echo taken for output. */
export const MAX_ECHO_CHARS = 64 * 1024;
const MAX_EXPECTED_BYTES = MAX_ECHO_CHARS;
/** Stands for a byte of an unknown character. */
const ANY = 0;
/** Stands for one that did not come in its row, and no longer may: no UTF-8 text holds this byte. */
const NOTHING = 0xff;

/** After a jump, so many characters are enough to know where printing goes on; a mismatch later is output. */
const MAX_RUN = 64;

export interface EchoWatchState {
  /** Base 64. */
  readonly expected: string;
  readonly next: number;
  readonly run: readonly number[] | null;
}

export class EchoWatch {
  readonly #expected: Uint8Array;
  #next: number;
  /** What was printed since the cursor jumped; null when it is clear where that stands. */
  #run: number[] | null;

  private constructor(expected: Uint8Array, next: number, run: number[] | null) {
    this.#expected = expected;
    this.#next = next;
    this.#run = run;
  }

  /**
   * @param row      What stands in the row before the echo.
   * @param typed    What is being typed.
   * @param unknown  How many characters were typed that nobody knows.
   */
  static start(row: string, typed: string, unknown: number): EchoWatch {
    const before = visible(row).slice(-MAX_EXPECTED_BYTES);
    const after = visible(typed.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, ''));
    const expected = new Uint8Array(Math.min(MAX_EXPECTED_BYTES, before.length + unknown + after.length));
    expected.set(before);
    if (before.length + unknown < expected.length) {
      expected.set(after.subarray(0, expected.length - before.length - unknown), before.length + unknown);
    }
    return new EchoWatch(expected, before.length, []);
  }

  static restore(state: EchoWatchState): EchoWatch {
    return new EchoWatch(Buffer.from(state.expected, 'base64'), state.next, state.run && [...state.run]);
  }

  state(): EchoWatchState {
    return { expected: Buffer.from(this.#expected).toString('base64'), next: this.#next, run: this.#run };
  }

  /** @returns Whether what was printed is still echo. */
  printed(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte <= 32) continue;
      this.#run?.push(byte);
      if (this.#isAt(this.#next, byte)) this.#next++;
      else if (!this.#resume()) return false;
      if (this.#run && this.#run.length >= MAX_RUN) this.#run = null;
    }
    return true;
  }

  /** The cursor jumped: the next character may be one that was printed before. */
  moved(): void {
    this.#run = [];
  }

  /** A row is finished: what was typed unseen was typed into that row. */
  rowEnded(): void {
    const end = this.#expected.lastIndexOf(ANY) + 1;
    if (end === 0) return;
    this.#expected.forEach((byte, at) => {
      if (byte === ANY) this.#expected[at] = NOTHING;
    });
    this.#next = Math.max(this.#next, end);
  }

  #isAt(at: number, byte: number): boolean {
    const wanted = this.#expected[at];
    return wanted !== undefined && (wanted === byte || wanted === ANY);
  }

  /** Goes back to the nearest place where all that was printed since the jump is expected. */
  #resume(): boolean {
    const run = this.#run;
    if (!run) return false;
    for (let at = Math.min(this.#next, this.#expected.length) - run.length; at >= 0; at--) {
      if (run.every((byte, index) => this.#isAt(at + index, byte))) {
        this.#next = at + run.length;
        return true;
      }
    }
    return false;
  }
}

function visible(text: string): Uint8Array {
  return Buffer.from(text, 'utf8').filter((byte) => byte > 32 && byte !== 127);
}
