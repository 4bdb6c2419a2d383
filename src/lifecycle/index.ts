/** What should happen next, as pure functions: sessions, their items and answers; runs; tasks. */
export * from './answer-text.js';
export type * from './book.js';
export { decide } from './decide.js';
export { enterAgain, isOfRun, isPosed, OPENS_ITEM, outlivesSession } from './items.js';
export * from './notify.js';
export { isUnderWay } from './passing.js';
export * from './run.js';
export { answerWords, isAsked, wholePrompt } from './run-asks.js';
export type * from './run-book.js';
export { ownUsage } from './run-means.js';
export { isHeldUp, isTurnOver, type TurnSigns, waitsForPerson } from './run-turn.js';
export * from './session-state.js';
export * from './task.js';
export * from './timestamp.js';
export * from './typed-text.js';
export * from './typing.js';
