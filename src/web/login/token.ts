/**
 * The token of this browser, in the storage of the page's own origin.
 *
 * Cookies would reach every port of 127.0.0.1, where agents may serve pages. This storage does not.
 */
import type { OutputOf } from '../../protocol/index.js';

type Entered = OutputOf<'web.enter'>;

const KEY = 'orchd.session';

export function readSession(): Entered | null {
  try {
    const session = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Entered | null; // only `keepSession` writes it
    return session && Date.parse(session.expires_at) > Date.now() ? session : null;
  } catch {
    return null;
  }
}

export const keepSession = (session: Entered): void => localStorage.setItem(KEY, JSON.stringify(session));
export const forgetSession = (): void => localStorage.removeItem(KEY);

/** Returns the code of a link, and removes it from the address and the history. */
export function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
