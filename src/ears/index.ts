/** The ears: find an agent's messages in the text that its program prints. Pure functions of text and positions. */
export type { Structure } from './blocks.js';
export * from './bounds.js';
export { digest } from './digest.js';
export { echoKeys } from './echo.js';
export type * from './findings.js';
export { Grammar, type HintSink, type Place, readText, type Utterance } from './grammar.js';
export type { Hint } from './hints.js';
export { type JsonReading, readJson } from './json.js';
export { contentKey, type Judged, type JudgedMessage } from './judge.js';
export { Ledger } from './ledger.js';
export { type Call, Merging } from './merging.js';
export { type Passed, passBlank, passHead, passRow, passText } from './open-rows.js';
export type { TurnStart } from './screen/heard.js';
export type { Look, ScreenRules } from './screen/look.js';
export type { NearMiss } from './screen/near-misses.js';
export type { ScreenRow, Voices } from './screen/rows.js';
export { ScreenEar, type ScreenEarState } from './screen/screen-ear.js';
export { startTexts } from './start-text.js';
