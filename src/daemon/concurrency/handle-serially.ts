/**
 * Handles a client's messages one after the other.
 *
 * A message is handled at once if no earlier one is in progress, so a key is sent before the socket's reader returns.
 * If another message comes meanwhile, the socket is paused until all are done: typed input waits in the client until
 * the program reads it. Each of these is handled in a turn of the event loop of its own, so that a thousand messages at
 * once do not delay other clients.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The part of a WebSocket that is used. */
interface MessageSource {
  on(name: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  pause(): void;
  resume(): void;
}

/** @param take  Handles one message. If it fails, the error is reported and the next message is handled. */
export function handleSerially(
  socket: MessageSource,
  take: (data: Buffer, isBinary: boolean) => Promise<void>,
  onError: (error: unknown) => void,
): void {
  let before = Promise.resolve();
  let waiting = 0;
  let isPaused = false;

  function done(): void {
    waiting--;
    if (waiting > 0 || !isPaused) return;
    isPaused = false;
    socket.resume();
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const taken = waiting > 0 ? before.then(() => nextTurn()).then(() => take(data, isBinary)) : take(data, isBinary);
    waiting++;
    before = taken.catch(onError).then(done);
    if (waiting === 1 || isPaused) return;
    isPaused = true;
    socket.pause();
  });
}
