/** React hooks that follow the width of the window. */
import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 719px)');
const tight = matchMedia('(max-width: 1199px)');

const useMatch = (query: MediaQueryList): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );

/** True in a window as narrow as a phone. */
export const useNarrow = (): boolean => useMatch(narrow);

/** True in a window in which a list, a detail and their buttons do not fit beside each other. */
export const useTight = (): boolean => useMatch(tight);
