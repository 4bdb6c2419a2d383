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

const NONE: readonly string[] = [];

interface HeldOrder {
  /** The entries that keep their places now; empty if the person does not read. */
  readonly held: readonly string[];
  /** Takes the ids of the entries that are shown, in their order. */
  readonly keep: (ids: readonly string[]) => void;
}

/** @param scope  What the person has chosen to see. Another choice orders the entries anew. */
export function useHeldOrder(isReading: boolean, scope: string): HeldOrder {
  const last = useRef({ scope, ids: NONE });
  return {
    held: isReading && last.current.scope === scope ? last.current.ids : NONE,
    keep(ids) {
      const { ids: before, scope: scopeBefore } = last.current;
      // An unchanged order keeps its array, so that values memoized from the array are not computed again.
      const isSame = before.length === ids.length && before.every((id, at) => id === ids[at]);
      if (!isSame || scope !== scopeBefore) last.current = { scope, ids: isSame ? before : ids };
    },
  };
}

/**
 * Returns the entries of a list in the order in which they are shown. While the person reads, known entries keep their
 * places, and new ones come last.
 */
export function useSteadyOrder<T>(
  entries: readonly T[],
  idOf: (entry: T) => string,
  isReading: boolean,
  scope = '',
): readonly T[] {
  const { held, keep } = useHeldOrder(isReading, scope);
  const shown = held.length > 0 ? inOrder(entries, idOf, held) : entries;
  keep(shown.map(idOf));
  return shown;
}
