/**
 * Openings: the rows on which an unfinished object was seen, and how it has grown since.
 *
 * In:   the unfinished objects of each reading (`look`), by row.
 * Out:  if an object has grown while it was watched (`hasGrown`), and if more of one is likely to come (`isGrowing`).
 */
import type { Reading } from './candidates/index.js';
import type { Window } from './heard.js';

/** The amount of an unfinished object that was read, and whether the object has grown since it was first seen. */
export interface Opening {
  readonly chars: number;
  readonly hasGrown: boolean;
  /** True if the object was there when the picture jumped. Text that is added to it may be history, painted slowly. */
  readonly isRepainted: boolean;
}

const MAX_OPENINGS = 256;

export class Openings {
  #byRow: Map<number, Opening>;
  /** True if at the last reading an unfinished object was new or had grown. */
  #isGrowing: boolean;

  constructor(state: readonly (readonly [number, Opening])[] = [], isGrowing = false) {
    this.#byRow = new Map(state);
    this.#isGrowing = isGrowing;
  }

  state(): readonly (readonly [number, Opening])[] {
    return [...this.#byRow];
  }

  get isGrowing(): boolean {
    return this.#isGrowing;
  }

  has(row: number): boolean {
    return this.#byRow.has(row);
  }

  hasGrown(row: number): boolean {
    return this.#byRow.get(row)?.hasGrown === true;
  }

  /**
   * Called when the screen shows another picture. An object that was incomplete in the previous picture cannot grow
   * here.
   */
  forget(): void {
    this.#byRow.clear();
  }

  /** Called when a look had nothing to read, so that no object is growing. */
  rest(): void {
    this.#isGrowing = false;
  }

  /** @param wasHeard  Returns true for a row at which a reported message was. */
  look({ openings, candidates }: Reading, { from, base, isJump }: Window, wasHeard: (row: number) => boolean): void {
    const known = this.#byRow;
    for (const row of known.keys()) if (row < from) known.delete(row);
    for (const { row } of candidates) known.delete(base + row);
    this.#isGrowing = openings.some(({ row, chars }) => chars > (known.get(base + row)?.chars ?? -1));
    for (const { row, chars } of openings) {
      const before = known.get(base + row);
      const isRepainted = before ? before.isRepainted : isJump || wasHeard(base + row);
      const hasGrown = before !== undefined && !isRepainted && (before.hasGrown || chars > before.chars);
      known.set(base + row, { chars: Math.max(chars, before?.chars ?? 0), hasGrown, isRepainted });
    }
    this.#byRow = bounded(known, MAX_OPENINGS);
  }
}

/** Returns a map with at most `size` entries: the newest. */
export function bounded<V>(map: Map<number, V>, size: number): Map<number, V> {
  return map.size <= size ? map : new Map([...map].slice(-size));
}
