/** Decodes a part of a URL path. A malformed part, such as `%`, is returned unchanged: no object has that name. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
