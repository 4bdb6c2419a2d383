/**
 * Loads what a reply needs while the daemon makes it.
 *
 * Begins when the request that was begun before has been sent: a socket that connects is served first. Its failure is for who awaits it.
 */
export function whileAsked<T>(load: () => Promise<T>): Promise<T> {
  const loading = new Promise<T>((resolve, reject) => {
    setImmediate(() => load().then(resolve, reject));
  });
  loading.catch(() => {}); // the reply may be a refusal, and nobody awaits this then
  return loading;
}
