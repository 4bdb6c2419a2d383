/**
 * A client's messages, one after the other: the next when what the one before asked for is done.
 *
 * A message before which nothing waits is taken at once: a key is on its way when the socket's reader returns. When another comes
 * before it is done the socket is not read until all are: what is typed waits in the client until the program takes it.
 */
import type { WebSocket } from 'ws';

/** @param take  Its failure is told, and the next message is taken. */
export function takeInTurn(
  socket: Pick<WebSocket, 'on' | 'pause' | 'resume'>,
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
    const taken = waiting > 0 ? before.then(() => take(data, isBinary)) : take(data, isBinary);
    waiting++;
    before = taken.catch(onError).then(done);
    if (waiting === 1 || isPaused) return;
    isPaused = true;
    socket.pause();
  });
}
