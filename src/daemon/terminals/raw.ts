/** Sends raw bytes to a terminal of the session's size: the screen first, and again after the client fell behind. */
import { MAX_QUEUED_BYTES, type TerminalSocket } from './socket.js';

/** A client whose output was dropped gets the whole screen when its queue is shorter than this. */
export const DRAINED_BYTES = 4 * 1024;
/** Soft reset, main screen, cleared: the state in which a snapshot starts. */
const CLEAN = '\x1b[!p\x1b[?1049l\x1b[0m\x1b[H\x1b[2J';

interface RawOutput {
  /** @param snapshot  The screen that later output continues. */
  begin(snapshot: string): void;
  send(bytes: Buffer): void;
  readonly isBehind: boolean;
}

/** @param onDrained  Called when a client that was behind has received everything and needs the screen again. */
export function createRawOutput(socket: TerminalSocket, onDrained: () => void): RawOutput {
  let isBehind = false;

  function send(bytes: Buffer): void {
    if (socket.readyState !== socket.OPEN || bytes.length === 0) return;
    socket.send(bytes, () => {
      if (!isBehind || socket.bufferedAmount > DRAINED_BYTES) return;
      isBehind = false;
      onDrained();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES.raw) isBehind = true;
  }

  return {
    get isBehind() {
      return isBehind;
    },
    begin: (snapshot) => {
      isBehind = false;
      send(Buffer.from(CLEAN + snapshot));
    },
    send,
  };
}
