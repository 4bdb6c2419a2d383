/** Keeps a list still while the person points at it, so that nothing moves away from the eyes or from the pointer. */
import { type RefCallback, useCallback, useRef, useState } from 'react';
import { inOrder } from './in-order.js';

/** A pointer that has rested for this time reads no longer. Touches have no end of their own, so they end by this. */
const REST_MS = 30_000;

/** @returns True while the pointer is active over the element; and the `ref` of the element. */
export function useReading(): readonly [boolean, RefCallback<HTMLElement>] {
  const [isReading, setReading] = useState(false);
  const place = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      setReading(false);
    };
    const onActive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, REST_MS);
      setReading(true);
    };
    const onLeave = ({ pointerType }: PointerEvent): void => {
      if (pointerType === 'mouse') stop();
    };
    const ended = new AbortController();
    const options = { passive: true, signal: ended.signal };
    for (const type of ['pointermove', 'pointerdown', 'wheel', 'touchmove'] as const)
      element.addEventListener(type, onActive, options);
    element.addEventListener('pointerleave', onLeave, options);
    return () => {
      ended.abort();
      stop();
    };
  }, []);
  return [isReading, place];
}

interface Held {
  readonly scope: string;
  readonly ids: readonly string[];
}

/**
 * Returns the entries of a list in the order in which they are shown. While the person reads, known entries keep their
 * places, and new ones come last.
 *
 * @param scope  What the person has chosen to see. Another choice orders the list anew.
 */
export function useSteadyOrder<T>(
  entries: readonly T[],
  idOf: (entry: T) => string,
  isReading: boolean,
  scope = '',
): readonly T[] {
  const held = useRef<Held>({ scope, ids: [] });
  const shown = isReading && held.current.scope === scope ? inOrder(entries, idOf, held.current.ids) : entries;
  held.current = { scope, ids: shown.map(idOf) };
  return shown;
}
