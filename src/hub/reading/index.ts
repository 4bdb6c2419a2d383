/** Pages of events from the stream of the hub. */
export type { EventPage } from './stream-reader.js';
export { StreamReaders, type StreamRequest } from './stream-readers.js';
