/** Rows of a painted screen, and the virtual transcript that is built from them. */
export { echoEnd, rememberTyped } from './echoed-rows.js';
export type { Look, ScreenRules } from './look.js';
export { PlainRows } from './plain-rows.js';
export {
  columns,
  isIdeograph,
  NO_ROW,
  type PlainRow,
  type Rows,
  type ScreenRow,
  squashedWords,
  type Voices,
} from './rows.js';
export { areSplit, MAX_MOVED } from './split-rows.js';
export { type Cursor, Tearing, type TearingState } from './tearing.js';
export { type Placing, Transcript, type TranscriptState } from './transcript.js';
export { isUnsure, UNSURE_WIDTH } from './unsure-width.js';
export { isViewer } from './viewer.js';
