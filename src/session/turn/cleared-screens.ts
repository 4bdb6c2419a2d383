/**
 * Cleared screens: the text of a program that prints lines, but clears the screen before each prompt, as menus do. Pure.
 *
 *     menu                the frame: what the screen showed before the typing
 *     choice> 3           the echo
 *     You chose three.    text
 *     (the screen is cleared)
 *     menu                the frame again, which is no text
 *     choice> _
 */
import { LF } from '../../terminal/index.js';
import { PrintedRows } from './printed-rows.js';
import { type Turn, turnText, withoutFirstPrompt, withoutLastPrompt } from './turn-text.js';

/** Moves to the first cell, and erasures of all or of what follows. */
const CONTROLS = /(?:\x1b\[(?:1?(?:;1?)?[Hf]|[0-3]?J)|\x1bc)+/g;
/** An erasure of the whole screen that leaves the cursor in the first cell. */
const isClear = (controls: string): boolean =>
  controls.includes('\x1bc') ||
  (/[Hf]/.test(controls) && (/2J/.test(controls) || /[Hf](?:.*?)\x1b\[0?J/.test(controls)));

/** Returns the parts of an output that the program showed on a screen of its own, one after the other. */
function splitAtClears(output: Buffer): Buffer[] {
  const text = output.toString('latin1');
  const parts: Buffer[] = [];
  let from = 0;
  for (const { 0: controls, index } of text.matchAll(CONTROLS)) {
    if (!isClear(controls)) continue;
    parts.push(output.subarray(from, index));
    from = index + controls.length;
  }
  return [...parts, output.subarray(from)];
}

/** Returns what a program has printed since it has last cleared the screen. */
export const sinceClear = (output: Buffer): Buffer => splitAtClears(output).at(-1) ?? output;

/**
 * @param frame  The output from the last clear to the typing.
 * @returns  Undefined if the screen was not cleared. Null if the text is not certain, or if there is none.
 */
export function clearedText(turn: Turn, frame: Buffer): string | null | undefined {
  const [first, ...others] = splitAtClears(turn.output);
  if (first === undefined || others.length === 0) return undefined;
  const rowsOfFrame = rowsOf(frame, turn.cols);
  const prompt = rowsOfFrame?.at(-1) ?? '';
  const before = frame.subarray(frame.lastIndexOf(LF) + 1);
  const { text, isExact, isPainted } = turnText({ ...turn, before, output: first });
  if (rowsOfFrame === null || isPainted || !isExact) return null;
  const texts = [text];
  for (const part of others) {
    const rows = rowsOf(part, turn.cols);
    if (rows === null) return null;
    texts.push(withoutLastPrompt(withoutFrame(rows, rowsOfFrame, prompt), prompt).join('\n'));
  }
  const said = texts.map((one) => one.replace(/\n+$/, '')).filter((one) => one.trim() !== '');
  return said.length === 0 ? null : said.join('\n');
}

/**
 * Removes the frame, which may stand below text. The program may go on in its last row, because the terminal has echoed
 * the typed lines before.
 */
function withoutFrame(rows: readonly string[], frame: readonly string[], prompt: string): string[] {
  const above = frame.slice(0, -1);
  const isFrameAt = (from: number): boolean =>
    from >= 0 && above.every((row, at) => row.trimEnd() === rows[from + at]?.trimEnd());
  const last = rows.length - frame.length;
  if (!isFrameAt(0) && isFrameAt(last)) return [...rows.slice(0, last), ...rows.slice(last + above.length)];
  const rest = last >= 0 && isFrameAt(0) ? rows.slice(above.length) : rows;
  const [row = '', ...below] = rest;
  return [withoutFirstPrompt(prompt, row), ...below];
}

/** Returns the rows of a part of the output; null if they are painted. */
function rowsOf(part: Buffer, cols: number): string[] | null {
  const printed = new PrintedRows(cols);
  printed.push(part);
  return printed.isPainted ? null : printed.rows().map(({ text }) => text);
}
