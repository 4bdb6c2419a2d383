/** Guards against output and databases that end the daemon, and against a clock that jumped. */
export { ClockGuard } from './clock-guard.js';
export { HearingGuard } from './hearing-guard.js';
export { passOverDue } from './pass-over.js';
export { WalMark } from './wal-mark.js';
