/** The checkpoint of one program's hearing: the states of its parts. Its shape may change only with its version. */
import type { HintKind } from '../../protocol/index.js';
import type { ScreenSideState } from '../screen/screen-side.js';
import type { NoticesState } from './notices.js';
import type { PrintedAgainState } from './printed-again.js';
import type { ReplayGuardState } from './replay-guard.js';
import type { BatchSideState } from './sides/batch-side.js';
import type { LinesSideState } from './sides/lines-side.js';
import type { TranscriptSideState } from './sides/transcript-side.js';
import type { TypedInputState } from './typed-input.js';

export const STATE_VERSION = 7;

export interface HearingState extends LinesSideState {
  version: number;
  ledger: unknown;
  hadWaited: boolean;
  /** True if the program has printed a message in a fence as lines. Absent in checkpoints of older versions. */
  printsFences?: boolean;
  typed: TypedInputState;
  screen: ScreenSideState;
  merging: unknown;
  activity: unknown;
  transcript: TranscriptSideState;
  printedAt: number;
  enteredAt: number;
  isAgent: boolean;
  notices?: NoticesState;
  /** Undefined stands for 0. */
  startTurn?: number;
  toldBefore?: ReplayGuardState;
  /** Absent in checkpoints of older versions, and before the first message. */
  printedAgain?: PrintedAgainState;
  /** Undefined if no hint was reported. */
  hints?: readonly HintKind[];
  batch?: BatchSideState;
}
