/**
 * HTML blocks: CommonMark's seven ways to begin one, and how each ends. Nothing inside of them is a message.
 *
 *     1  <script> <pre> <style> <textarea>   to the line with the end tag of any of them
 *     2  <!--  3  <?  4  <!X  5  <![CDATA[   to the line with  -->  ?>  >  ]]>
 *     6  <div …  (names below)               to a blank line
 *     7  any other complete tag, alone       to a blank line; cannot interrupt a paragraph
 *
 * @see https://spec.commonmark.org/0.31.2/#html-blocks
 */
export type HtmlKind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|' +
  'figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|' +
  'optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

const STARTS: readonly (readonly [HtmlKind, RegExp])[] = [
  [1, /^<(?:script|pre|textarea|style)(?:[ \t>]|$)/i],
  [2, /^<!--/],
  [3, /^<\?/],
  [4, /^<![A-Za-z]/],
  [5, /^<!\[CDATA\[/],
  [6, new RegExp(`^</?(?:${NAMES})(?:[ \\t]|/?>|$)`, 'i')],
];
const ATTRIBUTE = '[ \\t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \\t]*=[ \\t]*(?:[^ \\t"\'=<>`]+|\'[^\']*\'|"[^"]*"))?';
/** Longer tags are ignored: real documents have none, and the limit keeps matching linear. */
const MAX_TAG_CHARS = 1000;
const ALONE = new RegExp(
  `^(?:<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*[ \\t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \\t]*>)[ \\t]*$`,
);

const ENDS: Readonly<Record<1 | 2 | 3 | 4 | 5, RegExp>> = {
  1: /<\/(?:script|pre|textarea|style)>/i,
  2: /-->/,
  3: /\?>/,
  4: />/,
  5: /\]\]>/,
};

/**
 * @param text           The line from its `<` on.
 * @param canStandAlone  True if kind 7 may begin here (it cannot interrupt a paragraph).
 */
export function htmlStart(text: string, canStandAlone: boolean): HtmlKind | null {
  for (const [kind, start] of STARTS) if (start.test(text)) return kind;
  return canStandAlone && text.length <= MAX_TAG_CHARS && ALONE.test(text) ? 7 : null;
}

/** True if a block of this kind ends with this line. Kinds 6 and 7 end before a blank line instead. */
export function htmlEnds(kind: HtmlKind, text: string): boolean {
  return kind < 6 && ENDS[kind as 1 | 2 | 3 | 4 | 5].test(text); // kinds 6 and 7 are excluded by the first term
}
