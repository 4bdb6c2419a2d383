/**
 * Loads what a reply needs while the daemon makes it.
 *
 * Begins when the request that was begun before has been sent: a turn of the loop, in which its socket connects, is let
 * pass. A failure is for who awaits it.
 */
export function whileAsked<T>(load: () => Promise<T>): Promise<T> {
  const loading = new Promise<T>((resolve, reject) => {
    setImmediate(() => setImmediate(() => load().then(resolve, reject)));
  });
  loading.catch(() => {}); // the reply may be a refusal, and nobody awaits this then
  return loading;
}
