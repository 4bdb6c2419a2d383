/** The ears: find an agent's messages in the text that its program prints. Pure functions of text and positions. */

export * from './bounds.js';
export { digest } from './digest.js';
export type * from './findings.js';
export type { Structure } from './grammar/blocks.js';
export { Grammar, type HintSink, readText, type TextSpan, type Utterance } from './grammar/grammar.js';
export type { Hint } from './grammar/hints.js';
export { type Passed, passBlank, passHead, passRow, passText } from './grammar/open-rows.js';
export { echoKeys } from './identity/echo.js';
export { contentKey, type Judged, type JudgedMessage } from './identity/judge.js';
export { Ledger } from './identity/ledger.js';
export { type Call, Merging } from './identity/merging.js';
export { type JsonReading, jsonExtent, readJson } from './json.js';
export type { NearMiss } from './screen/candidates/index.js';
export { keyOf } from './screen/final-candidates.js';
export type { TurnStart } from './screen/heard.js';
export type { Look, ScreenRow, ScreenRules, Voices } from './screen/rows/index.js';
export { ScreenEar, type ScreenEarState } from './screen/screen-ear.js';
export { startTexts } from './start-text.js';
