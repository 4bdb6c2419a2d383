/** A choice of the page that stands in its address, so that a reload and a copied link show the same. */
import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

/** @returns The value, and a function that sets it. The address omits the default. */
export function useSearchState(name: string, byDefault = ''): readonly [string, (value: string) => void] {
  const search = useSearch();
  const [path, go] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? byDefault;
  const set = useCallback(
    (next: string) => {
      const params = new URLSearchParams(location.search); // the newest one, also if two choices change at once
      if (next === byDefault) params.delete(name);
      else params.set(name, next);
      const text = params.toString();
      go(`${path}${text === '' ? '' : `?${text}`}`, { replace: true });
    },
    [name, byDefault, path, go],
  );
  return [value, set];
}
