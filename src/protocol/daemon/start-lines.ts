/** The lines that a starting daemon writes to its standard output. The process that started it reads them. */

/** The beginning of a line that names a step of the start. */
export const STARTING = 'starting: ';
/**
 * The beginning of a line with the problem, as JSON, that ended the start. If the disk is full, the log does not
 * contain it.
 */
export const FAILED = 'failed: ';
/** The line after which the daemon answers requests. */
export const LISTENING = 'listening';
