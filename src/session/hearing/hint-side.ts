/**
 * Hints of a session: lines that look like messages and are none, each kind told once.
 *
 * In:   hints of the lines ear, of the screen while there is no healthy transcript, and of the transcript.
 * Out:  `hint` findings. Copies of what was typed, and what stood in an old conversation, are none.
 */
import type { Hint, Ledger, Place, Told } from '../../ears/index.js';
import type { Ear, HintKind } from '../../protocol/index.js';

interface HintSidePorts {
  readonly ledger: Ledger;
  readonly find: (told: Told) => void;
}

export class HintSide {
  readonly #ports: HintSidePorts;
  readonly #told: Set<HintKind>;

  /** @param told  What `state()` gave earlier. */
  constructor(ports: HintSidePorts, told: readonly HintKind[] = []) {
    this.#ports = ports;
    this.#told = new Set(told);
  }

  state(): readonly HintKind[] {
    return [...this.#told];
  }

  take({ hint, seen, message }: Hint, { from, to }: Place, line: string, ear: Ear): void {
    // Rows of lines are passed as bytes where nothing can be heard in them: what stands in the middle of them is not
    // seen.
    if (ear === 'lines' && hint === 'marker_inline') return;
    const { ledger, find } = this.#ports;
    if (this.#told.has(hint) || ledger.isTypedHint(line)) return;
    this.#told.add(hint);
    find({ kind: 'hint', hint, seen, message, ear, origin: { ear, from, to }, turn: ledger.turn });
  }
}
