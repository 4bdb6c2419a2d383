/**
 * Loads a module while the daemon prepares a reply.
 *
 * Loading starts after the pending request has been sent: the request's socket needs one turn of the event loop to
 * connect. The caller handles a failed load by awaiting the result.
 */
export function loadMeanwhile<T>(load: () => Promise<T>): Promise<T> {
  const loading = new Promise<T>((resolve, reject) => {
    setImmediate(() => setImmediate(() => load().then(resolve, reject)));
  });
  loading.catch(() => {}); // if the request fails, the caller does not await this
  return loading;
}
