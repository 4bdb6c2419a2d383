/** Suggests similar names: with a small edit distance, or with the given beginning. Pure. */

const MAX_NEAR = 3;
/** Maximum number of wrong, missing or extra letters. */
const MAX_DISTANCE = 2;

export function nearNames(wanted: string, names: readonly string[]): string[] {
  const lower = wanted.toLowerCase().slice(0, 64);
  return names
    .map((name) => ({ name, far: distance(lower, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= MAX_DISTANCE || (lower !== '' && name.toLowerCase().includes(lower)))
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

/** Returns the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
