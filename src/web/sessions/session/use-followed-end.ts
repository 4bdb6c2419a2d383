/** Follows the end of the messages, unless the person reads: then what is read stays where it is. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Event } from '../../../protocol/index.js';

/** If the end of the list is at most this far away, the list follows new messages. */
const AT_END_PX = 40;

interface FollowedEnd {
  /** Number of new messages below what is shown. */
  readonly unseen: number;
  readonly toEnd: () => void;
}

/**
 * @param list    Its parent scrolls, except on a phone, where the page scrolls as a whole and follows nothing.
 * @param events  The messages, the newest last.
 */
export function useFollowedEnd(
  list: RefObject<HTMLElement | null>,
  events: readonly Event[],
  isReading: boolean,
): FollowedEnd {
  const isAtEnd = useRef(true);
  const last = events.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(0);
  const isEmpty = events.length === 0;
  const update = useCallback(
    (mayFollow: boolean): void => {
      const scroller = list.current?.parentElement;
      if (!scroller) return;
      if (mayFollow && isAtEnd.current) scroller.scrollTop = scroller.scrollHeight;
      if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX) setSeen(last);
    },
    [list, last],
  );
  useLayoutEffect(() => update(!isReading), [update, isReading]);
  useEffect(() => {
    const scroller = list.current?.parentElement;
    if (!scroller || isEmpty) return;
    const onScroll = (): void => {
      isAtEnd.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX;
      update(false);
    };
    // A question below the messages changes their height.
    const watcher = new ResizeObserver(() => update(!isReading));
    watcher.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      watcher.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [list, isEmpty, isReading, update]);
  return {
    unseen: seen === 0 ? 0 : events.filter(({ seq }) => (seq ?? 0) > seen).length,
    toEnd: () => {
      isAtEnd.current = true;
      update(true);
    },
  };
}
