/**
 * Removes from shown text what differs between two pictures of the same text. Pure.
 *
 * Significant are the characters that every terminal shows in the same way: no blanks, no frames, and no characters
 * of varying width.
 *
 * Programs wrap a text, draw a frame around it and a cursor into it. Some programs give emoji and combining characters
 * another width than the emulator, so parts of them are cut or remain on the screen.
 */
const INSIGNIFICANT =
  /[\s\u2800|\u2500-\u259f\p{M}\p{Cf}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]+/gu;

/** Returns a text without its insignificant characters. */
export const significant = (text: string): string => text.replace(INSIGNIFICANT, '');

/** Returns the part of a row that does not change while clocks, counters and spinners in it do. */
export function skeleton(row: string): string {
  return row
    .replace(/\d+/g, '0')
    .replace(/[\u2800-\u28ff◐-◓◴-◷◜-◡✢✳✶✻✽✦✧·∗*\\/|-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
