/** The ears: find what a program says, from text and positions. Pure. */
export type { Structure } from './blocks.js';
export * from './bounds.js';
export { digest } from './digest.js';
export { echoKey, echoKeys } from './echo.js';
export type * from './findings.js';
export { Grammar, type HintSink, type Place, type Row, readText, type Utterance } from './grammar.js';
export type { Hint } from './hints.js';
export { canonical, type JsonReading, readJson } from './json.js';
export { contentKey, type Judged, type JudgedMessage } from './judge.js';
export { Ledger, type Verdict } from './ledger.js';
export { type Marker, type MarkerType, parseMarker } from './markers.js';
export { type Call, type Health, Merging } from './merging.js';
export { isOpen, type Passed, passBlank, passHead, passRow, passText } from './open-rows.js';
export type { TurnStart } from './screen/heard.js';
export type { NearMiss } from './screen/near-misses.js';
export type { ScreenRow, Voices } from './screen/rows.js';
export { type Look, ScreenEar, type ScreenEarState, type ScreenRules } from './screen/screen-ear.js';
export { startTexts } from './start-text.js';
