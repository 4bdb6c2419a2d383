/** The ears: find an agent's messages in the text that its program prints. Pure functions of text and positions. */

export * from './bounds.js';
export { digest } from './digest.js';
export type * from './findings.js';
export {
  Grammar,
  type Hint,
  type HintSink,
  type Passed,
  type Place,
  passBlank,
  passHead,
  passRow,
  passText,
  readText,
  type Structure,
  type Utterance,
} from './grammar/index.js';
export { type Call, contentKey, echoKeys, type Judged, type JudgedMessage, Ledger, Merging } from './identity/index.js';
export { type JsonReading, readJson } from './json.js';
export type { NearMiss } from './screen/candidates/index.js';
export type { TurnStart } from './screen/heard.js';
export type { Look, ScreenRow, ScreenRules, Voices } from './screen/rows/index.js';
export { ScreenEar, type ScreenEarState } from './screen/screen-ear.js';
export { startTexts } from './start-text.js';
