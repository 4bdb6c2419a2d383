/**
 * Observes the ears: every utterance that an ear has heard, and the verdict on it before the ears are merged. `orchd
 * explain` uses it.
 */
import type { Judged, Ledger, Utterance } from '../../ears/index.js';
import type { Ear } from '../../protocol/index.js';

export interface HeardUtterance {
  readonly ear: Ear;
  /**
   * `echo`: an echo of typed text or of the command line; `copy`: the terminal's other ear has already reported it;
   * `counts`: neither.
   */
  readonly standing: 'counts' | 'echo' | 'copy';
  readonly utterance: Utterance;
}

export type UtteranceObserver = (heard: HeardUtterance) => void;

/** Judges an utterance with the ledger, and passes the verdict to the observer. */
export function judgeObserved(
  ledger: Ledger,
  utterance: Utterance,
  ear: Ear,
  onUtterance: UtteranceObserver | null,
): Judged | null {
  const isEcho = onUtterance !== null && ledger.isEcho(utterance, ear);
  const judged = ledger.judge(utterance, ear);
  onUtterance?.({ ear, standing: judged ? 'counts' : isEcho ? 'echo' : 'copy', utterance });
  return judged;
}
