/** The lines that a starting daemon writes to its standard output, for the process that started it. */

/** Begins a line that tells a step of the start. */
export const STARTING = 'starting: ';
/** Begins a line with the problem, as JSON, that ended the start. On a full disk the log does not hold it. */
export const FAILED = 'failed: ';
/** The line that says that the daemon answers requests. */
export const LISTENING = 'listening';
