/**
 * A tap on the ears: every utterance that an ear has heard, and the verdict on it before the ears are merged. `orchd
 * explain` uses it.
 */
import type { Judged, Ledger, Utterance } from '../../ears/index.js';
import type { Ear } from '../../protocol/index.js';

export interface HeardUtterance {
  readonly ear: Ear;
  /**
   * `echo`: of what was typed or of the command line; `copy`: the terminal's other ear has told it; `counts`: neither.
   */
  readonly standing: 'counts' | 'echo' | 'copy';
  readonly utterance: Utterance;
}

export type UtteranceTap = (heard: HeardUtterance) => void;

/** As the ledger judges; and tells the tap. */
export function judgeTapped(ledger: Ledger, utterance: Utterance, ear: Ear, tap: UtteranceTap | null): Judged | null {
  const isEcho = tap !== null && ledger.isEcho(utterance, ear);
  const judged = ledger.judge(utterance, ear);
  tap?.({ ear, standing: judged ? 'counts' : isEcho ? 'echo' : 'copy', utterance });
  return judged;
}
