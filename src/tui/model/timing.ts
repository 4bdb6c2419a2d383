/** Times that several views of the TUI share, in milliseconds. */

/** After this time, an Escape without a following character counts as the Escape key. */
export const ESCAPE_MS = 30;
/** Keys decide something only after it was visible for this long, so that keys typed ahead do not. */
export const SEEING_MS = 200;
/** Maximum time for which a notice is shown. */
export const NOTICE_MS = 6_000;
/** Time between two draws of what changes with the clock. Ages are shown in seconds. */
export const TICK_MS = 1_000;
