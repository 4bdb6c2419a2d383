/** Decodes a part of an address. A part that is no encoding, such as `%`, is returned as it is: nothing has its name. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
