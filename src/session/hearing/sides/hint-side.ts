/**
 * Hints of a session: lines that look like messages but are not. Each kind is reported once.
 *
 * In:   hints of the lines ear, of the screen while there is no healthy transcript, and of the transcript.
 * Out:  `hint` findings.
 *
 * Copies of typed text, and lines of an old conversation, are not reported.
 */
import type { Hint, Ledger, TextSpan, UnplacedFinding } from '../../../ears/index.js';
import type { Ear, HintKind } from '../../../protocol/index.js';

interface HintSidePorts {
  readonly ledger: Ledger;
  readonly find: (told: UnplacedFinding) => void;
}

export class HintSide {
  readonly #ports: HintSidePorts;
  readonly #told: Set<HintKind>;

  /** @param told  The result of an earlier `state()`. */
  constructor(ports: HintSidePorts, told: readonly HintKind[] = []) {
    this.#ports = ports;
    this.#told = new Set(told);
  }

  state(): readonly HintKind[] {
    return [...this.#told];
  }

  take({ hint, seen, message }: Hint, { from, to }: TextSpan, line: string, ear: Ear): void {
    // The lines ear skips rows that cannot contain a message, so it does not see text in the middle of them. It would
    // report this hint only sometimes, so it never does.
    if (ear === 'lines' && hint === 'marker_inline') return;
    const { ledger, find } = this.#ports;
    if (this.#told.has(hint) || ledger.isTypedHint(line)) return;
    this.#told.add(hint);
    find({ kind: 'hint', hint, seen, message, ear, origin: { ear, from, to }, turn: ledger.turn });
  }
}
