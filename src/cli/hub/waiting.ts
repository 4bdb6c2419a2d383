/** Times of requests to a hub that wait for events, in milliseconds. */

/** Maximum time for which one request waits for events. */
export const WAIT_MS = 20_000;
/** Pause before a failed request is repeated. */
export const RETRY_MS = 1_000;
