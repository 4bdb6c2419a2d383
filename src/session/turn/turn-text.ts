/**
 * Turn text: what a plain program printed in its turn, without the echo of what was typed. Pure.
 *
 * Typed text can come back in two ways, one after the other or both at once:
 *
 *     the terminal echoes     exactly, in order, with output of the program between its pieces (terminal-echo.ts)
 *     a line editor echoes    readline and its like: rows of `prompt` and one typed line, redrawn and wrapped
 *
 * The modes of the terminal before the typing tell if it echoed, if the journal has them. The modes after it say less:
 * a program that has read its line restores them. They tell that the echo was turned off meanwhile.
 * A prompt that the program printed before a line is left out, too: `> ` is a question for input and not a result.
 */
import { CONTROL_SEQUENCES, literally, withoutBlanks } from '../../protocol/index.js';
import { PrintedRows } from './printed-rows.js';
import { splitEcho } from './terminal-echo.js';

export interface TypedMode {
  readonly echo: boolean;
  readonly canonical: boolean;
}

export interface Turn {
  /** The bytes that orchd typed, as a string. */
  readonly typed: string;
  /** The output since the typing began. */
  readonly output: Buffer;
  /** The output in the cursor's row before the typing. */
  readonly before: Buffer;
  readonly cols: number;
  /** The terminal's mode before typing; null if it is not known. */
  readonly modeBefore: TypedMode | null;
  readonly modeAfter: TypedMode | null;
}

export interface TurnText {
  readonly text: string;
  /** True if all of the echo was found, or there was none. Otherwise `text` may contain parts of the typed text. */
  readonly isExact: boolean;
  /** True if the program painted a screen: `text` is then not what a reader sees. */
  readonly isPainted: boolean;
}

/** Matches the end of a prompt. */
const PROMPT = /^.{0,78}[>$#%:?»›❯]\s*$/u;
/** Number of characters, without blanks, of a prompt that is recognized behind other text of its row. */
const MIN_PROMPT_CHARS = 3;
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';
const PASTE_BRACKETS = /\x1b\[20[01]~/g;

export function turnText(turn: Turn): TurnText {
  const { modeBefore, modeAfter } = turn;
  const before = rowText(turn.before, turn.cols);
  const prompt = promptOnce(before);
  const lines = typedLines(turn.typed);
  const terminal = withoutTerminalEcho(turn, before);
  const pasted = withoutPastes(terminal.output, turn, before);
  const output = pasted ?? terminal.output;
  const hasEcho = terminal.hasEcho || pasted !== null;
  const printed = new PrintedRows(turn.cols);
  if (!hasEcho) printed.push(turn.before); // the echo of an Enter would have ended its row
  printed.push(output);
  const isRaw = [modeBefore, modeAfter].some((mode) => mode?.canonical === false);
  const rows = printed.rows();
  // If `pasted` is set, what a line editor printed while bracketed paste was on is already removed. A row that ends
  // with typed text is then output of the program.
  const editor = withoutEditorEcho(rows, { lines: pasted === null ? lines : [], prompt, isRaw });
  const isSilent = modeBefore?.echo === false && modeBefore.canonical;
  if (!hasEcho && editor.rows[0] !== undefined && editor.rows[0] === rows[0]?.text) {
    editor.rows[0] = editor.rows[0].slice(commonLength(editor.rows[0], before));
  }
  return {
    text: withoutLastPrompt(withoutPrompts(editor.rows, prompt, lines.length), prompt).join('\n'),
    isExact: isSilent || pasted !== null || (terminal.hasEcho && terminal.isWhole) || editor.isWhole,
    isPainted: printed.isPainted,
  };
}

/** Removes the bytes that the terminal echoed, and a prompt before them in their row. */
function withoutTerminalEcho(turn: Turn, prompt: string): { output: Buffer; hasEcho: boolean; isWhole: boolean } {
  const { modeBefore, modeAfter, output } = turn;
  if (modeBefore?.echo === false) return { output, hasEcho: false, isWhole: false };
  const isTurnedOff = modeBefore?.echo === true && modeAfter?.echo === false;
  const typed = Buffer.from(turn.typed).toString('latin1');
  const spread = isTurnedOff ? 'one_run' : 'anywhere';
  const { pieces, isWhole } = splitEcho(output.toString('latin1'), {
    typed,
    prompt: lastRow(turn.before.toString('latin1')),
    spread,
  });
  const kept = pieces.map((piece, at) => (at === pieces.length - 1 ? piece : withoutPromptRow(piece, prompt)));
  return { output: Buffer.from(kept.join(''), 'latin1'), hasEcho: pieces.length > 1, isWhole };
}

/**
 * Removes what a line editor printed while bracketed paste was on, if it consists only of pieces of the prompt and of
 * the typed text: editors redraw a paste of several lines in any order. Returns null if it contains anything else.
 */
function withoutPastes(output: Buffer, { before, typed }: Turn, prompt: string): Buffer | null {
  const shown = withoutBlanks(prompt) + withoutBlanks(typed.replace(PASTE_BRACKETS, ''));
  const isEcho = (text: string) =>
    text
      .replace(CONTROL_SEQUENCES, '\0')
      .split(/[\x00-\x1f]+/)
      .every((run) => shown.includes(withoutBlanks(run)));
  const wasOn = before.lastIndexOf(PASTE_ON) > before.lastIndexOf(PASTE_OFF);
  const [first = '', ...others] = output.toString('utf8').split(PASTE_ON);
  const parts = wasOn ? [first, ...others] : others;
  let kept = wasOn ? '' : first;
  let isFound = false;
  for (const part of parts) {
    const [edited = '', ...after] = part.split(PASTE_OFF);
    if (!isEcho(edited)) return null;
    isFound ||= withoutBlanks(edited.replace(CONTROL_SEQUENCES, '')).length > withoutBlanks(prompt).length;
    kept += after.join('').replace(/^\r/, '');
  }
  return isFound ? Buffer.from(kept) : null;
}

const lastRow = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

function withoutPromptRow(piece: string, prompt: string): string {
  const from = piece.lastIndexOf('\n') + 1;
  const row = rowText(Buffer.from(piece.slice(from), 'latin1'), 0);
  return row === prompt || PROMPT.test(row) ? piece.slice(0, from) : piece;
}

interface EditorEcho {
  readonly lines: readonly string[];
  readonly prompt: string;
  /** True if the program read single keys: an echo is then printed by the program. */
  readonly isRaw: boolean;
}

/** Removes rows in which a line editor showed a prompt and a typed line. */
function withoutEditorEcho(
  rows: readonly { readonly text: string; readonly isEditors: boolean }[],
  { lines, prompt, isRaw }: EditorEcho,
): { rows: string[]; isWhole: boolean } {
  const inks = lines.map(withoutBlanks);
  const pattern = promptPattern(withoutBlanks(prompt));
  const kept: string[] = [];
  let next = 0;
  let missed = 0;
  for (const { text, isEditors } of rows) {
    const found = isEditors || isRaw ? echoedLine(text, inks, next, pattern) : null;
    if (found === null) {
      kept.push(text);
      continue;
    }
    if (found < 0) continue; // an empty prompt
    missed += inks.slice(next, found).filter((line) => line !== '').length;
    next = found + 1;
  }
  return { rows: kept, isWhole: missed === 0 && inks.slice(next).every((line) => line === '') };
}

/** Returns the index of the typed line that a row shows; -1 for a prompt without a line; null for another row. */
function echoedLine(text: string, inks: readonly string[], next: number, prompt: RegExp): number | null {
  const row = withoutBlanks(text);
  if (row === '') return inks[next] === '' ? next : null;
  const said = row.slice(lengthOf(prompt, row));
  if (said === '') return inks[next] === '' ? next : -1;
  for (let at = next; at < inks.length; at++) {
    const line = inks[at] as string; // within bounds
    if (line === '') continue;
    if (said === line || row === line) return at;
    if (at === next && row.endsWith(line) && PROMPT.test(row.slice(0, -line.length))) return at;
  }
  return null;
}

/** Removes the prompts that a program prints for each line that it reads; the terminal has echoed the lines before. */
function withoutPrompts(rows: readonly string[], prompt: string, lines: number): string[] {
  if (prompt.trim() === '' || !PROMPT.test(prompt)) return [...rows];
  const blanks = prompt.slice(prompt.trimEnd().length);
  const pattern = promptPattern(prompt);
  let left = lines;
  return rows.map((row) => {
    let rest = row;
    for (; left > 0 && rest !== ''; left--) {
      const length = lengthOf(pattern, rest + blanks);
      if (length === 0) break;
      rest = rest.slice(length);
    }
    return rest;
  });
}

/** Removes the prompt at which the program waits again. */
export function withoutLastPrompt(rows: readonly string[], prompt: string): string[] {
  const last = rows.at(-1) ?? '';
  const length = promptLength(prompt, last);
  return length === 0 ? [...rows] : [...rows.slice(0, -1), last.slice(0, last.trimEnd().length - length)];
}

/** Removes the prompt at the beginning of a row. */
export function withoutFirstPrompt(prompt: string, row: string): string {
  if (prompt.trim() === '') return row;
  const blanks = prompt.slice(prompt.trimEnd().length);
  return row.slice(lengthOf(promptPattern(prompt), row + blanks));
}

/**
 * Returns the number of characters at the end of a row, without its last blanks, that are the prompt; 0 if it does not
 * end with the prompt.
 *
 * A row may consist of the prompt once or more: a program that reads many lines at once prints it for each of them. It
 * may begin in the middle of a prompt, if they did not fit. A prompt may count the lines. A prompt of MIN_PROMPT_CHARS
 * or more may also stand behind other text: the program ended its answer without a line end.
 */
export function promptLength(prompt: string, row: string): number {
  const [one, all] = [withoutCount(prompt.trimEnd()), withoutCount(row.trimEnd())];
  if (one === '' || !all.endsWith(one)) return 0;
  const isAll = [withoutCount(prompt), `${one} `].some((unit) =>
    unit
      .repeat(all.length / one.length + 1)
      .trimEnd()
      .endsWith(all),
  );
  if (isAll) return row.trimEnd().length;
  if (withoutBlanks(one).length < MIN_PROMPT_CHARS) return 0;
  return promptEnd(prompt).exec(row.trimEnd())?.[0].length ?? 0;
}

/**
 * Returns the prompt of a row that shows it twice or more, as after many lines that were read at once. Its numbers are
 * then 0. Returns any other row unchanged.
 */
export function promptOnce(row: string): string {
  const all = withoutCount(row);
  for (let length = 2; length <= all.length / 2; length++) {
    const one = all.slice(-length);
    const isPrompt = PROMPT.test(one) && /[^>$#%:?»›❯]/u.test(one);
    if (isPrompt && one.repeat(all.length / length + 1).endsWith(all)) return one;
  }
  return row;
}

/** Source of a pattern for a prompt. Its numbers may be others. */
const promptSource = (prompt: string): string => literally(prompt).replace(/\d+/g, '\\d+');

/** Matches the prompt at the end of a row. */
const promptEnd = (prompt: string): RegExp => new RegExp(`${promptSource(prompt.trimEnd())}$`);

/** Writes every number as one digit: `irb(main):012:0> ` as `irb(main):0:0> `. */
const withoutCount = (prompt: string): string => prompt.replace(/\d+/g, '0');

/** Matches the prompt at the beginning of a row. */
const promptPattern = (prompt: string): RegExp => new RegExp(`^${promptSource(prompt)}`);

const lengthOf = (prompt: RegExp, row: string): number => prompt.exec(row)?.[0].length ?? 0;

function typedLines(typed: string): string[] {
  const lines = typed.replace(PASTE_BRACKETS, '').split(/\r\n?|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the last row that output leaves. */
export function rowText(bytes: Buffer, cols: number): string {
  const rows = new PrintedRows(cols);
  rows.push(bytes);
  return rows.rows().at(-1)?.text ?? '';
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length++;
  return length === other.length ? length : 0;
}
