/**
 * Rows of a painted screen as plain text: what an agent's own screen puts around its words is replaced *in place* by
 * blanks, so that the words keep their columns.
 *
 *     ● Which one?                      bullets, spinners  →     "  Which one?"
 *     │ text │   text      ┃            borders, scrollbars →    "  text"
 *     a b (NBSP)  ☎️ (VS16)              →     "a b", "☎"
 */
import { charWidth, withoutBlanks } from '../../../protocol/index.js';

export interface ScreenRow {
  /** The text that the terminal shows, without a side panel. */
  readonly text: string;
  /** True if the terminal itself wrapped the line above, so that this row continues it. */
  readonly isSoft: boolean;
  /** True if the terminal itself wrapped this row, so that blanks at its end belong to the text. */
  readonly goesOn?: boolean;
  /** True if the row begins with a background colour other than the default. */
  readonly isShaded?: boolean;
  /** True if `text` is the part of the row between the borders of a pane. */
  readonly isInPane?: boolean;
  /** Columns at which the background changes, of a program without an adapter. */
  readonly edges?: readonly number[];
  /** Those of `edges` that have text at both sides, which may be two texts. */
  readonly splits?: readonly number[];
  /** True if some words have another style than those beside them, of a program without an adapter. */
  readonly isStyled?: boolean;
  /**
   * The row as plain text, cached by the ear that reads it first. An emulator returns the same object for an unchanged
   * row.
   */
  plain?: PlainRow;
  /** The owner of the cached `plain`: it changes when the rules do. */
  plainBy?: object;
}

/** The ways in which a program shows whether a row contains the agent's words. */
export interface Voices {
  /**
   * Patterns of the rows with which the agent's words and the words of others begin. Others are the person's prompt and
   * a tool's output. Null: the program does not mark them.
   */
  readonly own: RegExp | null;
  readonly other: RegExp | null;
  /** True if others' words are shaded, and the agent's are not. */
  readonly isShaded: boolean;
  /**
   * Matches the row that shows a person's own command. Its output is everything from that row to the next rule, if
   * there is a rule above it. Absent: the program does not show it so.
   */
  readonly command?: RegExp;
}

export interface PlainRow {
  readonly text: string;
  readonly isSoft: boolean;
  /** The text without blanks, for comparisons. */
  readonly squashed: string;
  /** Columns of `text`. Not in checkpoints of older versions. */
  readonly width?: number;
  /** True if border characters are on its left and right, so that the row is inside a box. */
  readonly isBoxed: boolean;
  /** Column of the bar or border on its left; -1 if there is none. Absent in checkpoints of older versions. */
  readonly frame?: number;
  /** True if a border is on its right, or around its pane. */
  readonly isClosed?: true;
  /** True if the row contains only a rule or a border, or is empty. */
  readonly isOrnament: boolean;
  /** Column of a branch glyph before the text (`⎿ `, `└ `), which marks a tool's output; -1 for none. */
  readonly branch: number;
  /** The speaker whose words begin here, or a person's command; null if the words of the row above continue. */
  readonly voice: 'own' | 'other' | 'command' | null;
  /** True if the original had no-break blanks or variation selectors: `text` then has other characters, or fewer. */
  readonly isChanged: boolean;
  /** As in ScreenRow. */
  readonly edges?: readonly number[];
  readonly splits?: readonly number[];
  readonly isStyled?: boolean;
  /**
   * True if the row could begin a message or change the meaning of others. Other rows are only read as parts of
   * messages.
   */
  readonly isNotable: boolean;
}

/** Stands for no row of a transcript. Rows have negative numbers if text was added above the first one. */
export const NO_ROW = Number.MIN_SAFE_INTEGER;

/** Rows of a transcript; undefined between two views. */
export type Rows = readonly (PlainRow | undefined)[];

const LEFT_BORDER = /^(\s*)[│┃▌▎▏▍▋║|┆╎](?=\s|$|[⎿↳])/u;
const RIGHT_BORDER = /(?<!\s)\s+(?:[│┃║▐█▄▀▕╻╹|░▒▓▲▼╏┆╎]\s?){1,3}\s*$/u;
const BOX_SIDE = /^\s*[│┃║|].*\s[│┃║|](?:\s*[│┃║█▐▕░▒▓])?\s*$/u;
const BULLET = /^(\s*)[●•✦◆⏺∙◇✧⬢○◉★◈▪■▶►⦁\u2801-\u28ff◐◑◒◓✶✻✽✢](?=\s)/u;
const ORNAMENT = /^[\s█─━═▀▄█▔▁╭╮╰╯┌┐└┘├┤┬┴┼│┃╻╹║╔╗╚╝╌╍┄┅┈┉\-_=*~]*$/u;
const NOTABLE = /^\s*(?:(?:\d{1,5}\s+)?(?:\{|```|~~~|#{0,6} ?<output>)|:ORCH|[>❯›»$!]\s+(?:```|~~~))/u;
/** Text that looks like a marker, after a bullet or a decoration: see near-misses.ts. */
const NEAR_MARKER = /^\s*(?:(?:[-*+]|\d{1,3}[.)]|[^\x00-\x7f\p{L}\p{N}\s]{1,4})\s+)?[*_~`]*:orchestrator:/iu;
const BRANCH = /^(\s*[⎿└╰├↳])(\s|─+\s)/u;

/** Characters with which a row of each kind begins or ends, so that most rows are excluded quickly. */
const LEFT_BORDERS = '│┃▌▎▏▍▋║|┆╎';
const RIGHT_BORDERS = '│┃║▐█▄▀▕╻╹|░▒▓▲▼╏┆╎';
const SIDES = '│┃║|';
const BULLETS = '●•✦◆⏺∙◇✧⬢○◉★◈▪■▶►⦁◐◑◒◓✶✻✽✢';
/** True if the character is from the Braille block; most spinners are made of these. */
const isBraille = (char: string): boolean => char > '\u2800' && char <= '\u28ff';
const BRANCHES = '⎿└╰├↳';
const ODD = /[\u00a0\u2007\u202f]|\ufe0e|\ufe0f/;

export function plainRow(row: ScreenRow, voices: Voices | null = null): PlainRow {
  const isOdd = ODD.test(row.text);
  const visible = isOdd ? row.text.replace(/[\u00a0\u2007\u202f]/g, ' ').replace(/[\ufe0e\ufe0f]/g, '') : row.text;
  const isBoxed = SIDES.includes(firstOf(visible)) && BOX_SIDE.test(visible);
  let text = visible;
  let frame = -1;
  let isClosed = row.isInPane === true;
  if (!row.isSoft) {
    if (LEFT_BORDERS.includes(firstOf(text))) {
      frame = LEFT_BORDER.exec(text)?.[1]?.length ?? -1;
      text = text.replace(LEFT_BORDER, '$1 ');
    }
    const hasBorder = row.isInPane !== true || isBoxed;
    if (hasBorder && RIGHT_BORDERS.includes(text.trimEnd().at(-1) ?? ' ')) {
      const { length } = text;
      text = text.replace(RIGHT_BORDER, '');
      isClosed ||= text.length < length;
    }
    if (isBoxed) text = text.replace(LEFT_BORDER, '$1 ');
    // A spinner may be beside the first row on the screen, even inside a message.
    if (BULLETS.includes(firstOf(text)) || isBraille(firstOf(text))) text = text.replace(BULLET, '$1 ');
  }
  if (!row.goesOn) text = text.trimEnd();
  const isOrnament = ORNAMENT.test(visible);
  const squashed = withoutBlanks(text);
  const branch = BRANCHES.includes(firstOf(text)) ? BRANCH.exec(text) : null;
  return {
    text,
    isSoft: row.isSoft,
    squashed: isOrnament && squashed !== '' ? '─' : squashed,
    width: columns(text),
    isBoxed,
    frame,
    isOrnament,
    branch: branch ? (branch[1] ?? '').length - 1 : -1,
    voice: voices && voiceOf(row, visible, voices),
    isChanged: isOdd,
    ...(row.edges && { edges: row.edges }),
    ...(row.splits && { splits: row.splits }),
    ...(isClosed && { isClosed: true as const }),
    ...(row.isStyled && { isStyled: true }),
    isNotable: branch !== null || NOTABLE.test(text) || NEAR_MARKER.test(text),
  };
}

/** The first character that is not a blank; a blank if there is none. */
function firstOf(text: string): string {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at++;
  const first = text[at] ?? ' ';
  return /\s/.test(first) ? (/\S/.exec(text)?.[0] ?? ' ') : first;
}

function voiceOf(row: ScreenRow, visible: string, voices: Voices): PlainRow['voice'] {
  const { own, other, isShaded, command } = voices;
  if (command && !row.isSoft && command.test(visible)) return 'command';
  if (isShaded) return row.isShaded ? 'other' : 'own';
  if (row.isSoft) return null;
  return other?.test(visible) ? 'other' : own?.test(visible) ? 'own' : null;
}

/** A time that some programs put at the right of a person's words: `13:05`, `9:07 PM`, `2m ago`. */
const TIME_AT_RIGHT =
  /(?<=\S)\s{2,}(?:\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?|\d{1,3}\s?(?:s|sec|m|min|h)\sago|just now)$/i;

/** Returns the text of a row without blanks, and without a time at its right. */
export function squashedWords({ text, squashed }: PlainRow): string {
  const words = text.replace(TIME_AT_RIGHT, '');
  return words === text ? squashed : withoutBlanks(words);
}

/** Returns the number of columns of a text. East Asian wide characters and emoji take two, combining marks none. */
export function columns(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const char of text) width += columnsOf(char.codePointAt(0) ?? 0);
  return width;
}

/** True if every character of the text takes one column. */
function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= FIRST_OTHER) return false;
  return true;
}

/** Agents count every emoji as two columns, also one that is narrow until VS16 follows it. */
const columnsOf = (code: number): number => (isEmoji(code) ? 2 : charWidth(code));

/**
 * True if it is a wide character beside which a row may break anywhere. Before an emoji, a row breaks only at a blank.
 */
export function isIdeograph(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return !isEmoji(code) && charWidth(code) === 2;
}

/** Flags are not among them: each of their two letters takes one column. */
const isEmoji = (code: number): boolean => code >= 0x1f300 && code <= 0x1faff;

const SPACE = 0x20;
/** First code unit of the characters that may take no column or two. */
const FIRST_OTHER = 0x300;
