/**
 * Guards against output and databases that end the daemon, a clock that jumped, and files of a project that lead out of
 * it.
 */
export { ClockGuard } from './clock-guard.js';
export { HearingGuard } from './hearing-guard.js';
export { passOverDue } from './pass-over.js';
export { leadsOut, outsideOf, type ProjectText, readProjectText } from './project-text.js';
export { WalMark } from './wal-mark.js';
