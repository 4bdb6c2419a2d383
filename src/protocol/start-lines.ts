/** The lines that a starting daemon writes to its standard output, for the process that started it. */

/** Begins a line that tells a step of the start. */
export const STARTING = 'starting: ';
/** The line that says that the daemon answers requests. */
export const LISTENING = 'listening';
