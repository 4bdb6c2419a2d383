/** Identity of messages: which utterances are valid, new, and not an echo. See protocol/identity.md. */
export { echoKeys } from './echo.js';
export { contentKey, type Judged, type JudgedMessage } from './judge.js';
export { Ledger } from './ledger.js';
export { type Call, Merging } from './merging.js';
