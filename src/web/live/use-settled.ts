/** Tells when the parts of a page have their first data, so that they are shown together and none moves another. */
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** The page is shown after this time, whatever is missing. */
const MAX_WAIT_MS = 1_000;
/** Number of frames without a query. The data of one part may make another part ask for its own. */
const QUIET_FRAMES = 3;

/**
 * @param isBusy  True while the page waits for something that is no query.
 * @returns False until everything has loaded once; true from then on. Queries with `meta: { isSlow: true }` are left
 *   out: their parts keep room for themselves.
 */
export function useSettled(isBusy = false): boolean {
  const [isSettled, setSettled] = useState(false);
  const waiting = useIsFetching({ predicate: ({ state, meta }) => state.data === undefined && !meta?.['isSlow'] });
  const isQuiet = waiting === 0 && !isBusy;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isQuiet) return;
    let frames = 0;
    const onFrame = (): void => {
      frames += 1;
      if (frames < QUIET_FRAMES) frame = requestAnimationFrame(onFrame);
      else setSettled(true);
    };
    let frame = requestAnimationFrame(onFrame);
    return () => cancelAnimationFrame(frame);
  }, [isQuiet]);
  return isSettled;
}
