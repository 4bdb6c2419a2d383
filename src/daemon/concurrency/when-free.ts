/** Waits for one's turn, or until a signal ends the waiting. */
/** @returns  False if the signal aborted first. */
export async function whenFree(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) return before.then(() => true);
  let leave = (): void => {};
  const aborted = new Promise<false>((resolve) => {
    leave = () => resolve(false);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  const isFree = await Promise.race([before.then(() => true), aborted]);
  signal.removeEventListener('abort', leave);
  return isFree;
}
