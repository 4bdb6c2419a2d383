/**
 * Returns a signal that aborts with another one, or after `ms`.
 *
 * `AbortSignal.any([signal, AbortSignal.timeout(ms)])` cannot be used: the timeout is not referenced, so Node 20
 * collects it as garbage, and code that only checks `aborted` would wait forever.
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
