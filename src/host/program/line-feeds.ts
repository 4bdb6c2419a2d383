/**
 * Converts output of a pipe to the form of a terminal: a line feed without a carriage return before it gets one, as a
 * terminal's line discipline does. So screens, recordings and ears do not have to know about pipes.
 */
import { MAX_CHUNK_BYTES } from './program.js';

const CR = 13;
const LF = 10;
/** Buffer for the converted output, shared by all programs: valid until the next call. */
const room = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES);

/** Maximum size of a chunk from a pipe. Its output may be twice as long, if every byte is a line feed. */
export const MAX_PIPE_CHUNK_BYTES = MAX_CHUNK_BYTES / 2;

export class LineFeeds {
  #endsInReturn = false;

  /**
   * @param chunk  At most MAX_PIPE_CHUNK_BYTES.
   * @returns The chunk itself, or a borrowed buffer.
   */
  push(chunk: Buffer): Buffer {
    let from = 0;
    let length = 0;
    for (let feed = chunk.indexOf(LF); feed >= 0; feed = chunk.indexOf(LF, from)) {
      const isReturned = feed > 0 ? chunk[feed - 1] === CR : this.#endsInReturn;
      length += chunk.copy(room, length, from, feed);
      if (!isReturned) room[length++] = CR;
      room[length++] = LF;
      from = feed + 1;
    }
    if (chunk.length > 0) this.#endsInReturn = chunk[chunk.length - 1] === CR;
    if (from === 0) return chunk;
    length += chunk.copy(room, length, from);
    return room.subarray(0, length);
  }
}
