/** Suggests similar names for an unknown one. Pure. */

/** Maximum number of compared names. A file with more names is not worth the time. */
const MAX_COMPARED = 500;
const MAX_LISTED = 8;
const MAX_CHARS = 64;

/** Returns the name that differs only by case, or by at most two letters (short names by one, or none). */
export function nearest(word: string, names: readonly string[]): string | null {
  const lower = word.toLowerCase();
  const same = names.find((name) => name.toLowerCase() === lower);
  if (same !== undefined) return same;
  if (word.length > MAX_CHARS) return null;
  let [best, least]: [string | null, number] = [null, word.length > 4 ? 3 : word.length > 2 ? 2 : 1];
  for (const name of names.slice(0, MAX_COMPARED)) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const distance = distanceOf(lower, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/**
 * Returns a suggestion such as `did you mean 'x'?`. Without a similar name, it returns a list of all names, or `none`.
 */
export function suggest(word: string, names: readonly string[], none: string): string {
  const near = nearest(word, names);
  if (near !== null) return near.toLowerCase() === word.toLowerCase() ? `${near} (case counts)` : `${near}?`;
  if (names.length === 0) return none;
  const more = names.length > MAX_LISTED ? `, … (${names.length - MAX_LISTED} more)` : '';
  return names.slice(0, MAX_LISTED).join(', ') + more;
}

/** Returns the edit distance: insertions, deletions, replacements, and swaps of two neighbours. */
function distanceOf(a: string, b: string): number {
  let [older, old]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (old[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(change, (old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [older, old] = [old, row];
  }
  return old[b.length] ?? 0;
}
