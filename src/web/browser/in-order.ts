/** Returns the entries in the order of `ids`. Entries that are not among these come last, in their own order. */
export function inOrder<T>(entries: readonly T[], idOf: (entry: T) => string, ids: readonly string[]): readonly T[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = (entry: T): number => places.get(idOf(entry)) ?? ids.length;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}
