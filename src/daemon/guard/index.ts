/** Guards against output and databases that end the daemon. */
export { HearingGuard } from './hearing-guard.js';
export { passOverDue } from './pass-over.js';
export { WalMark } from './wal-mark.js';
