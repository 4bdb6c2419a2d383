/**
 * Structural sharing: keeps the parts that two JSON values have in common only once.
 *
 * In:   a parsed value, which is changed; an earlier value.
 * Out:  the value. Each string, list and object that equals its counterpart in the earlier value is replaced by that
 *       counterpart, so both share its memory. If everything is equal, the earlier value itself is returned.
 */
type Parts = Record<string, unknown>;

export function shareStructure(value: unknown, earlier: unknown): unknown {
  if (value === earlier) return earlier; // an equal string is another copy
  if (!isParts(value) || !isParts(earlier) || Array.isArray(value) !== Array.isArray(earlier)) return value;
  const keys = Object.keys(value);
  let isEqual = keys.length === Object.keys(earlier).length;
  for (const key of keys) {
    const part = Object.hasOwn(earlier, key) ? shareStructure(value[key], earlier[key]) : value[key];
    value[key] = part;
    isEqual &&= Object.hasOwn(earlier, key) && part === earlier[key];
  }
  return isEqual ? earlier : value;
}

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;
