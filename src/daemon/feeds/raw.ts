/** The bytes as they come, for a terminal of the session's own size: the screen first, and anew when the client fell behind. */
import type { WebSocket } from 'ws';

/** Above this the client is behind; it gets the screen when its queue has drained, but for as little as this. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const DRAINED_BYTES = 4 * 1024;
/** Soft reset, main screen, cleared: what a snapshot starts from. */
const CLEAN = '\x1b[!p\x1b[?1049l\x1b[0m\x1b[H\x1b[2J';

export interface RawOutput {
  /** @param snapshot  The screen, to which all that is sent afterwards belongs. */
  begin(snapshot: string): void;
  send(bytes: Buffer): void;
  readonly isBehind: boolean;
}

/** @param onDrained  The client was behind and has taken what was sent: it needs the screen anew. */
export function createRawOutput(socket: WebSocket, onDrained: () => void): RawOutput {
  let isBehind = false;

  function send(bytes: Buffer): void {
    if (socket.readyState !== socket.OPEN || bytes.length === 0) return;
    socket.send(bytes, () => {
      if (!isBehind || socket.bufferedAmount > DRAINED_BYTES) return;
      isBehind = false;
      onDrained();
    });
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) isBehind = true;
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
