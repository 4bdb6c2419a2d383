/** Transcripts that agents write, followed into the journals. */

export { placesBefore } from './follower.js';
export { Transcripts } from './transcripts.js';
