/**
 * Said twice: messages that an agent says by a tool and prints as well. One of each is one message.
 *
 * In:   what was told of either, by content. Out: the one of the other that it repeats, once.
 *
 *     a tool, then printed    in the same turn, or shortly behind its end: what is painted or written down comes late
 *     printed, then a tool    in the same turn: a call is heard at once
 *
 * State is plain data and bounded. Pure: times are those of records.
 */
import { MAX_TOOL_DEDUP, TRANSCRIPT_LOST_MS } from './bounds.js';

/** A message that was told. */
export interface ToldOnce {
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

  /** Not there while there is nothing to remember. */
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

  /** The tool's message that something printed repeats. */
  takeCalled(content: string, turn: number, time: number): ToldOnce | null {
    if (this.#called.length === 0) return null;
    return take(
      this.#called,
      (one) => one.content === content && (one.turn === turn || time - one.time <= TRANSCRIPT_LOST_MS),
    );
  }

  /** The printed message that a tool repeats. */
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
