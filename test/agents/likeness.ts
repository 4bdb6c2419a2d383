/** Compares JSON values that were displayed on a terminal. Pure. */

/** Prints a value with the keys of its objects in order. */
export const printed = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Prints a value without white space, in keys and texts as well. */
export const squashed = (value: unknown): string => printed(value).replace(/\\[nt]|\s/g, '');

/** Returns the share of character pairs that two texts have in common, from 0 to 1 (Dice coefficient). */
export function likeness(one: string, other: string): number {
  const pairs = (text: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (let at = 0; at + 1 < text.length; at++) {
      const pair = text.slice(at, at + 2);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return counts;
  };
  if (one === other) return 1;
  const [left, right] = [pairs(one), pairs(other)];
  let shared = 0;
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0);
  return (2 * shared) / Math.max(1, one.length + other.length - 2);
}
