/**
 * A signal that aborts with another one, or after so long.
 *
 * Not `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: nothing holds the timeout there, Node 20 collects it as garbage, and whoever only
 * looks at `aborted` waits for ever.
 */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const either = new AbortController();
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', follow);
    either.abort(new DOMException('it took too long', 'TimeoutError'));
  }, ms);
  timer.unref();
  const follow = (): void => {
    clearTimeout(timer);
    either.abort(signal.reason);
  };
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return either.signal;
}
