/**
 * Hints: finds lines that look like a message but are not valid ones.
 *
 *     **:ORCHESTRATOR: TASK COMPLETE**          in bold, italics, inline code
 *     **:ORCHESTRATOR: QUESTION** - which?      some of its words in bold or italics
 *     - :ORCHESTRATOR: QUESTION - which?        a list item
 *     • :ORCHESTRATOR: QUESTION - which?        behind a bullet or a sign that is no markdown
 *     ## :ORCHESTRATOR: TASK COMPLETE           a heading
 *     | tests | :ORCHESTRATOR: TASK COMPLETE |  a cell of a table
 *     :ORCHESTRATOR:QUESTION - which?           no blank behind the name
 *     :orchestrator: task complete              in other letters
 *     Done. :ORCHESTRATOR: TASK COMPLETE        in the middle of a line
 *     :ORCHESTRATOR: BLOCKED no key             no dash before its text
 *     :ORCHESTRATOR: FINISHED                   no known word
 *     ```orchestrator_message                   a fence with another name
 *     {"type": "QUESTION", "data": {…           a block without its fence, as a program that draws markdown prints it
 *
 * The screen ear adds four cases: a block whose fence an unknown program shows, a message that was on the screen from
 * the start, one that may be a repaint of an earlier message, and one that the program does not show as JSON.
 *
 * In:   a line outside of fences, quotes and indented code, because lines in those are examples.
 * Out:  the mistake and its correction. Placeholders of the documentation are no mistakes, nor are words in inline
 *       code in the middle of a sentence.
 */
import { type HintKind, isMessageType } from '../../protocol/index.js';
import { inkDigest } from '../digest.js';
import { OWN_INFO } from './fences.js';
import { parseMarker } from './markers.js';

export interface Hint {
  readonly hint: HintKind;
  /** The line, cut after MAX_SEEN_CHARS. */
  readonly seen: string;
  /** Why the line is not a message, and how to write it as one. */
  readonly message: string;
}

const MAX_SEEN_CHARS = 200;
/** Maximum length of a line that is checked for hints. A longer line is probably data, not prose. */
const MAX_LINE_CHARS = 2_000;
const NAME = /:orchestrator:/i;
/** A list marker (bullet or number), or any other sign except those that programs put before a person's words. */
const LIST_ITEM =
  /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?|(?![❯›»▶▸➜│┃║])[^\x00-\x7f\p{L}\p{N}\s]{1,4})\s+(?=\S)/u;
/** The signs before a heading, and those that may close it. */
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const HEADING_END = /[ \t]#+[ \t]*$/;
const TABLE_ROW = /^ {0,3}\|(?<cells>.*)\|[ \t]*$/;
/**
 * Only one run of signs before the colon is accepted. open-rows.ts must be able to tell from the first bytes of a row
 * that it may be a hint.
 */
const DECORATION = /^ {0,3}(?:\*+|_+|~+|`+)(:.*?)[*_~`]+[.!]?\s*$/;
/**
 * Signs of bold and italics around words. A marker between backticks is part of a sentence, unless nothing follows it.
 */
const EMPHASIS = /\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
/** Matches a line with an indent of four columns or more. It is code, or continues a paragraph. */
const DEEP = /^(?: {4}|\s*\t)/;
const KNOWN_WORDS = /^\s*:orchestrator:\s*(?:task\s+complete|question|blocked)\s*(?:[-–—:].*)?$/i;
const NO_DASH = /^\s*:orchestrator:\s*(?:task\s+complete|question|blocked)\s+[^\s\-–—:]/i;
const NO_BLANK = /^\s*:orchestrator:\S/i;
const ANY_WORDS = /^\s*:orchestrator:\s+\p{L}/iu;
const PLACEHOLDER = /<(?:question|reason|summary|text)>|…|\.\.\./i;
const INLINE_CODE = /(?<!`)(`+)(?!`).*?\1/g;
const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}|~{3,})\s*([^\s`]+)/;
/** The beginning of a block: `head` is the same in every copy of it, however it is wrapped. */
const BARE = /^ {0,3}(?<head>\{[ \t]*"type"[ \t]*:[ \t]*"(?<type>[A-Z_]+)"[ \t]*,)/;
const BARE_HEADS = /\{\s*"type"\s*:\s*"([A-Z_]+)"\s*,/g;
/** Matches the first row of an object that is printed with a row for each property. */
const BRACE = /^ {0,3}\{[ \t]*$/;
const NEAR_NAME = /^orchestrat(?:or|ion)?[-_.]?messages?$/i;

/** The advice for each hint about a line. `too_many_open` is about the inbox: lifecycle/sessions/decide.ts. */
const ADVICE: Readonly<Record<Exclude<HintKind, 'too_many_open'>, string>> = {
  marker_decorated: 'A marker counts only as plain text: write the line without bold, italics or inline code.',
  marker_list: 'A marker counts only at the start of its line: write it on a line of its own, without a list bullet.',
  marker_heading: 'A marker counts only as plain text: write the line without the # of a heading.',
  marker_table: 'A marker counts only on a line of its own: write it outside of the table.',
  marker_case: 'A marker counts only in capitals: write `:ORCHESTRATOR: TASK COMPLETE`, `QUESTION` or `BLOCKED`.',
  marker_blank: 'A marker needs a blank behind its second colon: write `:ORCHESTRATOR: QUESTION - text`.',
  marker_dash: 'A marker needs a dash before its text: write `:ORCHESTRATOR: BLOCKED - reason`.',
  marker_inline: 'A marker counts only on a line of its own: start a new line before it.',
  marker_words: 'The words of a marker are TASK COMPLETE, `QUESTION - text` or `BLOCKED - reason`.',
  fence_shown:
    'The program shows the fence around this block, as around an example: it is not heard. ' +
    'A block with the key of its session is: start the session with `--key KEY`, ' +
    'and give the agent the text of `orchd prompt --key KEY`.',
  old_screen:
    'This stood on the screen before anything was typed into the program: it counts as an old conversation. ' +
    'If it was said just now, answer it in the terminal.',
  screen_unsure:
    'The screen does not show if this is a new message or an earlier one that was painted again: it is not heard. ' +
    'If it was said just now, answer it in the terminal.',
  json_damaged:
    'The screen does not show this block as JSON: the program may have left out some of its characters. ' +
    'It is not heard. Read it in the terminal, and answer it there.',
  fence_missing:
    'A block counts only within its fence: print it between the rows "```orchestrator-message" and "```". ' +
    'A program that draws markdown leaves the fence out.',
  fence_name: `The name of the fence is \`${OWN_INFO}\`, in lower case.`,
};

/** Reads a line of text. Returns null if it is not a near miss. */
export function hintIn(line: string): Hint | null {
  if (line.length > MAX_LINE_CHARS || !NAME.test(line) || DEEP.test(line)) return null;
  if (parseMarker(line) || PLACEHOLDER.test(line)) return null;
  if (HEADING.test(line)) {
    return isMarked(line.replace(HEADING, '').replace(HEADING_END, '')) ? hintOf('marker_heading', line) : null;
  }
  const cells = TABLE_ROW.exec(line)?.groups?.['cells'];
  if (cells !== undefined) return isInCell(cells) ? hintOf('marker_table', line) : null;
  const item = LIST_ITEM.exec(line);
  const bare = item ? line.slice(item[0].length) : line;
  const decorated = DECORATION.exec(bare);
  // An odd number of emphasis signs means that a span is still open and continues in the next row.
  const isClosed = (bare.match(EMPHASIS)?.length ?? 0) % 2 === 0;
  const plain = isClosed ? bare.replace(EMPHASIS, '') : bare;
  const inner = decorated?.[1]?.replace(EMPHASIS, '') ?? plain;
  if (KNOWN_WORDS.test(inner)) {
    if (decorated || !KNOWN_WORDS.test(bare)) return hintOf('marker_decorated', line);
    if (item) return hintOf('marker_list', line);
    if (parseMarker(inner.trimStart())) return null;
    return hintOf(NO_BLANK.test(inner) ? 'marker_blank' : 'marker_case', line);
  }
  if (!decorated && NO_DASH.test(bare)) return hintOf('marker_dash', line);
  if (decorated || item) return null;
  if (ANY_WORDS.test(bare)) return hintOf('marker_words', line);
  const [, at] = split(bare.replace(INLINE_CODE, ''));
  return at !== undefined && KNOWN_WORDS.test(at) ? hintOf('marker_inline', line) : null;
}

/** True if a text is a marker, also in other letters or with signs of bold, italics or inline code. */
function isMarked(text: string): boolean {
  const plain = text.trim();
  return KNOWN_WORDS.test((DECORATION.exec(plain)?.[1] ?? plain).replace(EMPHASIS, ''));
}

/** True if a cell is a marker. One in inline code beside other cells is an example, with its meaning beside it. */
function isInCell(row: string): boolean {
  const cells = row.split('|').filter((cell) => cell.trim() !== '');
  return cells.some((cell) => isMarked(cell) && (cells.length === 1 || !cell.includes('`')));
}

/** Reads a line that opens a fence. Returns null if its name is the right one, or is far from it. */
export function fenceHintIn(line: string): Hint | null {
  const name = FENCE.exec(line)?.[1];
  return name !== undefined && name !== OWN_INFO && NEAR_NAME.test(name) ? hintOf('fence_name', line) : null;
}

/** Reads the first rows of a block without a fence. Returns null if they are no block. */
export function bareHintIn(text: string): (Hint & { readonly head: string }) | null {
  const { head, type } = BARE.exec(text)?.groups ?? {};
  return head !== undefined && isMessageType(type) ? { ...hintOf('fence_missing', text), head } : null;
}

/** True for a brace on a row of its own. The row below it decides. */
export const isBrace = (row: string): boolean => BRACE.test(row);

/** Returns the beginnings of all blocks in a text. */
export const bareHeadsIn = (text: string): string[] =>
  [...text.matchAll(BARE_HEADS)].filter(([, type]) => isMessageType(type)).map(([head]) => head);

/** The key of a typed line. Copies of it on the screen are not hints. */
export const hintKey = (line: string): string => inkDigest(`hint:${line}`);

function split(line: string): [before: string, from?: string] {
  const at = line.search(NAME);
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at)];
}

/** @param line  The line that the hint shows to the person. */
export function hintOf(hint: keyof typeof ADVICE, line: string): Hint {
  const seen = line.trim();
  return {
    hint,
    seen: seen.length > MAX_SEEN_CHARS ? `${seen.slice(0, MAX_SEEN_CHARS - 1)}…` : seen,
    message: ADVICE[hint],
  };
}
