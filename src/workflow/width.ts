/**
 * Measures the columns of a text on a terminal, so that carets are below the right characters. Pure.
 *
 * Uses Unicode properties instead of a table: two columns for East Asian and full-width characters and for emoji, none
 * for combining characters. The text must not contain control characters.
 */

const PLAIN = /^[\x20-\x7e]*$/;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|\ufe0f/u;
/** Half-width Katakana and Hangul, which have the same script property as the full-width ones. */
const HALF = /^[\uff61-\uffdc]$/u;
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let made: Intl.Segmenter | undefined;
/** Created on demand, because it takes 10 ms or more and most text is ASCII. */
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
