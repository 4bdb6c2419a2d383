/**
 * Makes untrusted text safe to display. Output of a program or an agent must not control the terminal that shows it,
 * and must not hide anything: two options that differ in one character must look different.
 *
 *     "Yes\u200b"      →  Yes‹U+200B›        an invisible character is shown as its code point
 *     "a\x1b[2Jb"      →  a‹U+001B›[2Jb
 *     5,000 accents    →  the first MAX_MARKS, then ‹4992 marks›
 *
 * Invisible characters are kept where a script or an emoji needs them: joiners in Arabic, in Indic scripts and between
 * emoji, variation selectors after an emoji or a Han character, tags in a flag. Bidi controls are removed from text
 * with right-to-left letters, which is readable without them, and shown in other text.
 */
/**
 * Matches the control sequences of ECMA-48 (CSI), such as `ESC [ 1 ; 31 m`: colours, modes, cursor movements, keys. Use
 * it with `replace`, because a global expression keeps its position between calls of `test` and `exec`.
 */
export const CONTROL_SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]/g;
/** Matches every kind of escape sequence: also titles, links and character sets. Use it like CONTROL_SEQUENCES. */
export const ESCAPE_SEQUENCES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[^[\]PX^_])/g;

/** Returns a text as a reader sees it: without escape sequences, and without a byte order mark before it. */
export const withoutSequences = (text: string): string => text.replace(/^\uFEFF/, '').replace(ESCAPE_SEQUENCES, '');

/** Scripts stack at most about five marks on one letter. */
const MAX_MARKS = 8;

const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** Characters that show nothing, or look like a blank: all default-ignorable ones and a few letters. */
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{1d159}`;
/** C0 except newline and tab, DEL, C1, line separators, lone surrogates. */
const CONTROL = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}`;
/** Blanks that are not U+0020. */
const OTHER_BLANK = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;

const JOINING = (
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
)
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/** The contexts in which an invisible character changes what is visible. */
const NEEDED = [
  String.raw`(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${JOINING}])[\u200c\u200d]`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  String.raw`(?<=\p{Script=Hangul})[\u115f\u1160]|[\u115f](?=[\u1160-\u11ff])`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
].join('|');

/** Text of printable ASCII, newlines and tabs has nothing to hide. */
const NOT_PLAIN = /[^\n\t -~]/;

/** Returns a function that creates the pattern at its first call: V8 takes a millisecond or two for these. */
function onDemand(source: () => string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source(), flags);
    return pattern;
  };
}

const rightToLeft = onDemand(
  () => String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]`,
  'u',
);
const anyOdd = onDemand(
  () => String.raw`[${CONTROL}${BIDI}${INVISIBLE}]|\p{M}{${MAX_MARKS + 1}}|[${OTHER_BLANK}]`,
  'u',
);
const allOdd = onDemand(
  () =>
    String.raw`(?<needed>${NEEDED})|(?<hidden>[${CONTROL}${BIDI}${INVISIBLE}])|(?<=\p{M}{${MAX_MARKS}})(?<marks>\p{M}+)` +
    String.raw`|(?:^|(?<=\s))(?<blank>[${OTHER_BLANK}])|(?<end>[${OTHER_BLANK}])(?=\s|$)`,
  'gmu',
);
/**
 * Characters that can be dropped: the CR of a CRLF, a byte order mark at the start, bidi controls in right-to-left
 * text.
 */
const DROPPED = /\r(?=\n)|^\ufeff/gu;
const droppedRightToLeft = onDemand(() => `${DROPPED.source}|[${BIDI}]`, 'gu');

/** Returns text without control sequences and hidden characters. Newlines and tabs are kept. */
export function displayText(text: string): string {
  if (!NOT_PLAIN.test(text) || !anyOdd().test(text)) return text;
  // Dropped first, because a dropped character must not separate characters that belong together.
  const kept = text.replaceAll(rightToLeft().test(text) ? droppedRightToLeft() : DROPPED, '');
  return kept.replaceAll(allOdd(), (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>; // the pattern has named groups
    if (groups['needed'] !== undefined) return found;
    return groups['marks'] === undefined ? byNumber(found) : `‹${[...found].length} marks›`;
  });
}

/** Returns the same on one line: runs of white space become one blank. */
export function displayLine(text: string): string {
  return displayText(text.replaceAll(/[\r\n\t]+/g, ' '))
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/^ | $/g, '');
}

/** Returns text without control and bidi characters, for text that a person pastes. Newlines and tabs are kept. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls(), '');
}

const controls = onDemand(() => `[${CONTROL}${BIDI}\\ufeff]`, 'gu');

const byNumber = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Formats JSON. JSON itself escapes the control characters of ASCII. This also escapes those that act on terminals or
 * hide text from a reader.
 */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
