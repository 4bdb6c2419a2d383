/**
 * The characters of a text that a terminal shows alike everywhere: without blanks, frames, and what programs count
 * differently.
 *
 * Programs wrap a text, put a frame around it and draw a cursor into it. Emoji and combining characters take another
 * number of columns in some programs than in the emulator, so that they are cut or left behind.
 */
const INSIGNIFICANT =
  /[\s\u2800|\u2500-\u259f\p{M}\p{Cf}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]+/gu;

export const significant = (text: string): string => text.replace(INSIGNIFICANT, '');

/** The number of its significant characters may be 0: then a screen cannot show whether the text is there. */
export const isInsignificant = (text: string): boolean => significant(text) === '';
