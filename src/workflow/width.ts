/**
 * How many columns text takes on a terminal, so that a caret stands under what it means. Pure.
 *
 * By Unicode's own properties rather than by a table: two columns for East Asian and full-width characters and for
 * emoji, none for what combines with the character before it. No control characters come here.
 */

const PLAIN = /^[\x20-\x7e]*$/;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|\ufe0f/u;
/** Katakana and Hangul of half the width, which their scripts do not tell apart. */
const HALF = /^[\uff61-\uffdc]$/u;
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let made: Intl.Segmenter | undefined;
/** Made when it is needed: it takes 10 ms and more, and most text is plain. */
const clusters = (): Intl.Segmenter => (made ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  if (text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)) return widthOfOne(text);
  let width = 0;
  for (const { segment } of clusters().segment(text)) width += widthOfOne(segment);
  return width;
}

function widthOfOne(cluster: string): number {
  if (NONE.test(cluster)) return 0;
  return WIDE.test(cluster) && !HALF.test(cluster) ? 2 : 1;
}
