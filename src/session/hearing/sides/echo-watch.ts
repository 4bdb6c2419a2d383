/**
 * Echo watch: finds the first output after an Enter that is not the echo of typed text.
 *
 * The echo consists of the row before it (the prompt) and then the typed text. Blanks and line breaks are ignored, so
 * that wraps and CR LF make no difference. Line editors print it in pieces and repeatedly: after the cursor jumped
 * back, printing may continue at the same character further left, but not before the row of the cursor. After a line
 * feed, the echo continues where it was, or the prompt is printed again. For a person's keystrokes only the length is
 * known, so that many characters of the row may be anything.
 *
 *     > postgres          expected: ">postgres"; printed so far: "postgr"
 *             ^ next
 *
 *     $ echo hello        expected: "$echohello"; the line feed came after all of it, and bash's return is a jump:
 *     hello               output, although "hello" was typed
 */
import { CONTROL_SEQUENCES } from '../../../protocol/index.js';

/** Maximum length of the expected text. The echo of longer input counts as output. */
export const MAX_ECHO_CHARS = 64 * 1024;
const MAX_EXPECTED_BYTES = MAX_ECHO_CHARS;
/** Stands for one byte of an unknown character. */
const ANY = 0;
/** Stands for an expected character that was not printed in its row. No UTF-8 text contains this byte. */
const NOTHING = 0xff;

/**
 * After a jump of the cursor, this many equal characters are enough to know where in the echo printing continues. A
 * later mismatch is output.
 */
const MAX_RUN = 64;

export interface EchoWatchState {
  /** The expected bytes in Base64. */
  readonly expected: string;
  readonly next: number;
  readonly run: readonly number[] | null;
  readonly floor: number;
  readonly promptEnd: number;
}

interface Expected {
  readonly expected: Uint8Array;
}

export class EchoWatch {
  readonly #expected: Uint8Array;
  #next: number;
  /** The text printed since the cursor jumped; null if its place in the expected text is already known. */
  #run: number[] | null;
  /** Index in `expected`: text before it was printed in rows above the cursor, and cannot be overwritten. */
  #floor: number;
  /** Index in `expected` at which the prompt ends and the typed text begins. */
  readonly #promptEnd: number;

  private constructor({ expected, next, run, floor, promptEnd }: Omit<EchoWatchState, 'expected'> & Expected) {
    this.#expected = expected;
    this.#next = next;
    this.#run = run && [...run];
    this.#floor = floor;
    this.#promptEnd = promptEnd;
  }

  /**
   * @param row The text of the row before the echo.
   * @param typed The typed text.
   * @param unknown Number of typed characters that are unknown.
   */
  static start(row: string, typed: string, unknown: number): EchoWatch {
    const before = visible(row).slice(-MAX_EXPECTED_BYTES);
    const after = visible(typed.replace(CONTROL_SEQUENCES, ''));
    const expected = new Uint8Array(Math.min(MAX_EXPECTED_BYTES, before.length + unknown + after.length));
    expected.set(before);
    if (before.length + unknown < expected.length) {
      expected.set(after.subarray(0, expected.length - before.length - unknown), before.length + unknown);
    }
    return new EchoWatch({ expected, next: before.length, run: [], floor: 0, promptEnd: before.length });
  }

  static restore(state: EchoWatchState): EchoWatch {
    return new EchoWatch({ ...state, expected: Buffer.from(state.expected, 'base64') });
  }

  state(): EchoWatchState {
    return {
      expected: Buffer.from(this.#expected).toString('base64'),
      next: this.#next,
      run: this.#run && [...this.#run],
      floor: this.#floor,
      promptEnd: this.#promptEnd,
    };
  }

  /** @returns The index of the first byte that is not part of the echo; -1 if all bytes are. */
  printed(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte <= 32) continue;
      this.#run?.push(byte);
      if (this.#isAt(this.#next, byte)) this.#next++;
      else if (!this.#resume()) return at;
      if (this.#run && this.#run.length >= MAX_RUN) this.#run = null;
    }
    return -1;
  }

  /**
   * Called when the cursor has jumped, within its row or to another row. The program may then print a character of the
   * echo again.
   */
  moved(to: 'row' | 'anywhere'): void {
    if (this.#run?.length !== 0) this.#run = [];
    if (to === 'anywhere') this.#floor = 0;
  }

  /** Called when a row is finished: unknown characters were typed into that row. */
  rowEnded(): void {
    const end = this.#expected.lastIndexOf(ANY) + 1;
    if (end > 0) {
      this.#expected.forEach((byte, at) => {
        if (byte === ANY) this.#expected[at] = NOTHING;
      });
      this.#next = Math.max(this.#next, end);
    }
    this.#floor = this.#next;
  }

  #isAt(at: number, byte: number): boolean {
    const wanted = this.#expected[at];
    return wanted !== undefined && (wanted === byte || wanted === ANY);
  }

  /**
   * Goes back to the nearest place in the cursor's row, or to the prompt, at which everything printed since the jump is
   * expected.
   */
  #resume(): boolean {
    const run = this.#run;
    if (!run) return false;
    for (let at = Math.min(this.#next, this.#expected.length) - run.length; at >= this.#floor; at--) {
      if (this.#isRunAt(run, at)) return true;
    }
    return this.#promptEnd > 0 && this.#isRunAt(run, 0);
  }

  #isRunAt(run: readonly number[], at: number): boolean {
    if (!run.every((byte, index) => this.#isAt(at + index, byte))) return false;
    this.#next = at + run.length;
    return true;
  }
}

function visible(text: string): Uint8Array {
  return Buffer.from(text, 'utf8').filter((byte) => byte > 32 && byte !== 127);
}
