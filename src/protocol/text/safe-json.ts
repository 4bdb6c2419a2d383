/**
 * Formats JSON. JSON itself escapes the control characters of ASCII. This also escapes those that act on terminals or
 * hide text from a reader.
 */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
