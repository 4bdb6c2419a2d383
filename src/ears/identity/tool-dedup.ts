/**
 * Finds messages that an agent both sends by a tool and prints. One of each is one message.
 *
 * In:   the messages that were reported from either, by content. Out: the message of the other kind that it repeats,
 *       once.
 *
 *     a tool, then printed    in the same turn, or shortly after its end: painted or written text comes late
 *     printed, then a tool    in the same turn: a call is heard at once
 *
 * The state is plain data of limited size. Pure: times are those of records.
 */
import { MAX_TOOL_DEDUP, TRANSCRIPT_LOST_MS } from '../bounds.js';

/** A message that was reported. */
interface ToldOnce {
  readonly content: string;
  readonly turn: number;
  readonly time: number;
  readonly ordinal: number;
  readonly from: number;
}

export interface ToolDedupState {
  readonly called: readonly ToldOnce[];
  readonly printed: readonly ToldOnce[];
}

export class ToolDedup {
  #called: ToldOnce[];
  #printed: ToldOnce[];

  constructor({ called, printed }: ToolDedupState = { called: [], printed: [] }) {
    this.#called = [...called];
    this.#printed = [...printed];
  }

  /** Undefined while there is nothing to remember. */
  state(): ToolDedupState | undefined {
    const isEmpty = this.#called.length === 0 && this.#printed.length === 0;
    return isEmpty ? undefined : { called: [...this.#called], printed: [...this.#printed] };
  }

  called(told: ToldOnce): void {
    keep(this.#called, told);
  }

  printed(told: ToldOnce): void {
    keep(this.#printed, told);
  }

  /** Finds the tool message that a printed message repeats, and forgets it. */
  takeCalled(content: string, turn: number, time: number): ToldOnce | null {
    if (this.#called.length === 0) return null;
    return take(
      this.#called,
      (one) => one.content === content && (one.turn === turn || time - one.time <= TRANSCRIPT_LOST_MS),
    );
  }

  /** Finds the printed message that a tool message repeats, and forgets it. */
  takePrinted(content: string, turn: number): ToldOnce | null {
    return take(this.#printed, (one) => one.content === content && one.turn === turn);
  }
}

function keep(list: ToldOnce[], told: ToldOnce): void {
  list.push(told);
  if (list.length > MAX_TOOL_DEDUP) list.shift();
}

function take(list: ToldOnce[], fits: (told: ToldOnce) => boolean): ToldOnce | null {
  const at = list.findIndex(fits);
  return at < 0 ? null : (list.splice(at, 1)[0] ?? null);
}
