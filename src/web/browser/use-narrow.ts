/** A React hook that follows the width of the window. */
import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 719px)');

/** True in a window as narrow as a phone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
